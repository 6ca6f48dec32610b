import { LRUCache } from "lru-cache";

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
  readonly #read: LRUCache<number, Buffer>;
  readonly #mostBytes: number;
  #isFull = false;
  /** No key of the newest is below. */
  #lowest = Number.POSITIVE_INFINITY;

  constructor(maxBytes: number) {
    const maxSize = Math.max(1, Math.floor(maxBytes * readShare));
    this.#read = new LRUCache({ maxSize, sizeCalculation: sizeOf });
    this.#mostBytes = maxBytes - maxSize;
  }

  get count(): number {
    return this.#newest.count + this.#read.size;
  }

  get bytes(): number {
    return this.#newest.bytes + this.#read.calculatedSize;
  }

  /** Whether some of the newest had to go for others. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get(seq: number): Buffer | undefined {
    return this.#newest.get(seq) ?? this.#read.get(seq);
  }

  /** One that the log or the filling brings. What came first goes first when there is no room. */
  put(seq: number, doc: string): void {
    this.delete(seq);
    this.#newest.put(seq, Buffer.from(doc));
    this.#lowest = Math.min(this.#lowest, seq);
    for (; this.#newest.bytes > this.#mostBytes && this.#newest.count > 0; this.#isFull = true)
      this.#newest.delete(this.#lowest++);
  }

  /** One that was missing. */
  putRead(seq: number, body: Buffer): void {
    if (this.#newest.get(seq) === undefined) this.#read.set(seq, body);
  }

  delete(seq: number): void {
    this.#newest.delete(seq);
    this.#read.delete(seq);
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
