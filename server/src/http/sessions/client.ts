import type { IncomingMessage } from "node:http";
import type { Client } from "../../account/people/types.ts";

/** How clients reach this service. */
export interface Entrance {
  readonly trustedProxies: number;
  /** TAPEWIRE_PUBLIC_URL */
  readonly publicUrl: string | null;
  /** Whether the service listens on a loopback address only. */
  readonly isLoopback: boolean;
}

/** What a request of the dashboard shows about its client. @param network see Authenticator.networkOf */
export function clientOf(request: IncomingMessage, network: string, entrance: Entrance): Client {
  const secure = isSecure(request, entrance);
  return {
    network,
    isSecure: secure,
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 200),
    sessionSecret: cookieOf(request, cookieName(secure)),
    baseUrl: baseUrlOf(request, entrance),
  };
}

/** Whether the client uses https, which ends at a proxy. */
function isSecure({ headers }: IncomingMessage, { trustedProxies, publicUrl }: Entrance): boolean {
  const forwarded = trustedProxies === 0 ? undefined : headers["x-forwarded-proto"];
  if (typeof forwarded === "string") return forwarded.split(",").at(-1)?.trim().toLowerCase() === "https";
  const known = publicUrl === null ? null : new URL(publicUrl);
  return known?.protocol === "https:" && known.host === headers.host?.toLowerCase();
}

function baseUrlOf(request: IncomingMessage, entrance: Entrance): string {
  const { publicUrl } = entrance;
  const host = request.headers.host ?? "";
  if (publicUrl !== null && new URL(publicUrl).host === host.toLowerCase())
    return publicUrl.replace(/\/+$/, "");
  return `${isSecure(request, entrance) ? "https" : "http"}://${host}`;
}

/** Browsers take a cookie of the first name only from https and for this very host. */
const cookieName = (secure: boolean) => (secure ? "__Host-tw" : "tw");

/** The first cookie of the name; null: none. */
function cookieOf({ headers }: IncomingMessage, name: string): string | null {
  const found = (headers.cookie ?? "")
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`));
  const value = found?.slice(name.length + 1) ?? "";
  return /^[\w-]{43}$/.test(value) ? value : null;
}

/** The Set-Cookie header of a session. @param secret null: removes the cookie */
export function sessionCookie(secret: string | null, secure: boolean, lifetimeMs: number): string {
  return [
    `${cookieName(secure)}=${secret ?? ""}`,
    // The prefix __Host- demands the path /.
    `Path=${secure ? "/" : "/app"}`,
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${secret === null ? 0 : lifetimeMs / 1_000}`,
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}

const attemptName = (secure: boolean) => (secure ? "__Host-tw_oidc" : "tw_oidc");

/** Binds a sign-in at an identity provider to the browser. Lax, since the provider's page leads back here. */
export function attemptCookie(handle: string, secure: boolean, lifetimeMs: number): string {
  return [
    `${attemptName(secure)}=${handle}`,
    `Path=${secure ? "/" : "/app/v1/oidc"}`,
    "HttpOnly",
    "SameSite=Lax",
    `Max-Age=${lifetimeMs / 1_000}`,
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}

/** null: the browser has begun no sign-in. */
export const attemptHandleOf = (request: IncomingMessage, secure: boolean): string | null =>
  cookieOf(request, attemptName(secure));
