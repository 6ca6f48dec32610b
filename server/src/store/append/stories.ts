import { sql } from "kysely";
import type { LogItem } from "../../feed/item.ts";
import {
  mostEntries,
  type Recalled,
  type StoryFacts,
  StoryMemory,
  type StorySketch,
  type VerdictAlone,
} from "../../feed/story.ts";
import type { Queries } from "../engine/db.ts";

const keptHours = 48;
const loadRows = 2_000;

/** Written before it was kept since when the feed had carried a text. */
type OlderSketch = Omit<StorySketch, "knownMs"> & { readonly knownMs?: number };

/** Written by a process of another version, whose facts say too little. */
interface ForeignSketch {
  readonly about?: undefined;
}

/** In the place of the sketch of an item that is compared with nothing any more: every process forgets it. */
export interface Withdrawn {
  readonly id: string;
  readonly withdrawn: true;
  readonly about?: undefined;
}

/** What an item tells, and what it was judged with. */
export interface Telling {
  readonly facts: StoryFacts;
  readonly recalled: Recalled;
  readonly alone: VerdictAlone | null;
}

/**
 * The stories that the feed has carried lately, the same in every process that writes: under the lock of the log each
 * reads what the others have added since it last looked, so two copies that arrive at two processes at once are one
 * story too. One process alone reads nothing.
 */
export class StoryShelf {
  #memory = new StoryMemory();
  /** Takes back what was placed and is not known to be in the log. */
  #placed: (() => void)[] = [];
  /** The log is known up to here; null: not read yet. */
  #seq: number | null = null;

  /** Brings the memory up to the head of the log, whose lock the caller holds. */
  async catchUp(tx: Queries, lastSeq: number): Promise<void> {
    let from = this.#seq ?? (await this.#beginning(tx));
    while (from < lastSeq) {
      const found = await sql<{
        seq: number;
        seen_at: Date;
        sketch: OlderSketch | Withdrawn | ForeignSketch;
      }>`
        select seq, seen_at, sketch from story_sketches where seq > ${from} order by seq limit ${loadRows}`.execute(
        tx,
      );
      for (const { sketch, seen_at } of found.rows)
        if ("withdrawn" in sketch) this.#memory.remove(sketch.id);
        else if (sketch.about !== undefined) this.#read(sketch, seen_at.getTime());
      from = found.rows.length < loadRows ? lastSeq : (found.rows.at(-1)?.seq ?? lastSeq);
    }
    this.#seq = lastSeq;
  }

  #read(sketch: OlderSketch, seenMs: number): void {
    this.#memory.add({ knownMs: Math.max(sketch.publishedMs, seenMs), ...sketch }, seenMs);
  }

  /** Where to begin reading: more than the memory holds would be read for nothing, under the log's lock. */
  async #beginning(tx: Queries): Promise<number> {
    const found = await sql<{ seq: number }>`
      select seq from story_sketches order by seq desc offset ${mostEntries} limit 1`.execute(tx);
    return found.rows[0]?.seq ?? 0;
  }

  /** The story of a new item, which is remembered: that of an earlier item, or its own id. */
  place(id: string, told: Telling, seenAt: string): StorySketch {
    return this.#remember(id, this.#memory.find(told.facts) ?? id, told, seenAt);
  }

  /**
   * The story of an item in place of the one that it was given, whose first has been withdrawn since or tells another.
   * @param stands whether the first of a story still tells it
   */
  placeAnew(
    id: string,
    { facts, recalled, alone }: Telling,
    seenAt: string,
    stands: (storyId: string) => boolean,
  ): StorySketch {
    this.withdraw(id);
    const storyId = this.#memory.find(facts, stands) ?? id;
    const now = storyId === id ? { ...recalled, repeatsMs: null } : recalled;
    return this.#keep({ ...facts, id, storyId, recalled: now, alone }, seenAt);
  }

  /**
   * The story of a revised item, which is remembered by what it says now: the one it was of while it tells that. The
   * first of a story that is remembered no more repeats nothing: what is known of its matter now was told later.
   */
  revise(id: string, storyId: string, { facts, recalled, alone }: Telling, seenAt: string): StorySketch {
    const isAnother = storyId !== id && this.#memory.leavesStory(id, storyId, facts);
    const isForgotten = storyId === id && !this.#memory.has(id);
    const told = {
      facts: { ...facts, knownMs: this.#memory.knownSince(id, facts) },
      recalled: isForgotten ? { ...recalled, repeatsMs: null } : recalled,
      alone,
    };
    return this.#remember(id, isAnother ? id : storyId, told, seenAt);
  }

  /** What was judged a repeat of what has been withdrawn since repeats nothing. */
  #remember(id: string, storyId: string, { facts, recalled, alone }: Telling, seenAt: string): StorySketch {
    const isRepeat =
      recalled.repeatsMs !== null && (storyId !== id || this.#memory.recall(facts, id).repeatsMs !== null);
    const repeatsMs = isRepeat ? recalled.repeatsMs : null;
    return this.#keep({ ...facts, id, storyId, recalled: { ...recalled, repeatsMs }, alone }, seenAt);
  }

  #keep(sketch: StorySketch, seenAt: string): StorySketch {
    this.#placed.push(this.#memory.add(sketch, Date.parse(seenAt)));
    return sketch;
  }

  /** Nothing repeats the item any more. */
  withdraw(id: string): Withdrawn {
    this.#placed.push(this.#memory.remove(id));
    return { id, withdrawn: true };
  }

  /** See StoryMemory. */
  copiesOf(id: string): string[] {
    return this.#memory.copiesOf(id);
  }

  /** See StoryMemory; the stories that it gives are remembered. */
  regroup(id: string, copies: readonly string[], seenAt: string): StorySketch[] {
    return this.#memory.regroup(id, copies).map((sketch) => this.#keep(sketch, seenAt));
  }

  has(id: string): boolean {
    return this.#memory.has(id);
  }

  /** Whether what is remembered of the item is another story than what it says now. */
  tellsAnother(id: string, now: StoryFacts): boolean {
    return this.#memory.has(id) && this.#memory.tellsAnother(id, now);
  }

  /** What the feed has carried of the matter, as far as this process knows now. */
  recall(facts: StoryFacts, id: string | null): Recalled {
    return this.#memory.recall(facts, id);
  }

  /** What an item was judged with; null: it is not remembered. */
  recalledOf(id: string): Recalled | null {
    return this.#memory.recalledOf(id);
  }

  /** What was placed is in the log up to here. */
  committed(lastSeq: number): void {
    this.#seq = lastSeq;
    this.#placed = [];
  }

  /** Nothing that was read holds any more: the log is another. */
  beginAnew(): void {
    this.#memory = new StoryMemory();
    this.#placed = [];
    this.#seq = null;
  }

  /** What was placed may not be in the log: where it is, it is read from there. */
  forget(): void {
    // The last first: an item may have been placed several times.
    for (const takeBack of this.#placed.reverse()) takeBack();
    this.#placed = [];
  }
}

export function sketchRow({ seq, item: { id, updated_at } }: LogItem, sketch: StorySketch | Withdrawn) {
  return { seq, id, seen_at: updated_at, sketch };
}

/**
 * Sketches of revised items in the place of those before, under the seq of the version: other processes read on from
 * where they are.
 * @param rows in order of seq; of an item the last one counts
 */
export async function replaceSketches(
  tx: Queries,
  rows: readonly ReturnType<typeof sketchRow>[],
): Promise<void> {
  if (rows.length === 0) return;
  const last = [...new Map(rows.map((row) => [row.id, row])).values()];
  const ids = last.map(({ id }) => id);
  await tx.deleteFrom("story_sketches").where("id", "in", ids).execute();
  await sql`
    insert into story_sketches (seq, id, seen_at, sketch)
    select seq, id, seen_at, sketch
    from json_to_recordset(${JSON.stringify(last)}::json) as r (seq bigint, id uuid, seen_at timestamptz, sketch json)`.execute(
    tx,
  );
}

/** Drops what no item is compared with any more. */
export async function pruneSketches(db: Queries, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptHours * 3_600_000);
  await db.deleteFrom("story_sketches").where("seen_at", "<", before).execute();
}
