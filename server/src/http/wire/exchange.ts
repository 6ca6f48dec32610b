import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Exchange } from "./types.ts";

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

/** A client of a proxy may send the whole URL (RFC 9112, 3.2.2). An invalid target becomes an invalid path. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  return /^https?:\/\/[^/?#]+(\/[^#]*)?/i.exec(target)?.[1] ?? "";
}
