/** V8 cuts a word of 13 letters and more out of a text without copying it, so the word keeps the whole text in memory. */
const shortestCut = 13;

/** The same string, which keeps no longer text in memory that it was cut from. */
export const ownString = (text: string): string =>
  text.length < shortestCut ? text : Buffer.from(text).toString();

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
