import { TapewireError } from "./errors.ts";
import type { Connection } from "./settings.ts";

/**
 * One request, as `fetch` makes it.
 * @throws {TapewireError} for a response that is no success, and what `fetch` throws without one
 */
export async function ask(
  { baseUrl, fetch }: Connection,
  path: string,
  key: string,
  init: RequestInit,
): Promise<Response> {
  const authorization = key !== "" && { authorization: `Bearer ${key}` };
  const response = await fetch(baseUrl + path, { ...init, headers: { ...authorization, ...init.headers } });
  if (response.ok) return response;
  throw new TapewireError(response, await response.text());
}

/** fetch says only "fetch failed"; the reason is inside, and may have a code alone. */
export function noAnswer({ baseUrl }: Connection, error: unknown): string {
  const { cause = error } = Object(error);
  const { message, code } = Object(cause);
  return `${baseUrl} does not answer: ${message || code || cause}`;
}
