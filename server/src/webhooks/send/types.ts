import type { KeyObject } from "node:crypto";

/** Why an attempt ended without an answer, for the owner of the endpoint. */
export const attemptErrors = {
  invalid_url: "the URL cannot be delivered to",
  address_refused: "the address is none that deliveries may go to",
  dns_refused: "the name leads, if only among others, to an address that deliveries may not go to",
  dns_failed: "the name does not resolve",
  dns_timeout: "the name servers did not answer in time",
  connect_refused: "nothing listens there",
  connect_timeout: "no connection in time",
  connect_failed: "the host cannot be reached",
  tls_untrusted: "the certificate is self-signed, or not of a known authority",
  tls_name: "the certificate is for another name",
  tls_expired: "the certificate is not valid at this time",
  tls_failed: "no TLS handshake",
  timeout: "no answer in time",
  reset: "the connection broke before an answer",
  bad_answer: "the answer is no HTTP",
  headers_too_large: "the answer's headers are larger than 16 KiB",
  stopped: "the service stops, or has no socket left: the attempt counts for nothing",
} as const;

export type AttemptErrorCode = keyof typeof attemptErrors;

export interface Outgoing {
  readonly url: string;
  /** The current one first. */
  readonly keys: readonly KeyObject[];
  /** webhook-id, the same on every retry. */
  readonly id: string;
  /** JSON, sent and signed as it is. */
  readonly body: Buffer;
}

export interface Attempt {
  /** Answered with 2xx. */
  readonly ok: boolean;
  /** Null: no answer. */
  readonly status: number | null;
  /** Why there was no answer; null when there was one. `stopped` is no fault of the receiver and does not count. */
  readonly error: AttemptErrorCode | null;
  readonly ms: number;
  /** Retry-After of a 429 or 503. */
  readonly retryAfterMs: number | null;
  /** 410: the receiver wants no more deliveries. */
  readonly gone: boolean;
  /** First KiB of the answer's body as text that may be stored and shown; null: it has none, or it may not be shown. */
  readonly response: string | null;
}
