import { ConnectionError, TapewireError } from "./errors.ts";
import type { Connection } from "./settings.ts";

/**
 * One request, as `fetch` makes it.
 * @throws {TapewireError} for a response that is no success, {ConnectionError} without one
 */
export async function ask(
  connection: Connection,
  path: string,
  key: string,
  init: RequestInit,
): Promise<Response> {
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...init.headers };
  const asked = connection.fetch(connection.baseUrl + path, { ...init, headers });
  const response = await asked.catch(unanswered(connection));
  if (response.ok) return response;
  throw new TapewireError(response, await response.text().catch(unanswered(connection)));
}

/** Throws a ConnectionError instead. fetch says only "fetch failed"; the reason is inside, and may have a code alone. */
export const unanswered =
  ({ baseUrl }: Connection) =>
  (error: unknown): never => {
    const { cause = error } = Object(error);
    const { message, code } = Object(cause);
    throw new ConnectionError(`${baseUrl} does not answer: ${message || code || cause}`, { cause: error });
  };
