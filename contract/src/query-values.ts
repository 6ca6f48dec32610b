import { ApiError } from "./errors/errors.ts";

/**
 * The parameters of a query. Refuses one of ours that is given twice, because either value could be meant. Also refuses
 * a query that is not percent-encoded UTF-8.
 * @param search the query as it was sent, without the `?`
 * @throws {ApiError} invalid_parameter
 */
export function queryValues(search: string, ours: ReadonlySet<string>): Record<string, string> {
  checkEncoding(search, "query");
  const pairs = [...new URLSearchParams(search)];
  const names = pairs.map(([name]) => name);
  const repeated = [...ours].filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated.length > 0)
    throw new ApiError("invalid_parameter", {
      fields: repeated.map((name) => ({ in: "query", name, detail: "must not be given more than once" })),
    });
  return Object.fromEntries(pairs);
}

/** @throws {ApiError} invalid_parameter, when the text does not decode to UTF-8 */
export function checkEncoding(text: string, what: "path" | "query"): void {
  if (!text.includes("%")) return;
  try {
    decodeURIComponent(text);
  } catch (cause) {
    throw new ApiError("invalid_parameter", { detail: `The ${what} is not percent-encoded UTF-8`, cause });
  }
}
