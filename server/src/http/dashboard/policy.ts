/** What a page of the dashboard may do: run its own scripts, and talk to this service only. */
const fixed = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
] as const;

/** A name or address with an optional port; anything else in a Host header must not get into the policy. */
const hostPattern = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** @param host Host header of the request: not every browser counts WebSockets of the same host as 'self' */
function contentPolicy(host: string | undefined): string {
  const sockets = host !== undefined && hostPattern.test(host) ? ` ws://${host} wss://${host}` : "";
  return [...fixed, `connect-src 'self'${sockets}`].join("; ");
}

const off = ["accelerometer", "camera", "geolocation", "gyroscope", "magnetometer", "microphone"];
const denied = [...off, "midi", "payment", "usb", "display-capture", "fullscreen", "screen-wake-lock"];

/** Headers of everything under /app that is built. */
export const assetHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
} as const;

export function pageHeaders(host: string | undefined): Record<string, string> {
  return {
    ...assetHeaders,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": contentPolicy(host),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": [...denied.map((name) => `${name}=()`), "clipboard-write=(self)"].join(", "),
    "Cache-Control": "no-cache",
  };
}
