import { send } from "../../http/attempts.ts";
import { TapewireError } from "../../http/errors.ts";
import type { Connection } from "../../http/settings.ts";
import type { Ended } from "../link.ts";

/** Why no WebSocket came about: the service is asked by HTTP. */
export function reasonOf(connection: Connection, signal: AbortSignal): Promise<Ended> {
  const request = { path: "/v1/me", maxRetries: 0, signal };
  return send(connection, request).then(
    () => ({ code: 0, reason: "no WebSocket comes about", isBlocked: true }),
    (error: unknown) => {
      const ended = refusalOf(error);
      // A process that serves streams alone has no such path, which says nothing of the stream.
      return ended.code === 404 ? { ...ended, code: 0 } : ended;
    },
  );
}

/** How an HTTP request failed. */
export function refusalOf(error: unknown): Ended {
  if (error instanceof TapewireError)
    return { code: error.status, reason: error.message, retryAfterMs: error.retryAfterMs };
  return { code: 0, reason: error instanceof Error ? error.message : String(error) };
}
