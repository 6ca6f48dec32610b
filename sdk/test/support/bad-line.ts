import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface Pair {
  readonly client: Socket;
  readonly onward: Socket;
  isStalled: boolean;
}

export interface BadLine extends AsyncDisposable {
  /** The target's address by way of this line. */
  readonly url: string;
  /** Ends every connection without a word. */
  cut(): void;
  /** Every open connection says nothing more, ever, and stays open. New ones are good. */
  stall(): void;
  /** What is sent from now on arrives this much later, in order. */
  delay(ms: number): void;
}

/** A line to a service that may move to another port. */
export async function badLine(target: () => string): Promise<BadLine> {
  const pairs = new Set<Pair>();
  let delayMs = 0;
  const server = createServer((client) => {
    const { port, hostname } = new URL(target());
    const pair: Pair = { client, onward: connect(Number(port), hostname), isStalled: false };
    pairs.add(pair);
    const pass = (from: Socket, to: Socket) => {
      const later = (does: () => void) => {
        if (delayMs === 0) does();
        else setTimeout(does, delayMs);
      };
      from.on("data", (chunk) => later(() => pair.isStalled || to.destroyed || to.write(chunk)));
      from.on("error", () => {});
      from.once("close", () => {
        if (!pair.isStalled) to.destroy();
        if (client.destroyed && pair.onward.destroyed) pairs.delete(pair);
      });
    };
    pass(client, pair.onward);
    pass(pair.onward, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  const cut = () => {
    for (const { client, onward } of pairs) for (const socket of [client, onward]) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    stall: () => {
      for (const pair of pairs) pair.isStalled = true;
    },
    delay: (ms) => {
      // A later chunk must not overtake: the delay only grows on a connection, so those that are open end.
      cut();
      delayMs = ms;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}
