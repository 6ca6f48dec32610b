import { type FrameTemplate, writeCount } from "./encoded-item.ts";

/** Where a block goes. */
export interface BlockTarget {
  /** Bytes that the kernel has not taken. */
  readonly unsentBytes: number;
  /** @returns whether the bytes were taken at once, so that the buffer may be written to again */
  writeBlock(bytes: Buffer): boolean;
}

/** What a connection is due at a time, and a frame over it. */
const scratchBytes = 96 * 1024;

/**
 * Puts the frames that a connection is due into one buffer and writes it once: the write is what costs, not the frame.
 * The buffer serves all connections as long as the kernel takes the bytes at once; of the frames that the connection
 * before was due as well only the counts are written anew.
 */
export class BlockWriter {
  #scratch = Buffer.allocUnsafeSlow(scratchBytes);
  /** The part of it that was written last; the next is mostly as long. */
  #block = this.#scratch.subarray(0, 0);
  /** The frames that the buffer begins with. */
  #held: FrameTemplate[] = [];
  #added = 0;
  #length = 0;
  /** Frames that were written, to all connections. */
  written = 0;

  /** Bytes added since the last write. */
  get length(): number {
    return this.#length;
  }

  add(frame: FrameTemplate, count: number): void {
    const start = this.#length;
    this.#length += frame.bytes.length;
    if (this.#held[this.#added] !== frame) {
      if (this.#length > this.#scratch.length) this.#grow(start);
      frame.bytes.copy(this.#scratch, start);
      this.#held.length = this.#added;
      this.#held.push(frame);
    }
    this.#added += 1;
    writeCount(this.#scratch, start + frame.countAt, count);
  }

  /** Writes what was added. */
  write(target: BlockTarget): void {
    if (this.#block.length !== this.#length) this.#block = this.#scratch.subarray(0, this.#length);
    this.written += this.#added;
    this.#added = 0;
    this.#length = 0;
    // What waits behind other bytes is kept by the socket: of its own size, then.
    if (target.unsentBytes > 0) target.writeBlock(Buffer.from(this.#block));
    else if (!target.writeBlock(this.#block)) this.#giveAway();
  }

  #grow(usedBytes: number): void {
    const grown = Buffer.allocUnsafeSlow(this.#length + scratchBytes);
    this.#scratch.copy(grown, 0, 0, usedBytes);
    this.#scratch = grown;
    this.#block = grown.subarray(0, 0);
  }

  /** The socket keeps the buffer until the kernel takes it. */
  #giveAway(): void {
    this.#scratch = Buffer.allocUnsafeSlow(scratchBytes);
    this.#block = this.#scratch.subarray(0, 0);
    this.#held = [];
  }
}
