import { ApiError } from "./errors.ts";

/**
 * The parameters of a query. One of ours given twice is refused: which one counts would be a guess. So is what is no
 * percent-encoded UTF-8.
 * @param search as it was sent, behind the `?`
 * @throws {ApiError} invalid_parameter
 */
export function queryValues(search: string, ours: ReadonlySet<string>): Record<string, string> {
  checkEncoding(search, "query");
  const pairs = [...new URLSearchParams(search)];
  const names = pairs.map(([name]) => name);
  const repeated = [...ours].filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated.length > 0)
    throw new ApiError("invalid_parameter", {
      fields: repeated.map((name) => ({ in: "query", name, detail: "given more than once" })),
    });
  return Object.fromEntries(pairs);
}

/** @throws {ApiError} invalid_parameter, for what does not decode to UTF-8 */
export function checkEncoding(text: string, what: "path" | "query"): void {
  if (!text.includes("%")) return;
  try {
    decodeURIComponent(text);
  } catch (cause) {
    throw new ApiError("invalid_parameter", { detail: `The ${what} is not percent-encoded UTF-8`, cause });
  }
}
