import type { Term } from "../filter.ts";
import type { Postings } from "../window/window-postings.ts";
import type { KeyBlock } from "./blocks.ts";
import type { Meetings } from "./meetings.ts";
import type { Segment } from "./segment.ts";
import { Words } from "./words.ts";

/** There is at most one block of meetings; the one block of words of a segment without them is made of the titles. */
export type BlockKind = "postings" | "keys" | "times" | "words" | "meetings";

const noWords = Words.of(new Map());

/** A block of a segment that is to be read. */
export interface WantedBlock {
  readonly segment: Segment;
  readonly kind: BlockKind;
  readonly block: number;
}

/** Blocks that are in memory. */
export interface KnownBlocks {
  postings(segment: Segment, block: number): Postings | undefined;
  keys(segment: Segment, block: number): KeyBlock | undefined;
  times(segment: Segment, block: number): Uint32Array | undefined;
  words(segment: Segment, block: number): Words | undefined;
  meetings(segment: Segment): Meetings | undefined;
}

/**
 * What one attempt of a search can see of the segments: the blocks in memory. What it lacks is noted, so that it can be
 * read before the next attempt.
 */
export class Sight {
  readonly #known: KnownBlocks;
  readonly missing: WantedBlock[] = [];
  readonly unknownTerms: Term[] = [];

  constructor(known: KnownBlocks) {
    this.#known = known;
  }

  get isComplete(): boolean {
    return this.missing.length === 0 && this.unknownTerms.length === 0;
  }

  postings(segment: Segment, block: number): Postings | undefined {
    return this.#noted(this.#known.postings(segment, block), { segment, kind: "postings", block });
  }

  keys(segment: Segment, block: number): KeyBlock | undefined {
    return this.#noted(this.#known.keys(segment, block), { segment, kind: "keys", block });
  }

  times(segment: Segment, block: number): Uint32Array | undefined {
    return this.#noted(this.#known.times(segment, block), { segment, kind: "times", block });
  }

  words(segment: Segment, block: number): Words | undefined {
    if (segment.wordBlocks === 0) return noWords;
    return this.#noted(this.#known.words(segment, block), { segment, kind: "words", block });
  }

  /** Which common values meet, of a segment that tells it. */
  meetings(segment: Segment): Meetings | undefined {
    return this.#noted(this.#known.meetings(segment), { segment, kind: "meetings", block: 0 });
  }

  #noted<T>(found: T | undefined, wanted: WantedBlock): T | undefined {
    if (found === undefined) this.missing.push(wanted);
    return found;
  }
}
