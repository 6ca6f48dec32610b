/** V8 cuts a word of 13 letters and more out of a text without copying it, so the word keeps the whole text in memory. */
const shortestCut = 13;

/** The same string, which keeps no longer text in memory that it was cut from. */
export const ownString = (text: string): string =>
  text.length < shortestCut ? text : Buffer.from(text).toString();

const joinedTo = new Map<string, Map<string, string>>();

/** Two strings as one, which is made once: only for a few that are known beforehand, since all are kept. */
export function joined(first: string, second: string): string {
  const own = joinedTo.get(first) ?? new Map<string, string>();
  if (own.size === 0) joinedTo.set(first, own);
  const known = own.get(second);
  if (known !== undefined) return known;
  own.set(second, first + second);
  return first + second;
}

/** Strings of a table that is being read: each is kept once, and none keeps the text of the table. */
export class KeptStrings {
  readonly #known = new Map<string, string>();

  keep(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const own = ownString(text);
    this.#known.set(own, own);
    return own;
  }
}
