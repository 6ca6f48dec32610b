/**
 * Buffers that are used again: to allocate one for every large answer costs more than to fill it, in collections of
 * garbage above all.
 */
export class Slabs {
  readonly #bytes: number;
  readonly #most: number;
  readonly #free: Buffer[] = [];

  /** @param most buffers kept for later */
  constructor({ bytes, most }: { bytes: number; most: number }) {
    this.#bytes = bytes;
    this.#most = most;
  }

  /** @returns at least so many bytes, with whatever was in them; `give` it back when nobody reads it any more */
  take(bytes: number): Buffer {
    if (bytes > this.#bytes) return Buffer.allocUnsafeSlow(bytes);
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  give(slab: Buffer): void {
    if (slab.length === this.#bytes && this.#free.length < this.#most) this.#free.push(slab);
  }
}
