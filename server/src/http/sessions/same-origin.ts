import type { IncomingMessage } from "node:http";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Entrance } from "./client.ts";

const ownNames: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Refuses a name that is not ours: a page of another name, whose address was changed to this machine after it was loaded
 * (DNS rebinding), would count as same-origin. Only where nothing but this machine reaches the service: elsewhere the
 * operator chooses the names.
 * @throws {ApiError} forbidden_origin
 */
export function checkHost(
  { headers }: IncomingMessage,
  { isLoopback, trustedProxies, publicUrl }: Entrance,
): void {
  if (!isLoopback || trustedProxies > 0) return;
  const host = headers.host?.toLowerCase() ?? "";
  const isOurs =
    ownNames.has(host.replace(/:\d+$/, "")) || (publicUrl !== null && new URL(publicUrl).host === host);
  if (!isOurs)
    throw new ApiError("forbidden_origin", {
      detail: "The service has another name: open it at its own address, or set TAPEWIRE_PUBLIC_URL",
    });
}

/**
 * Refuses writes that a page of another origin makes a browser send.
 * @throws {ApiError} forbidden_origin
 * Source: OWASP's cheat sheet on cross-site request forgery (Fetch Metadata, else the Origin header)
 */
export function checkSameOrigin({ method, headers }: IncomingMessage, { publicUrl }: Entrance): void {
  if (method === "GET" || method === "HEAD") return;
  const site = headers["sec-fetch-site"];
  if (site === undefined ? isOwnOrigin(headers.origin, headers.host, publicUrl) : site === "same-origin")
    return;
  const isProgram = site === undefined && headers.origin === undefined;
  if (!isProgram) throw new ApiError("forbidden_origin");
  const own = publicUrl === null ? `http://${headers.host ?? ""}` : new URL(publicUrl).origin;
  throw new ApiError("forbidden_origin", {
    detail: `Origin is missing: a program sends the service's own address, Origin: ${own}`,
  });
}

/**
 * Refuses requests that pages of other origins make. Programs send no Origin.
 * @throws {ApiError} forbidden_origin
 */
export function checkOrigin({ headers }: IncomingMessage, { publicUrl }: Entrance): void {
  if (headers.origin === undefined || isOwnOrigin(headers.origin, headers.host, publicUrl)) return;
  throw new ApiError("forbidden_origin");
}

function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string | null,
): boolean {
  const given = URL.parse(origin ?? "");
  if (given === null) return false;
  return (
    given.host === host?.toLowerCase() || (publicUrl !== null && given.origin === new URL(publicUrl).origin)
  );
}
