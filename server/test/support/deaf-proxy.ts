import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

const typeAndLength = 5;
const notification = "A".charCodeAt(0);

export interface DeafProxy extends AsyncDisposable {
  readonly url: string;
  /** Notices that were held back. */
  readonly withheld: number;
}

/** A proxy before a PostgreSQL that passes on everything but notices, as a pooler in transaction mode does. */
export async function deafProxy(targetUrl: string): Promise<DeafProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let withheld = 0;
  const server = createServer((client) => {
    const onward = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.once("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.pipe(onward);
    let rest = Buffer.alloc(0);
    onward.on("data", (chunk) => {
      const { passed, left, held } = withoutNotices(Buffer.concat([rest, chunk]));
      rest = left;
      withheld += held;
      client.write(passed);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: url.href,
    get withheld() {
      return withheld;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Whole messages, but notices, and the bytes of one that has not come to its end. Source: PostgreSQL, message formats. */
function withoutNotices(bytes: Buffer): { passed: Buffer; left: Buffer<ArrayBuffer>; held: number } {
  const passed: Buffer[] = [];
  let at = 0;
  let held = 0;
  while (bytes.length - at >= typeAndLength) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    if (bytes[at] === notification) held += 1;
    else passed.push(bytes.subarray(at, end));
    at = end;
  }
  return { passed: Buffer.concat(passed), left: Buffer.from(bytes.subarray(at)), held };
}
