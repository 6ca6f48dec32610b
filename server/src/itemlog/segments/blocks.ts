import { LRUCache } from "lru-cache";
import { decodeKeys, decodePostings, decodeTimes, type KeyBlock } from "../../feed/segments/blocks.ts";
import { Meetings } from "../../feed/segments/meetings.ts";
import type { Segment } from "../../feed/segments/segment.ts";
import type { BlockKind, KnownBlocks, WantedBlock } from "../../feed/segments/sight.ts";
import { Words } from "../../feed/segments/words.ts";
import { Postings } from "../../feed/window/window-postings.ts";
import { Gate, GateError } from "../../runtime/sharing/gate.ts";
import type { Queries } from "../../store/engine/db.ts";
import { StoreError, searchError } from "../../store/engine/errors.ts";
import { type BlockRun, statementsOf } from "../../store/segments/block-runs.ts";
import { readSlices } from "../../store/segments/segments.ts";
import { keysSlice, madeWords } from "./made-words.ts";

/** Reads of the whole process: as many as the list's pool has connections by default, but not all of them for one account. */
const readsAtOnce = { inside: 8, waiting: 64, each: { inside: 3, waiting: 16 } } as const;
/** Memory of an entry beside its content. */
const overheadBytes = 200;

export type Block = Postings | KeyBlock | Uint32Array | Words | Meetings;

/** Words are made of titles for segments without them, for one request at a time: each reads tens of thousands of titles. */
const making = { inside: 1, waiting: 32, each: { inside: 1, waiting: 8 } } as const;
/** For all words that one request needs; what was made serves the next one. */
const makingMs = 2_000;

/** A segment was replaced by others, and its bytes are gone. */
export class SegmentGone extends Error {
  override readonly name = "SegmentGone";
}

/** Numbers of the blocks of a segment by kind; a segment has at most a few thousand of each. */
const kindNumbers: Readonly<Record<BlockKind, number>> = {
  postings: 0,
  meetings: 2 ** 16,
  keys: 2 ** 17,
  times: 2 ** 18,
  words: 2 ** 19,
};
const blocksOfSegment = 2 ** 20;

/** The number of a block among all. */
export function blockKey({ segment, kind, block }: WantedBlock): number {
  return segment.id * blocksOfSegment + kindNumbers[kind] + block;
}

/** Blocks of segments in memory, bounded in bytes; the others are read when they are asked for. They never change. */
export class SegmentBlocks {
  readonly #db: Queries;
  readonly #maxBytes: number;
  #kept: LRUCache<number, Block>;
  readonly #gate = new Gate(readsAtOnce);
  readonly #making = new Gate(making);
  /** Blocks that were read since the start. */
  reads = 0;

  constructor(db: Queries, maxBytes: number) {
    this.#db = db;
    this.#maxBytes = Math.max(1, maxBytes);
    this.#kept = keptBlocks(this.#maxBytes);
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  get(key: number): Block | undefined {
    return this.#kept.get(key);
  }

  /** For another database, where the ids may stand for other segments. */
  forget(): void {
    // Another object: reads that began before have the one of this database.
    this.#kept = keptBlocks(this.#maxBytes);
  }

  /**
   * Reads these blocks.
   * @param owner the account that they are read for; null: the service itself
   * @throws {SegmentGone}; {StoreError} timeout, or busy when too many reads wait
   */
  async read(wanted: ReadonlyMap<number, WantedBlock>, owner: string | null): Promise<Map<number, Block>> {
    const read = new Map<number, Block>();
    const kept = this.#kept;
    const rest = statementsOf(wanted);
    const readNext = async (leave: () => void) => {
      try {
        const runs = rest.shift() ?? [];
        for (const [key, block] of blocksIn(runs, await readSlices(this.#db, runs))) {
          read.set(key, block);
          kept.set(key, block);
          this.reads += 1;
        }
      } finally {
        leave();
      }
    };
    const all = async () => {
      while (rest.length > 0) await readNext(await this.#gate.enter({ owner }));
    };
    // While the database answers one statement, what another one brought is decoded; in no place that others wait for.
    const beside = async () => {
      while (rest.length > 1) {
        const leave = this.#gate.tryEnter(owner);
        if (leave === null) return;
        await readNext(leave);
      }
    };
    try {
      await Promise.all([all(), beside()]);
    } catch (error) {
      rest.length = 0;
      throw readError(error);
    }
    return read;
  }

  /**
   * The words of a segment that was made without them, made now.
   * @throws as read
   */
  async makeWords(wanted: WantedBlock, owner: string | null): Promise<Words> {
    const { segment } = wanted;
    const key = blockKey(wanted);
    const kept = this.#kept;
    const make = async () => {
      // Another request may have made them during the wait.
      const known = kept.get(key);
      if (known instanceof Words) return known;
      const [keys = null] = await readSlices(this.#db, [{ segment: segment.id, ...keysSlice(segment) }]);
      if (keys === null) throw new SegmentGone();
      const made = Words.of(await madeWords(this.#db, segment, keys));
      kept.set(key, made);
      return made;
    };
    try {
      return await this.#making.run(make, { owner });
    } catch (error) {
      throw readError(error);
    }
  }
}

const keptBlocks = (maxSize: number) => new LRUCache<number, Block>({ maxSize, sizeCalculation: bytesOf });

/** @throws {SegmentGone} */
function* blocksIn(
  runs: readonly BlockRun[],
  parts: readonly (Uint8Array | null)[],
): Generator<[number, Block]> {
  for (const [n, { at, blocks }] of runs.entries()) {
    const part = parts[n] ?? null;
    if (part === null) throw new SegmentGone();
    for (const { key, wanted, ...slice } of blocks)
      yield [key, decoded(wanted, part.subarray(slice.at - at, slice.at - at + slice.bytes))];
  }
}

function readError(error: unknown): unknown {
  if (error instanceof SegmentGone) return error;
  return error instanceof GateError ? new StoreError("busy") : searchError(error);
}

export function decoded({ segment, kind }: WantedBlock, bytes: Uint8Array): Block {
  if (kind === "postings") return decodePostings(bytes, segment.items);
  if (kind === "words") return Words.decode(bytes);
  if (kind === "meetings") return Meetings.decode(bytes);
  return kind === "keys" ? decodeKeys(bytes) : decodeTimes(bytes);
}

function bytesOf(block: Block): number {
  if (block instanceof Uint32Array) return overheadBytes + block.byteLength;
  return overheadBytes + ("times" in block ? block.times.buffer.byteLength : block.bytes);
}

export type BlockSource = Pick<SegmentBlocks, "get" | "read" | "makeWords">;

/** The blocks that one request uses: what was read for it stays until its end, whatever else is read meanwhile. */
export class RequestBlocks implements KnownBlocks {
  readonly #blocks: BlockSource;
  readonly #own = new Map<number, Block>();
  readonly #owner: string | null;
  readonly #beganAt = performance.now();

  constructor(blocks: BlockSource, owner: string | null) {
    this.#blocks = blocks;
    this.#owner = owner;
  }

  // The kind of a block tells its type: `read` decodes by it.
  postings(segment: Segment, block: number): Postings | undefined {
    const found = this.#get({ segment, kind: "postings", block });
    return found instanceof Postings ? found : undefined;
  }

  keys(segment: Segment, block: number): KeyBlock | undefined {
    const found = this.#get({ segment, kind: "keys", block });
    return found === undefined || found instanceof Uint32Array || !("times" in found) ? undefined : found;
  }

  times(segment: Segment, block: number): Uint32Array | undefined {
    const found = this.#get({ segment, kind: "times", block });
    return found instanceof Uint32Array ? found : undefined;
  }

  words(segment: Segment, block: number): Words | undefined {
    const found = this.#get({ segment, kind: "words", block });
    return found instanceof Words ? found : undefined;
  }

  meetings(segment: Segment): Meetings | undefined {
    const found = this.#get({ segment, kind: "meetings", block: 0 });
    return found instanceof Meetings ? found : undefined;
  }

  /**
   * Reads what an attempt lacked; of words that are to be made, those of the first segment.
   * @throws as SegmentBlocks.read; {StoreError} timeout, when making words takes too long
   */
  async read(wanted: readonly WantedBlock[]): Promise<void> {
    const isMade = ({ segment, kind }: WantedBlock) => kind === "words" && segment.wordBlocks === null;
    const toMake = wanted.find(isMade);
    const rest = new Map(wanted.filter((one) => !isMade(one)).map((one) => [blockKey(one), one]));
    if (toMake !== undefined) {
      if (performance.now() - this.#beganAt > makingMs) throw new StoreError("timeout");
      this.#own.set(blockKey(toMake), await this.#blocks.makeWords(toMake, this.#owner));
    }
    for (const [key, block] of await this.#blocks.read(rest, this.#owner)) this.#own.set(key, block);
  }

  #get(wanted: WantedBlock): Block | undefined {
    const key = blockKey(wanted);
    return this.#own.get(key) ?? this.#blocks.get(key);
  }
}
