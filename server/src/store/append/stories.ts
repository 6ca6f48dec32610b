import { sql } from "kysely";
import type { LogItem } from "../../feed/item.ts";
import {
  mostEntries,
  type Recalled,
  type StoryFacts,
  StoryMemory,
  type StorySketch,
  type VerdictAlone,
} from "../../feed/story/story.ts";
import type { Queries, Write } from "../engine/db.ts";

const keptHours = 48;
const loadRows = 2_000;

/** Stored by a version that did not record since when the feed had carried a text. */
type OlderSketch = Omit<StorySketch, "knownMs"> & { readonly knownMs?: number };

/** Stored by a process of another version; its facts are not enough to compare items. */
interface ForeignSketch {
  readonly about?: undefined;
}

/** Replaces the sketch of an item that is no longer compared with others: every process forgets the item. */
export interface Withdrawn {
  readonly id: string;
  readonly withdrawn: true;
  readonly about?: undefined;
}

/** An item's facts, and what it was judged with. */
export interface Telling {
  readonly facts: StoryFacts;
  readonly recalled: Recalled;
  readonly alone: VerdictAlone | null;
}

/**
 * The stories that the feed has carried lately, the same in every process that writes: each one, under the lock of the
 * log, reads what others have added since its last look, so two copies that arrive at two processes at once still share
 * a story. A process that is alone reads nothing.
 */
export class StoryShelf {
  #memory = new StoryMemory();
  /** Undo what was placed and is not yet known to be in the log. */
  #placed: (() => void)[] = [];
  /** The sketches are read up to this seq of the log; null: none yet. */
  #seq: number | null = null;

  /** Reads up to the head of the log, whose lock the caller holds. */
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

  /** Where to begin reading: sketches beyond the memory's size would be read in vain, under the log's lock. */
  async #beginning(tx: Queries): Promise<number> {
    const found = await sql<{ seq: number }>`
      select seq from story_sketches order by seq desc offset ${mostEntries} limit 1`.execute(tx);
    return found.rows[0]?.seq ?? 0;
  }

  /** Finds and remembers the story of a new item: that of an earlier item, or its own id. */
  place(id: string, telling: Telling, seenAt: string): StorySketch {
    return this.#remember(id, this.#memory.find(telling.facts) ?? id, telling, seenAt);
  }

  /**
   * Finds another story for an item whose story lost its first item since: that was withdrawn, or now tells another story.
   * @param stands whether the first item of a story still tells it
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
   * The story of a revised item, which is remembered with its new content: the same story while it tells that. The first
   * item of a story that is no longer remembered repeats nothing: anything remembered on its matter came later.
   */
  revise(id: string, storyId: string, { facts, recalled, alone }: Telling, seenAt: string): StorySketch {
    const isAnother = storyId !== id && this.#memory.leavesStory(id, storyId, facts);
    const isForgotten = storyId === id && !this.#memory.has(id);
    const telling = {
      facts: { ...facts, knownMs: this.#memory.knownSince(id, facts) },
      recalled: isForgotten ? { ...recalled, repeatsMs: null } : recalled,
      alone,
    };
    return this.#remember(id, isAnother ? id : storyId, telling, seenAt);
  }

  /** Remembers an item; one that was judged a repeat repeats nothing any more if what it repeated was withdrawn. */
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

  /** Forgets the item, so that later items no longer repeat it. */
  withdraw(id: string): Withdrawn {
    this.#placed.push(this.#memory.remove(id));
    return { id, withdrawn: true };
  }

  /** See StoryMemory. */
  copiesOf(id: string): string[] {
    return this.#memory.copiesOf(id);
  }

  /** See StoryMemory; remembers the stories that it returns. */
  regroup(id: string, copies: readonly string[], seenAt: string): StorySketch[] {
    return this.#memory.regroup(id, copies).map((sketch) => this.#keep(sketch, seenAt));
  }

  has(id: string): boolean {
    return this.#memory.has(id);
  }

  /** Whether the item is remembered with another story than it tells now. */
  tellsAnother(id: string, now: StoryFacts): boolean {
    return this.#memory.has(id) && this.#memory.tellsAnother(id, now);
  }

  /** What the feed has carried about the matter, as far as this process knows. */
  recall(facts: StoryFacts, id: string | null): Recalled {
    return this.#memory.recall(facts, id);
  }

  /** What was recalled when an item was judged; null: the item is not remembered. */
  recalledOf(id: string): Recalled | null {
    return this.#memory.recalledOf(id);
  }

  /** Confirms what was placed: it is in the log up to this seq. */
  committed(lastSeq: number): void {
    this.#seq = lastSeq;
    this.#placed = [];
  }

  /** Starts over, for another log. */
  beginAnew(): void {
    this.#memory = new StoryMemory();
    this.#placed = [];
    this.#seq = null;
  }

  /** Undoes what was placed, since it may not be in the log; if it is, `catchUp` reads it. */
  forget(): void {
    // In reverse order, because an item may have been placed several times.
    for (const takeBack of this.#placed.reverse()) takeBack();
    this.#placed = [];
  }
}

export function sketchRow({ seq, item: { id, updated_at } }: LogItem, sketch: StorySketch | Withdrawn) {
  return { seq, id, seen_at: updated_at, sketch };
}

/**
 * Replaces the sketches of revised items, under the seq of the new version, so that other processes, which read by seq,
 * find them.
 * @param rows in order of seq; the last one of an item counts
 */
export function replaceSketches(rows: readonly ReturnType<typeof sketchRow>[]): readonly Write[] {
  if (rows.length === 0) return [];
  const last = [...new Map(rows.map((row) => [row.id, row])).values()];
  const ids = last.map(({ id }) => id);
  return [
    sql`delete from story_sketches where id = any(${ids}::uuid[])`,
    sql`
      insert into story_sketches (seq, id, seen_at, sketch)
      select seq, id, seen_at, sketch
      from json_to_recordset(${JSON.stringify(last)}::json) as r (seq bigint, id uuid, seen_at timestamptz, sketch json)`,
  ];
}

/** Drops sketches that are too old for any comparison. */
export async function pruneSketches(db: Queries, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptHours * 3_600_000);
  await db.deleteFrom("story_sketches").where("seen_at", "<", before).execute();
}
