import type { Units } from "../../account/realtime-quota.ts";
import { type FrameTemplate, writeCount } from "./encoded-item.ts";

/** The target of a block. */
export interface BlockTarget {
  /** @returns whether the buffer may be reused; false: the target keeps it */
  writeBlock(bytes: Buffer): boolean;
}

/** Room for what a connection gets in one write, and some frames more. */
const bufferBytes = 96 * 1024;

/**
 * Puts the frames of one write to a connection, each with its count, into one block, since a write costs more than a
 * frame. The buffer of a block is reused for the next one, unless its target keeps it: connections that get the same
 * frames one after the other find them there, and only their counts are written again.
 */
export class BlockWriter {
  #buffer = Buffer.allocUnsafeSlow(bufferBytes);
  /** The part of the buffer that was written last: most connections get as much as the one before. */
  #block = this.#buffer;
  /** The frames that the buffer holds, from its beginning: first those of this block, then what is left of the one before. */
  readonly #frames: FrameTemplate[] = [];
  /** Where each frame begins. */
  readonly #starts: number[] = [];
  /** Frames of this block. */
  #added = 0;
  #counted = 0;
  #length = 0;
  /** Frames written to all connections. */
  written = 0;

  /** Bytes added since the last write. */
  get length(): number {
    return this.#length;
  }

  /** Frames that have no count yet. */
  get uncounted(): number {
    return this.#added - this.#counted;
  }

  add(frame: FrameTemplate): void {
    const { bytes } = frame;
    const place = this.#added;
    const end = this.#length + bytes.length;
    if (this.#frames[place] !== frame) {
      if (end > this.#buffer.length) this.#grow(end);
      this.#buffer.set(bytes, this.#length);
      // Frames behind it may be overwritten, or begin elsewhere.
      this.#frames.length = place;
      this.#frames.push(frame);
      this.#starts[place] = this.#length;
    }
    this.#added = place + 1;
    this.#length = end;
  }

  /** Gives the next frames their counts. */
  number({ first, count }: Units): void {
    for (let n = 0; n < count; n++) {
      const at = (this.#starts[this.#counted] ?? 0) + (this.#frames[this.#counted]?.countAt ?? 0);
      writeCount(this.#buffer, at, first + n);
      this.#counted += 1;
    }
  }

  /** Drops frames without a count. @returns the seq of the first of them */
  dropUncounted(): number {
    const first = this.#counted;
    if (first < this.#added) this.#length = this.#starts[first] ?? 0;
    this.#added = first;
    return this.#frames[first]?.seq ?? 0;
  }

  /** Writes what was added. */
  write(target: BlockTarget): void {
    if (this.#block.length !== this.#length) this.#block = this.#buffer.subarray(0, this.#length);
    this.written += this.#added;
    this.#added = 0;
    this.#counted = 0;
    this.#length = 0;
    if (target.writeBlock(this.#block)) return;
    this.#take(Buffer.allocUnsafeSlow(bufferBytes));
    this.#frames.length = 0;
  }

  #grow(bytes: number): void {
    const grown = Buffer.allocUnsafeSlow(bytes + bufferBytes);
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#take(grown);
  }

  #take(buffer: Buffer<ArrayBuffer>): void {
    this.#buffer = buffer;
    this.#block = buffer;
  }
}
