import { ask, noAnswer } from "../../http/ask.ts";
import { TapewireError } from "../../http/errors.ts";
import type { Connection } from "../../http/settings.ts";
import type { Ended } from "../link.ts";

/** Why no WebSocket came about: the service is asked by HTTP, with the same key. The session ends what takes too long. */
export async function explained(connection: Connection, key: string, signal: AbortSignal): Promise<Ended> {
  try {
    const { body } = await ask(connection, "/v1/me", key, { signal });
    await body?.cancel();
    return { code: 0, reason: "no WebSocket comes about", isBlocked: true };
  } catch (error) {
    const ended = refusalOf(connection, error);
    // A process that serves streams alone has no such path, which says nothing of the stream.
    return ended.code === 404 ? { ...ended, code: 0 } : ended;
  }
}

/** How an HTTP request failed. */
export const refusalOf = (connection: Connection, error: unknown): Ended =>
  error instanceof TapewireError
    ? { code: error.status, reason: error.message, retryAfterMs: error.retryAfterMs }
    : { code: 0, reason: noAnswer(connection, error) };
