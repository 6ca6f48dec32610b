import { ask } from "../../http/ask.ts";
import type { Connection } from "../../http/settings.ts";
import type { Ended } from "../link.ts";

/**
 * Why no WebSocket came about: the service is asked by HTTP, with the same key.
 * @throws {TapewireError} for a refusal, {ConnectionError} without an answer
 */
export async function reasonOf(connection: Connection, key: string, signal: AbortSignal): Promise<Ended> {
  try {
    await (await ask(connection, "/v1/me", key, { signal })).body?.cancel();
  } catch (error) {
    const { status, message: reason } = Object(error);
    // A process that serves streams alone has no such path, which says nothing of the stream.
    if (status === 404) return { code: 0, reason };
    throw error;
  }
  return { code: 0, reason: "no WebSocket comes about", isBlocked: true };
}
