import type { Units } from "../../account/realtime-quota.ts";
import { type FrameTemplate, writeCount } from "./encoded-item.ts";

/** Where a block goes. */
export interface BlockTarget {
  /** When it returns the buffer may be written to again. */
  writeBlock(bytes: Buffer): void;
}

/** What a connection is due at a time, and a frame over it. */
const scratchBytes = 96 * 1024;

/**
 * Puts the frames that a connection is due into one buffer and writes it once: the write is what costs, not the frame.
 * The buffer serves all connections: of the frames that the connection before was due as well only the counts are
 * written anew.
 */
export class BlockWriter {
  #scratch = Buffer.allocUnsafeSlow(scratchBytes);
  /** The part of it that was written last; the next is mostly as long. */
  #block = this.#scratch.subarray(0, 0);
  /** The frames that the buffer begins with; where their counts are and where they end: to look each up is to fetch it. */
  readonly #held: FrameTemplate[] = [];
  readonly #countsAt: number[] = [];
  readonly #ends: number[] = [];
  #added = 0;
  #counted = 0;
  #length = 0;
  /** Frames that were written, to all connections. */
  written = 0;

  /** Bytes added since the last write. */
  get length(): number {
    return this.#length;
  }

  /** Frames whose count is still blank. */
  get uncounted(): number {
    return this.#added - this.#counted;
  }

  add(frame: FrameTemplate): void {
    if (this.#held[this.#added] !== frame) this.#hold(frame);
    this.#length = this.#ends[this.#added] ?? 0;
    this.#added += 1;
  }

  /** Counts the next frames. */
  number({ first, count }: Units): void {
    const from = this.#counted;
    for (let n = 0; n < count; n++) writeCount(this.#scratch, this.#countsAt[from + n] ?? 0, first + n);
    this.#counted += count;
  }

  /** @returns the seq of the first that is not written */
  dropUncounted(): number {
    this.#added = this.#counted;
    this.#length = this.#ends[this.#counted - 1] ?? 0;
    return this.#held[this.#counted]?.seq ?? 0;
  }

  /** Writes what was added. */
  write(target: BlockTarget): void {
    if (this.#block.length !== this.#length) this.#block = this.#scratch.subarray(0, this.#length);
    this.written += this.#added;
    this.#added = 0;
    this.#counted = 0;
    this.#length = 0;
    target.writeBlock(this.#block);
  }

  /** Puts a frame where another one, or none, was. */
  #hold(frame: FrameTemplate): void {
    const start = this.#length;
    const end = start + frame.bytes.length;
    if (end > this.#scratch.length) this.#grow(end);
    frame.bytes.copy(this.#scratch, start);
    for (const list of [this.#held, this.#countsAt, this.#ends]) list.length = this.#added;
    this.#held.push(frame);
    this.#countsAt.push(start + frame.countAt);
    this.#ends.push(end);
  }

  #grow(bytes: number): void {
    const grown = Buffer.allocUnsafeSlow(bytes + scratchBytes);
    this.#scratch.copy(grown, 0, 0, this.#length);
    this.#scratch = grown;
    this.#block = grown.subarray(0, 0);
  }
}
