import { wholeSeconds } from "../../runtime/retry-after.ts";

/** Names in lower case, repeated fields joined. */
export type Headers = Readonly<Record<string, string>>;

const dayMs = 86_400_000;

export function flatHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    [value].flat().join(", "),
  ]);
  return Object.fromEntries(entries);
}

/**
 * How long the answer stays fresh (RFC 9111 4.2): max-age, else Expires minus the server's own Date, minus its age in
 * caches.
 * @returns more than 0, at most a day; null when the answer does not say, or says that it is stale
 */
export function freshForMs(headers: Headers, now: Date): number | null {
  const directives = (headers["cache-control"] ?? "").toLowerCase().split(",");
  const named = directives.map((directive) => directive.trim());
  if (named.some((directive) => /^no-(?:cache|store)(?:$|=)/.test(directive))) return null;
  const maxAge = named.find((directive) => directive.startsWith("max-age="));
  const lifetimeMs =
    maxAge === undefined ? expiresInMs(headers, now) : seconds(maxAge.slice("max-age=".length)) * 1000;
  const freshMs = lifetimeMs - (wholeSeconds(headers.age ?? "") ?? 0) * 1000;
  return freshMs > 0 ? Math.min(dayMs, freshMs) : null;
}

/** NaN without an Expires, or with one that is no date: such an answer is stale. */
function expiresInMs(headers: Headers, now: Date): number {
  const sentMs = Date.parse(headers.date ?? "");
  return Date.parse(headers.expires ?? "") - (Number.isNaN(sentMs) ? now.getTime() : sentMs);
}

function seconds(text: string): number {
  return wholeSeconds(text.replaceAll('"', "")) ?? Number.NaN;
}
