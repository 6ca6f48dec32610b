import type { Connection } from "../http/settings.ts";
import type { ServerFrame } from "../types.ts";
import { later, rarely } from "./later.ts";
import type { Ended, Line } from "./link.ts";

/** A message has data; a close has a code and a reason. */
export interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}

/** What is used of a WebSocket, so that other classes than the global one can be given. */
export interface SocketLike {
  addEventListener(type: "message" | "close" | "error", listener: (event: SocketEvent) => void): void;
  send(text: string): void;
  close(): void;
}
export type SocketClass = new (url: string, options?: { headers: Record<string, string> }) => SocketLike;

/** The stream by a WebSocket. @returns how it ended */
export const webSocket = (
  line: Line,
  connection: Connection,
  key: string,
  url: string,
  Socket: SocketClass,
) =>
  new Promise<Ended>((resolve) => {
    // Node and Bun take headers; a browser cannot send any, so there the key is in the query.
    const { process, Deno } = Object(globalThis);
    const takesHeaders = process?.versions?.node && !Deno;
    const socket = takesHeaders
      ? new Socket(url, { headers: { authorization: `Bearer ${key}` } })
      : new Socket(`${url}?api_key=${encodeURIComponent(key)}`);
    const { signal } = line;
    let isGreeted = false;
    line.send = (frame) => socket.send(JSON.stringify(frame));
    signal.addEventListener("abort", () => socket.close());
    socket.addEventListener("message", ({ data }) => {
      // What a refusal needs is fetched while there is a network: also a page that is older than its service has it then.
      if (!isGreeted) rarely().catch(() => {});
      isGreeted = true;
      const text = String(data);
      let frame: ServerFrame;
      try {
        frame = JSON.parse(text);
      } catch {
        return resolve({ code: 0, reason: "a message is not JSON" });
      }
      line.came(frame, text.length);
    });
    socket.addEventListener("close", ({ code = 0, reason = "" }) => {
      if (isGreeted) resolve({ code, reason });
      // A WebSocket does not tell why it was refused.
      else if (!signal.aborted) resolve(later((loaded) => loaded.reasonOf(connection, key, signal)));
    });
    // A close follows and tells more. Without a listener some classes throw.
    socket.addEventListener("error", () => {});
  });
