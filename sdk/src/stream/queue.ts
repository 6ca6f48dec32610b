/** Something that waits for the consumer, and where the stream stands after it. */
export interface Entry<T> {
  readonly value: T;
  readonly length: number;
  /** null: the position does not change. */
  after: string | null;
}

const most = { entries: 1_000, length: 4 * 1024 * 1024 } as const;

/**
 * What has come and is not handled yet, with two positions in the log: `received`, after everything that has come, and
 * `handled`, after everything that the consumer is done with, which is when it asks for more.
 */
export class Queue<T> {
  received: string | null = null;
  handled: string | null = null;
  readonly #waiting: Entry<T>[] = [];
  #given: Entry<T> | null = null;
  #length = 0;

  /** Begins anew at a position. */
  startAt(cursor: string | null): void {
    this.received = cursor;
    this.handled = cursor;
  }

  push(value: T, { length = 0, after = null }: { length?: number; after?: string | null } = {}): void {
    this.#waiting.push({ value, length, after });
    this.#length += length;
    if (after !== null) this.received = after;
  }

  /** Nothing more matches up to here. */
  advance(cursor: string): void {
    this.received = cursor;
    const last = this.#waiting.at(-1) ?? this.#given;
    if (last === null) this.handled = cursor;
    else last.after = cursor;
  }

  /** Nothing is given any more. */
  clear(): void {
    this.#waiting.length = 0;
    this.#given = null;
  }

  /** The next one; what was taken before is handled by now. */
  take(): Entry<T> | null {
    this.handled = this.#given?.after ?? this.handled;
    const entry = this.#waiting.shift() ?? null;
    this.#given = entry;
    this.#length -= entry?.length ?? 0;
    return entry;
  }

  get isFull(): boolean {
    return this.#waiting.length >= most.entries || this.#length >= most.length;
  }

  /** Whether half of what fits is free. */
  get hasRoom(): boolean {
    return this.#waiting.length <= most.entries / 2 && this.#length <= most.length / 2;
  }
}
