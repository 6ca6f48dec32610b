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
  /** Read or asked for lately, and before that: when the first are many they become the second, which go at once. */
  #read = new Bodies();
  #readBefore = new Bodies();
  readonly #mostBytes: { readonly newest: number; readonly read: number };
  #isFull = false;
  /** No key of the newest is below. */
  #lowest = Number.POSITIVE_INFINITY;

  constructor(maxBytes: number) {
    const read = Math.floor((maxBytes * readShare) / 2);
    this.#mostBytes = { newest: maxBytes - 2 * read, read };
  }

  get count(): number {
    return this.#newest.count + this.#read.count + this.#readBefore.count;
  }

  get bytes(): number {
    return this.#newest.bytes + this.#read.bytes + this.#readBefore.bytes;
  }

  /** Whether some of the newest had to go for others. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get(seq: number): Buffer | undefined {
    return this.#newest.get(seq) ?? this.#read.get(seq) ?? this.#again(seq);
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
    this.#readBefore.delete(seq);
    if (this.#read.bytes + sizeOf(body) > this.#mostBytes.read) {
      this.#readBefore = this.#read;
      this.#read = new Bodies();
    }
    // One that is larger than all the room would have none for others.
    if (sizeOf(body) <= this.#mostBytes.read) this.#read.put(seq, body);
  }

  delete(seq: number): void {
    this.#newest.delete(seq);
    this.#read.delete(seq);
    this.#readBefore.delete(seq);
  }

  #again(seq: number): Buffer | undefined {
    const body = this.#readBefore.get(seq);
    if (body !== undefined) this.putRead(seq, body);
    return body;
  }
}

function sizeOf(body: Buffer): number {
  return body.length + overheadBytes;
}

class Bodies {
  readonly #bodies = new Map<number, Buffer>();
  bytes = 0;

  get count(): number {
    return this.#bodies.size;
  }

  get(seq: number): Buffer | undefined {
    return this.#bodies.get(seq);
  }

  put(seq: number, body: Buffer): void {
    this.delete(seq);
    this.#bodies.set(seq, body);
    this.bytes += sizeOf(body);
  }

  delete(seq: number): void {
    const body = this.#bodies.get(seq);
    if (body === undefined) return;
    this.#bodies.delete(seq);
    this.bytes -= sizeOf(body);
  }
}
