/** Something that waits for the consumer, and where the stream stands after it. */
export interface Entry<T> {
  readonly value: T;
  readonly length: number;
  /** null: the position does not change. */
  after: string | null;
}

const mostEntries = 1_000;
const mostLength = 4 * 1024 * 1024;
/** A load that leaves room for more. */
export const roomy = 0.5;

/**
 * What has come and is not handled yet, with two positions in the log: `received`, after everything that has come, and
 * `handled`, after everything that the consumer is done with, which is when it asks for more.
 */
export class Queue<T> {
  received: string | null = null;
  handled: string | null = null;
  readonly #waiting: Entry<T>[] = [];
  #given: Entry<T> | undefined;
  #length = 0;
  readonly #came: () => void;

  /** @param came is called after something has come, or a position has moved */
  constructor(came: () => void) {
    this.#came = came;
  }

  /** Begins anew at a position. */
  startAt(cursor: string | null): void {
    this.received = cursor;
    this.handled = cursor;
    this.#came();
  }

  /** @param after the position after it; null: it does not change */
  push(value: T, after: string | null = null, length = 0): void {
    this.#waiting.push({ value, length, after });
    this.#length += length;
    if (after) this.received = after;
    this.#came();
  }

  /** Nothing more matches up to here. */
  advance(cursor: string): void {
    this.received = cursor;
    const last = this.#waiting.at(-1) ?? this.#given;
    if (last) last.after = cursor;
    else this.handled = cursor;
    this.#came();
  }

  /** Nothing is given any more. */
  clear(): void {
    this.#waiting.length = 0;
    this.#given = undefined;
  }

  /** The next one; what was taken before is handled by now. */
  take(): T | undefined {
    this.handled = this.#given?.after ?? this.handled;
    this.#given = this.#waiting.shift();
    this.#length -= this.#given?.length ?? 0;
    return this.#given?.value;
  }

  /** How much of what fits waits; 1: it is full. */
  get load(): number {
    return Math.max(this.#waiting.length / mostEntries, this.#length / mostLength);
  }
}
