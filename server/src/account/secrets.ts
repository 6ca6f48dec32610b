import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits in 43 characters: what a cookie, a link or a file holds. API keys have a form of their own: see keys/key.ts. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** The signing secret of a webhook endpoint. Source: Standard Webhooks 1.0.0, Signature scheme: standard base64, 24 to 64 bytes. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** The hash that is stored for a secret or an API key. 190 random bits or more need no salt and no slow hash. */
export const hashSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/**
 * Compares secrets of any lengths; how long it takes does not tell how much of them is equal. A request without a secret has
 * an empty one, which is nobody's.
 */
export const isSameSecret = (given: string, expected: string): boolean =>
  given !== "" && timingSafeEqual(hashSecret(given), hashSecret(expected));
