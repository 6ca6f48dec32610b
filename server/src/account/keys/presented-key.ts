/** Where a caller may present its key, or the operator the admin token. */
import type { IncomingMessage } from "node:http";

/** The bearer token of a REST request. The query is not read there. Empty when there is none. */
export function keyOfRequest({ headers, rawHeaders }: IncomingMessage): string {
  // Two such headers are refused: Node uses the first, a proxy in front may have used the other.
  let given = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 13 && rawHeaders[at]?.toLowerCase() === "authorization") given += 1;
  return given === 1 ? bearerToken(headers.authorization) : "";
}

/**
 * The key of a stream or of a feed for readers: `api_key` of the query, since browsers cannot set headers on a stream, and
 * readers take an address only; else the bearer token.
 */
export function keyOfAddress({ searchParams }: URL, { headers }: IncomingMessage): string {
  return searchParams.get("api_key") || bearerToken(headers.authorization);
}

/** The token of an `Authorization: Bearer ...` header; empty when there is none. */
function bearerToken(header: string | undefined): string {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? "")?.[1] ?? "";
}
