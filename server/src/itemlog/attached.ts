import type { LogItem } from "../feed/item.ts";

/** A power of two: the place of an entry is the low bits of its seq. */
const recentPlaces = 1_024;

interface Recent<T> {
  readonly item: LogItem;
  readonly value: T;
}

/** What one kind of reader stores with entries of the log: made once for all of its readers, dropped with the entry. */
export class Attached<T> {
  readonly #make: (item: LogItem) => T;
  readonly #byItem = new WeakMap<LogItem, T>();
  /** A thousand readers take the same few entries one after the other: a look into the WeakMap for each would show. */
  readonly #recent: (Recent<T> | undefined)[] = new Array(recentPlaces).fill(undefined);

  constructor(make: (item: LogItem) => T) {
    this.#make = make;
  }

  of(item: LogItem): T {
    const place = item.seq & (recentPlaces - 1);
    const recent = this.#recent[place];
    if (recent?.item === item) return recent.value;
    const value = this.#byItem.get(item) ?? this.#made(item);
    this.#recent[place] = { item, value };
    return value;
  }

  #made(item: LogItem): T {
    const made = this.#make(item);
    this.#byItem.set(item, made);
    return made;
  }
}
