/** `tapewire/webhook`: checks the signatures of deliveries (Standard Webhooks 1.0.0), and makes them for tests. */
import type { Latency, StreamItem } from "./types.ts";

/** An item that was scored, revised or withdrawn. */
export interface FeedScored {
  readonly type: "feed.scored";
  /** When this version of the item was made. */
  readonly timestamp: string;
  readonly data: StreamItem;
  /** Position of this version in the log; a later version has a higher one. */
  readonly seq: number;
  readonly latency: Latency;
}

/** What `POST /v1/webhooks/{id}/test` sends. */
export interface WebhookTested {
  readonly type: "webhook.test";
  readonly timestamp: string;
  readonly data: { readonly webhook_id: string };
}

export type WebhookEvent = FeedScored | WebhookTested;
export type WebhookErrorReason =
  | "missing_header"
  | "bad_timestamp"
  | "too_old"
  | "too_new"
  | "bad_signature"
  | "bad_secret"
  | "bad_body";

/** The delivery is not to be trusted: answer 400. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  declare readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** As fetch, Node, Express, Hono or Lambda have them. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;
export type Body = string | Uint8Array | ArrayBuffer;
/** During a rotation: the new one and the old one. */
export type Secrets = string | readonly string[];

/** More signatures than a rotation makes: each costs a hash of the body. */
const mostSignatures = 10;

/**
 * The event of a delivery, once its signature is right.
 * @param body as received, byte for byte: not parsed and printed again
 * @throws {WebhookError} when it is not genuine, or was sent more than `toleranceS` (300) ago
 */
export async function verify(
  body: Body,
  headers: HeadersLike,
  secrets: Secrets,
  { toleranceS = 300 }: { readonly toleranceS?: number } = {},
): Promise<WebhookEvent> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature")
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .slice(0, mostSignatures);
  checkTime(timestamp, toleranceS);
  const bytes = bytesOf(body);
  const signed = signedBytes(id, timestamp, bytes);
  for (const secret of listOf(secrets)) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      const given = fromBase64(signature.slice(3));
      // subtle.verify compares in constant time.
      if (given !== null && (await crypto.subtle.verify("HMAC", key, given, signed))) return eventIn(bytes);
    }
  }
  throw new WebhookError("bad_signature", "no signature is right");
}

/** The headers of a delivery, as the service sends them. */
export async function sign(
  body: Body,
  secrets: Secrets,
  { id, timestampS = Math.floor(Date.now() / 1_000) }: { readonly id: string; readonly timestampS?: number },
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const signed = signedBytes(id, String(timestampS), bytesOf(body));
  const signatures: string[] = [];
  for (const secret of listOf(secrets)) {
    const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), signed);
    signatures.push(`v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`);
  }
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": signatures.join(" "),
  };
}

const listOf = (secrets: Secrets) => (typeof secrets === "string" ? [secrets] : secrets);

function header(headers: HeadersLike, name: string): string {
  const value = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookError("missing_header", `the header ${name} is missing`);
}

const hasGet = (headers: HeadersLike): headers is { get(name: string): string | null } =>
  typeof headers.get === "function";

function checkTime(timestamp: string, toleranceS: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError("bad_timestamp", "webhook-timestamp is no number");
  const ageS = Date.now() / 1_000 - Number(timestamp);
  if (ageS > toleranceS) throw new WebhookError("too_old", `sent ${Math.round(ageS)} s ago`);
  if (-ageS > toleranceS) throw new WebhookError("too_new", `sent ${Math.round(-ageS)} s in the future`);
}

function bytesOf(body: Body): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return signed;
}

function keyOf(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (bytes === null || bytes.length === 0)
    throw new WebhookError("bad_secret", "a secret is whsec_ and base64");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function eventIn(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new WebhookError("bad_body", "the body is not JSON");
  }
}
