import { randomBytes } from "node:crypto";
import { createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { systemClock } from "../../../src/runtime/clock.ts";
import { Sender, type SenderOptions } from "../../../src/webhooks/send/sender.ts";
import { signingKey } from "../../../src/webhooks/send/sign.ts";
import type { Outgoing } from "../../../src/webhooks/send/types.ts";
import { type TargetOptions, Targets } from "../../../src/webhooks/targets.ts";
import type { Certificate } from "../../support/certificates.ts";

/** A receiver that speaks bytes, so that it can be as wrong as it likes. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** TCP connections it has ever taken. */
  readonly connections: number;
  /** Connections that are open. */
  readonly open: number;
  /** Whole requests it has got, as they came. */
  readonly requests: readonly string[];
}

export interface Request {
  readonly socket: Socket;
  readonly text: string;
  /** 0 for the first of all. */
  readonly index: number;
}

/**
 * @param answer called once for each request
 * @param host null: on all addresses of this machine, of both families where there are
 */
export async function startReceiver(
  answer: (request: Request) => void,
  {
    host = "127.0.0.1",
    tls,
    greet = () => {},
  }: {
    readonly host?: string | null;
    readonly tls?: Certificate;
    /** Speaks before it is spoken to. */
    readonly greet?: (socket: Socket) => void;
  } = {},
): Promise<Receiver> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket) => {
    let unread = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      unread += bytes.toString("latin1");
      for (let text = wholeRequest(unread); text !== null; text = wholeRequest(unread)) {
        unread = unread.slice(text.length);
        requests.push(text);
        answer({ socket, text, index: requests.length - 1 });
      }
    });
  };
  const server =
    tls === undefined
      ? createTcpServer(serve)
      : createTlsServer({ ...tls, ALPNProtocols: ["h2", "http/1.1"] }, serve);
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    greet(socket);
  });
  await new Promise<void>((resolve) =>
    server.listen({ port: 0, ...(host === null ? {} : { host }) }, resolve),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  return {
    port: address.port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    requests,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function wholeRequest(text: string): string | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  const end = headEnd + 4 + length;
  return text.length < end ? null : text.slice(0, end);
}

/** An answer that is whole. */
export function reply(status: string, body = "", headers: readonly string[] = []): string {
  return [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers, "", body].join(
    "\r\n",
  );
}

export function answering(...args: Parameters<typeof reply>): (request: Request) => void {
  return ({ socket }) => socket.write(reply(...args));
}

const key = signingKey(`whsec_${randomBytes(32).toString("base64")}`);

export function outgoing(url: string, changes: Partial<Outgoing> = {}): Outgoing {
  return { url, keys: [key], id: "msg_1", body: Buffer.from('{"a":1}'), ...changes };
}

/**
 * A sender that may send to this machine unless other ranges are opened.
 * @param isShown this machine stands in for the internet, whose answers are shown, unless it is told otherwise
 */
export function newSender({
  opened = ["127.0.0.0/8", "::1/128"],
  isShown = () => true,
  ...options
}: Partial<SenderOptions> & Partial<Pick<TargetOptions, "opened" | "isShown">> = {}): Sender {
  return new Sender({ clock: systemClock, targets: new Targets({ opened, isShown }), ...options });
}

/** Waits for what must come, without a time in it: the test runner's own limit is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(2);
}
