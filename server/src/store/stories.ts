import { sql } from "kysely";
import type { LogItem } from "../feed/item.ts";
import { mostEntries, type StoryFacts, StoryMemory, type StorySketch } from "../feed/story.ts";
import type { Queries } from "./db.ts";

const keptHours = 48;
const loadRows = 2_000;

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
      const found = await sql<{ seq: number; seen_at: Date; sketch: StorySketch }>`
        select seq, seen_at, sketch from story_sketches where seq > ${from} order by seq limit ${loadRows}`.execute(
        tx,
      );
      for (const { sketch, seen_at } of found.rows) this.#memory.add(sketch, seen_at.getTime());
      from = found.rows.length < loadRows ? lastSeq : (found.rows.at(-1)?.seq ?? lastSeq);
    }
    this.#seq = lastSeq;
  }

  /** Where to begin reading: more than the memory holds would be read for nothing, under the log's lock. */
  async #beginning(tx: Queries): Promise<number> {
    const found = await sql<{ seq: number }>`
      select seq from story_sketches order by seq desc offset ${mostEntries} limit 1`.execute(tx);
    return found.rows[0]?.seq ?? 0;
  }

  /** The story of a new item, which is remembered: that of an earlier item, or its own id. */
  place(id: string, facts: StoryFacts, seenAt: string): StorySketch {
    const sketch = { ...facts, storyId: this.#memory.find(facts) ?? id };
    this.#placed.push(this.#memory.add(sketch, Date.parse(seenAt)));
    return sketch;
  }

  /** What the feed has carried of the matter, as far as this process knows now. */
  recall(facts: StoryFacts, id: string | null): ReturnType<StoryMemory["recall"]> {
    return this.#memory.recall(facts, id);
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
    for (const takeBack of this.#placed) takeBack();
    this.#placed = [];
  }
}

export function sketchRow({ seq, item: { id, scraped_at } }: LogItem, sketch: StorySketch) {
  return { seq, id, seen_at: scraped_at, sketch };
}

/** Drops what no item is compared with any more. */
export async function pruneSketches(db: Queries, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptHours * 3_600_000);
  await db.deleteFrom("story_sketches").where("seen_at", "<", before).execute();
}

/** The stories of withdrawn items are told anew by whoever tells them next. */
export async function dropSketches(tx: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom("story_sketches").where("id", "in", ids).execute();
}
