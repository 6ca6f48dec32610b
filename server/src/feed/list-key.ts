/** An item's position in the list; a page continues after it. */
export interface ListPosition {
  readonly publishedAt: Date;
  readonly id: string;
}

/**
 * An item's position in the list as five numbers: published_at in ms and the id as four big-endian words, which compare
 * like the id's text. Newer keys are greater.
 */
export interface ListKey {
  readonly ms: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** @param id lower-case text of a uuid */
export function listKey(ms: number, id: string): ListKey {
  return {
    ms,
    a: Number.parseInt(id.slice(0, 8), 16),
    b: Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
    c: Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
    d: Number.parseInt(id.slice(28), 16),
  };
}

/** The lowest key of that instant: what is published at or after it is not older than this key. */
export function startOf(instant: Date): ListKey {
  return { ms: instant.getTime(), a: 0, b: 0, c: 0, d: 0 };
}

export function listKeyOf({ publishedAt, id }: ListPosition): ListKey {
  return listKey(publishedAt.getTime(), id);
}

export function positionOf(key: ListKey): ListPosition {
  return { publishedAt: new Date(key.ms), id: idOf(key) };
}

export function idOf({ a, b, c, d }: ListKey): string {
  const hex = wordHex(a) + wordHex(b) + wordHex(c) + wordHex(d);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function wordHex(word: number): string {
  return word.toString(16).padStart(8, "0");
}

/** Negative when x is older than y. */
export function compareListKeys(x: ListKey, y: ListKey): number {
  return x.ms - y.ms || x.a - y.a || x.b - y.b || x.c - y.c || x.d - y.d;
}
