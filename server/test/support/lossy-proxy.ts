import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "./silent-proxy.ts";

/** A statement that arrives, and whose answer is lost. */
export interface LostAnswer {
  /** Text of a statement of the connection. */
  readonly sent: string;
  /** How the server begins to tell that the statement, or its transaction, is done: `COMMIT`, `UPDATE`. */
  readonly answered: string;
}

export interface LossyProxy extends AsyncDisposable {
  /** The target's URL by way of the proxy. */
  readonly url: string;
  /** The next such answer is lost, and its connection is cut. Resolves when that has happened. */
  loseAnswer(lost: LostAnswer): Promise<void>;
}

/** A proxy before a PostgreSQL that passes everything on, but one answer when it is told to. */
export async function lossyProxy(targetUrl: string): Promise<LossyProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let losing: (LostAnswer & { readonly done: () => void }) | null = null;
  const server = createServer((client) => {
    const onward = connect(Number(target.port || 5432), target.hostname);
    const ends = [client, onward] as const;
    const cut = () => {
      for (const end of ends) end.destroy();
    };
    for (const end of ends) {
      sockets.add(end);
      end.on("error", () => {});
      end.once("close", () => {
        sockets.delete(end);
        cut();
      });
    }
    let hasSent: LostAnswer | null = null;
    client.on("data", (chunk) => {
      if (losing !== null && chunk.includes(losing.sent)) hasSent = losing;
      onward.write(chunk);
    });
    onward.on("data", (chunk) => {
      if (losing === null || hasSent !== losing || !chunk.includes(losing.answered)) {
        client.write(chunk);
        return;
      }
      const { done } = losing;
      losing = null;
      cut();
      done();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String(portOf(server.address()));
  return {
    url: url.href,
    loseAnswer: (lost) =>
      new Promise((resolve) => {
        losing = { ...lost, done: resolve };
      }),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
