import { send } from "../../http/attempts.ts";
import type { Connection } from "../../http/settings.ts";
import type { Ended } from "../link.ts";

/** Why no WebSocket came about: the service is asked by HTTP. @throws {TapewireError} for a refusal */
export async function reasonOf(connection: Connection, signal: AbortSignal): Promise<Ended> {
  try {
    await send(connection, { path: "/v1/me", maxRetries: 0, signal });
  } catch (error) {
    const { status, message: reason } = Object(error);
    // A process that serves streams alone has no such path, which says nothing of the stream.
    if (status === 404) return { code: 0, reason };
    throw error;
  }
  return { code: 0, reason: "no WebSocket comes about", isBlocked: true };
}
