/** Values that tell when they change: a component that has read one is drawn again. (ADR 0085) */
/** Whoever has read signals, and is told when one of them changes. */
export interface Reader {
  /** The readers of each signal that it has read. */
  readonly read: Set<Set<Reader>>;
  told(): void;
}

/** Who reads now. */
let reader: Reader | null = null;

/** From now on this one reads; null: nobody. */
export function begin(one: Reader | null): void {
  if (one !== null) forget(one);
  reader = one;
}

export function forget(one: Reader): void {
  for (const readers of one.read) readers.delete(one);
  one.read.clear();
}

export class Signal<T> {
  #value: T;
  readonly #readers = new Set<Reader>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    if (reader !== null) {
      this.#readers.add(reader);
      reader.read.add(this.#readers);
    }
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const one of [...this.#readers]) one.told();
  }

  /** The value, without being told when it changes. */
  peek(): T {
    return this.#value;
  }
}

export const signal = <T>(value: T): Signal<T> => new Signal(value);

/** A value that is made of signals, each time that it is read. */
export const computed = <T>(of: () => T): { readonly value: T } => ({
  get value() {
    return of();
  },
});

/** Does something now, and whenever a signal changes that it has read. */
export function effect(work: () => void): void {
  const one: Reader = {
    read: new Set(),
    told: () => {
      const before = reader;
      begin(one);
      work();
      reader = before;
    },
  };
  one.told();
}
