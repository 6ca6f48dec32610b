/** A position of the log in the form that clients get. */
export function cursorOf({ epoch, seq }: { epoch: string; seq: number }): string {
  return `${epoch}.${seq}`;
}

/** @returns null when the text is no cursor */
export function parseCursor(text: string): { epoch: string; seq: number } | null {
  const found = /^([0-9a-z]{1,32})\.(\d{1,15})$/.exec(text);
  return found?.[1] === undefined ? null : { epoch: found[1], seq: Number(found[2]) };
}
