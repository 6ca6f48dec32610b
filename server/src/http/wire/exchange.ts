import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A request on its way to an answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Ours always: a client's would let it write into the log, and collide with others'. */
  readonly requestId: string;
  /** As it was sent: not decoded, no `.` or `..` resolved. */
  readonly path: string;
  /** Behind the `?`; empty when there is none. */
  readonly search: string;
  /** Headers of the answer, whatever it comes to be; the stages of the pipeline add theirs. */
  readonly headers: Record<string, string>;
  /** Asks for the body of a client that waits for leave to send it (`Expect: 100-continue`). */
  readonly invite: () => void;
}

export interface Params {
  readonly [name: string]: string;
}

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  invite: () => void,
): Exchange {
  const target = originForm(request.url ?? "");
  const mark = target.indexOf("?");
  const requestId = randomUUID();
  return {
    request,
    response,
    requestId,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? "" : target.slice(mark + 1),
    headers: { "X-Request-Id": requestId },
    invite,
  };
}

/** A proxy's client may send the whole URL (RFC 9112, 3.2.2). What is no target at all is answered as no path. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  return /^https?:\/\/[^/?#]+(\/[^#]*)?/i.exec(target)?.[1] ?? "";
}
