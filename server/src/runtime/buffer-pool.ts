/**
 * Buffers that are used again: to allocate one for every large answer costs more than to fill it, in collections of
 * garbage above all.
 */
export class BufferPool {
  /** Of each buffer. */
  readonly bytes: number;
  readonly #most: number;
  readonly #free: Buffer[] = [];

  /** @param most free buffers that are kept */
  constructor({ bytes, most }: { bytes: number; most: number }) {
    this.bytes = bytes;
    this.#most = most;
  }

  /** With whatever was in it; `give` it back when nobody reads it any more. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.bytes);
  }

  give(buffer: Buffer): void {
    if (this.#free.length < this.#most) this.#free.push(buffer);
  }
}
