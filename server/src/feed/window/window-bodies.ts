import { LRUCache } from "lru-cache";

/** Memory of an entry beside its bytes: the buffer object and the map entry. */
const overheadBytes = 150;
/** Share of the memory for documents that were read: when an item has come, its page then misses only that item. */
const readShare = 1 / 4;

/**
 * Encoded items, bounded in bytes: those of the newest versions, and older ones that were read lately. The key is the
 * seq, which names one version of one item, so a cached body is exactly what the log has there.
 */
export class WindowBodies {
  readonly #newest = new Bodies();
  readonly #read: LRUCache<number, Buffer>;
  readonly #mostBytes: number;
  #isFull = false;
  /** The lowest key among the newest. */
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

  /** Whether some of the newest had to be dropped for others. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get(seq: number): Buffer | undefined {
    return this.#newest.get(seq) ?? this.#read.get(seq);
  }

  /** Adds a document that the log or the filling brings; when there is no room, those with the lowest seq are dropped. */
  put(seq: number, doc: string): void {
    this.delete(seq);
    this.#newest.put(seq, Buffer.from(doc));
    this.#lowest = Math.min(this.#lowest, seq);
    for (; this.#newest.bytes > this.#mostBytes && this.#newest.count > 0; this.#isFull = true)
      this.#newest.delete(this.#lowest++);
  }

  /** Adds a document that was missing. */
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
