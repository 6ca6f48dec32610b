import type { LogItem } from "../feed/item.ts";

/** What one kind of reader keeps with the entries of the log: made once for all of its readers, gone with the entry. */
export class Attached<T> {
  readonly #make: (item: LogItem) => T;
  readonly #byItem = new WeakMap<LogItem, T>();

  constructor(make: (item: LogItem) => T) {
    this.#make = make;
  }

  of(item: LogItem): T {
    const known = this.#byItem.get(item);
    if (known !== undefined) return known;
    const made = this.#make(item);
    this.#byItem.set(item, made);
    return made;
  }
}
