/**
 * Reusable buffers: allocating one for every large answer costs more than filling it, mostly in garbage collection.
 */
export class BufferPool {
  /** Size of each buffer. */
  readonly bytes: number;
  readonly #most: number;
  readonly #free: Buffer[] = [];

  /** @param most free buffers that are kept */
  constructor({ bytes, most }: { bytes: number; most: number }) {
    this.bytes = bytes;
    this.#most = most;
  }

  /** A buffer with arbitrary content; `give` it back when nobody reads it any more. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
  }

  give(buffer: Buffer): void {
    if (this.#free.length < this.#most) this.#free.push(buffer);
  }
}
