/** The service ended the stream, and connecting again would not help. */
export class StreamClosed extends Error {
  override readonly name = "StreamClosed";
  /** A close code, an HTTP status, or the code of an error frame. */
  declare readonly code: number | string;

  constructor(code: number | string, reason: string) {
    super(`The stream was closed (${code})${reason && `: ${reason}`}`);
    this.code = code;
  }
}

/** Server-sent events, and the list that fills gaps, have no such filter, and leaving it out would send other items. */
export class UnsupportedByTransport extends Error {
  override readonly name = "UnsupportedByTransport";
}

/** Reconnecting would get the same answer. */
export function isFinal(code: number): boolean {
  const isOfClient = code >= 400 && code < 500 && ![408, 429].includes(code);
  return isOfClient || [1002, 1007, 1009].includes(code) || code >= 4500;
}
