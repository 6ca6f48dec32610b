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
  readonly #frames: FrameTemplate[] = [];
  /** The frames that the buffer holds, from its beginning, of this block or the one before. */
  readonly #held: FrameTemplate[] = [];
  /** Where each frame begins. */
  readonly #starts: number[] = [];
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
    return this.#frames.length - this.#counted;
  }

  add(frame: FrameTemplate): void {
    const { bytes } = frame;
    const place = this.#frames.length;
    const end = this.#length + bytes.length;
    if (this.#held[place] !== frame) {
      if (end > this.#buffer.length) this.#grow(end);
      this.#buffer.set(bytes, this.#length);
      // Frames behind it may be overwritten, or begin elsewhere.
      this.#held.length = place;
      this.#held.push(frame);
    }
    this.#frames.push(frame);
    this.#starts.push(this.#length);
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
    const [first] = this.#frames.splice(this.#counted);
    const [start] = this.#starts.splice(this.#counted);
    this.#length = start ?? this.#length;
    return first?.seq ?? 0;
  }

  /** Writes what was added. */
  write(target: BlockTarget): void {
    const block = this.#buffer.subarray(0, this.#length);
    this.written += this.#frames.length;
    this.#frames.length = 0;
    this.#starts.length = 0;
    this.#counted = 0;
    this.#length = 0;
    if (target.writeBlock(block)) return;
    this.#buffer = Buffer.allocUnsafeSlow(bufferBytes);
    this.#held.length = 0;
  }

  #grow(bytes: number): void {
    const grown = Buffer.allocUnsafeSlow(bytes + bufferBytes);
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
