const dayMs = 86_400_000;

/** Retry-After in seconds or as a date; capped at a day, since a host's error must not silence it for good. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = wholeSeconds(header) ?? (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(dayMs, Math.max(0, seconds * 1000)) : null;
}

/** Delta-seconds of a header (RFC 9110, 10.2.3). Cut to nine digits, which is practically for ever. */
export function wholeSeconds(text: string): number | null {
  const digits = text.trim();
  return /^\d{1,18}$/.test(digits) ? Math.min(Number(digits), 999_999_999) : null;
}
