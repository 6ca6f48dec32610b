/** Why an attempt ended without an answer, as the owner of the endpoint reads it. */
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

export class AttemptError extends Error {
  override readonly name = "AttemptError";
  readonly code: AttemptErrorCode;

  constructor(code: AttemptErrorCode, options?: ErrorOptions) {
    super(attemptErrors[code], options);
    this.code = code;
  }
}

/** The code of a system's or library's error; several addresses were tried when it is an AggregateError. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
