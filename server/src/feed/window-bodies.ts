/** What an entry takes beside its bytes: the buffer object and its place in the map. */
const overheadBytes = 150;

/**
 * Encoded items of the newest versions, bounded in bytes. Keyed by seq, which names one version of one item: what is
 * found under it is exactly what the log has there.
 */
export class WindowBodies {
  readonly #maxBytes: number;
  readonly #bodies = new Map<number, Buffer>();
  #bytes = 0;
  #isFull = false;
  /** No key is below. */
  #lowest = Number.POSITIVE_INFINITY;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get count(): number {
    return this.#bodies.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether some had to go for others. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get(seq: number): Buffer | undefined {
    return this.#bodies.get(seq);
  }

  /** What came first goes first when there is no room. */
  put(seq: number, doc: string): void {
    this.delete(seq);
    const body = Buffer.from(doc);
    this.#bodies.set(seq, body);
    this.#bytes += body.length + overheadBytes;
    this.#lowest = Math.min(this.#lowest, seq);
    for (; this.#bytes > this.#maxBytes && this.#bodies.size > 0; this.#isFull = true)
      this.delete(this.#lowest++);
  }

  delete(seq: number): void {
    const body = this.#bodies.get(seq);
    if (body === undefined) return;
    this.#bodies.delete(seq);
    this.#bytes -= body.length + overheadBytes;
  }
}
