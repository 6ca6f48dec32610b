import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const secretForm = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** Printable ASCII, since no line break may enter a header. No dot, which separates id, timestamp and body when signed. */
const idForm = /^[!-\-/-~]+$/;

export interface Signed {
  /** The same on every retry. */
  readonly id: string;
  /** Time of the attempt: receivers refuse times that are more than 300 s off. */
  readonly timestampS: number;
  /** Exactly the bytes that are sent. */
  readonly body: Buffer;
}

/**
 * The key of a secret, for reuse: signing with it takes a quarter of the time that raw bytes take.
 * @param secret `whsec_` and standard base64 of 24 to 64 bytes
 * @throws {RangeError} when it is not of this form
 */
export function signingKey(secret: string): KeyObject {
  const bytes = Buffer.from(secretForm.exec(secret)?.[1] ?? "", "base64");
  if (bytes.length < 24 || bytes.length > 64)
    throw new RangeError("a signing secret is whsec_ and standard base64 of 24 to 64 bytes");
  return createSecretKey(bytes);
}

/**
 * The headers of a delivery: names and values, alternating.
 * @throws {RangeError} when the id cannot be signed
 */
export function signedHeaders(
  { id, body, keys }: Omit<Signed, "timestampS"> & { readonly keys: readonly KeyObject[] },
  { userAgent, now }: { userAgent: string; now: Date },
): string[] {
  const timestampS = Math.floor(now.getTime() / 1000);
  const signature = signatures({ id, timestampS, body }, keys);
  // Not of spread pairs, which would show in the time of a delivery.
  const headers = ["content-type", "application/json", "user-agent", userAgent];
  headers.push("webhook-id", id, "webhook-timestamp", String(timestampS), "webhook-signature", signature);
  return headers;
}

/**
 * The webhook-signature header: `v1,<base64>` for each key, space separated. During a rotation both keys sign, so that
 * the receiver may change over at any moment.
 * @param keys the current one first
 * @throws {RangeError} when the id contains a dot, a blank or a character that is not printable ASCII
 * Source: Standard Webhooks 1.0.0, Signature scheme: HMAC-SHA256 of `id.timestamp.body`.
 */
export function signatures({ id, timestampS, body }: Signed, keys: readonly KeyObject[]): string {
  if (!idForm.test(id)) throw new RangeError("a webhook-id is printable ASCII without dots");
  const head = `${id}.${timestampS}.`;
  const signed = keys.map(
    (key) => `v1,${createHmac("sha256", key).update(head).update(body).digest("base64")}`,
  );
  return signed.join(" ");
}
