/** What an entry takes beside its bytes: the buffer object and its place in the map. */
const overheadBytes = 150;
/** Of all bytes, for what had to be read: a page is asked for again when an item has come, and then misses only that. */
const readShare = 1 / 4;

/**
 * Encoded items, bounded in bytes: those of the newest versions, and older ones that were read lately. Keyed by seq,
 * which names one version of one item: what is found under it is exactly what the log has there.
 */
export class WindowBodies {
  readonly #newest = new Bodies();
  /** The one longest not asked for comes first. */
  readonly #read = new Bodies();
  readonly #mostBytes: { readonly newest: number; readonly read: number };
  #isFull = false;
  /** No key of the newest is below. */
  #lowest = Number.POSITIVE_INFINITY;

  constructor(maxBytes: number) {
    const read = Math.floor(maxBytes * readShare);
    this.#mostBytes = { newest: maxBytes - read, read };
  }

  get count(): number {
    return this.#newest.count + this.#read.count;
  }

  get bytes(): number {
    return this.#newest.bytes + this.#read.bytes;
  }

  /** Whether some of the newest had to go for others. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get(seq: number): Buffer | undefined {
    return this.#newest.get(seq) ?? this.#read.touch(seq);
  }

  /** One that the log or the filling brings. What came first goes first when there is no room. */
  put(seq: number, doc: string): void {
    this.delete(seq);
    this.#newest.put(seq, Buffer.from(doc));
    this.#lowest = Math.min(this.#lowest, seq);
    for (; this.#newest.bytes > this.#mostBytes.newest && this.#newest.count > 0; this.#isFull = true)
      this.#newest.delete(this.#lowest++);
  }

  /** One that was missing. */
  putRead(seq: number, body: Buffer): void {
    if (this.#newest.get(seq) !== undefined) return;
    this.#read.put(seq, body);
    for (const oldest of this.#read.seqs()) {
      if (this.#read.bytes <= this.#mostBytes.read) break;
      this.#read.delete(oldest);
    }
  }

  delete(seq: number): void {
    this.#newest.delete(seq);
    this.#read.delete(seq);
  }
}

class Bodies {
  readonly #bodies = new Map<number, Buffer>();
  bytes = 0;

  get count(): number {
    return this.#bodies.size;
  }

  seqs(): Iterable<number> {
    return this.#bodies.keys();
  }

  get(seq: number): Buffer | undefined {
    return this.#bodies.get(seq);
  }

  /** The same, which goes behind all others. */
  touch(seq: number): Buffer | undefined {
    const body = this.#bodies.get(seq);
    if (body === undefined) return undefined;
    this.#bodies.delete(seq);
    this.#bodies.set(seq, body);
    return body;
  }

  put(seq: number, body: Buffer): void {
    this.delete(seq);
    this.#bodies.set(seq, body);
    this.bytes += body.length + overheadBytes;
  }

  delete(seq: number): void {
    const body = this.#bodies.get(seq);
    if (body === undefined) return;
    this.#bodies.delete(seq);
    this.bytes -= body.length + overheadBytes;
  }
}
