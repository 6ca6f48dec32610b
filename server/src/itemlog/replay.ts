import { replayLimits } from "@tapewire/contract/stream.ts";
import { asksForScores, matches } from "../feed/filter.ts";
import type { Filter, LogItem } from "../feed/item.ts";
import { cursorOf, parseCursor } from "../feed/log-cursor.ts";
import { feedMembers, loggedAt } from "../feed/view.ts";
import { Gate } from "../runtime/sharing/gate.ts";
import { lruOf } from "../runtime/sharing/lru.ts";
import type { Db } from "../store/engine/db.ts";
import { firstSeqSince } from "../store/log/log-times.ts";
import type { LogMemory } from "./memory.ts";
import { LogReader } from "./reader.ts";
import { isAhead, type LogBounds, type ResumePoint, resumePoint } from "./resume.ts";
import type { ItemTail } from "./tail.ts";

/** A page is in memory while it is sent; an item with many details may be large. */
const mostPageLength = 4 * 2 ** 20;
/** Pages are made by so many requests at a time: each reads much of the table. */
const atOnce = { inside: 4, waiting: 64, each: { inside: 2, waiting: 16 } } as const;
const keptTimes = 1_000;

export interface ReplayRequest {
  readonly filter: Filter;
  /** Where it starts: after a cursor, at a time, or null: with the oldest entry. */
  readonly from: string | Date | null;
  /** Its end: a cursor, whose entry is the last; a time, exclusive; or null: the end of the log. */
  readonly until: string | Date | null;
  readonly limit: number;
  /** Scores are withheld. */
  readonly locked: boolean;
  /** The account of the caller. */
  readonly owner: string;
}

export interface ReplayedPage {
  /** Entries as JSON. */
  readonly entries: readonly string[];
  readonly cursor: string;
  readonly isDone: boolean;
}

/** A cursor that is refused. */
export interface RefusedCursor {
  readonly reason: NonNullable<ResumePoint["reason"]>;
  readonly name: "after" | "until";
  /** The oldest cursor that can be resumed from. */
  readonly oldest: string;
}

/** Pages of the log as the stream carried it. A page examines a bounded part of the log, whatever its filter. */
export class LogReplay {
  readonly #db: Db;
  readonly #tail: ItemTail;
  readonly #gate = new Gate(atOnce);
  /** Places of times, by epoch and time. */
  readonly #places = lruOf<string, number>(keptTimes);

  constructor({ db, tail }: { db: Db; tail: ItemTail }) {
    this.#db = db;
    this.#tail = tail;
  }

  /** @throws {GateError} full; {LogReplaced}; the database's error */
  page(request: ReplayRequest): Promise<ReplayedPage | RefusedCursor> {
    return this.#gate.run(() => this.#page(request), { owner: request.owner });
  }

  async #page(request: ReplayRequest): Promise<ReplayedPage | RefusedCursor> {
    await this.#hear(request);
    const bounds = this.#bounds;
    const { memory } = this.#tail;
    const start = await this.#start(request.from, bounds);
    if (typeof start !== "number") return start;
    const end = await this.#end(request.until, bounds);
    if (typeof end !== "number") return end;
    return read(memory, request, { start, end });
  }

  get #bounds(): LogBounds {
    const { epoch, head, floor } = this.#tail;
    return { epoch, head, floor };
  }

  /** What other processes committed, and told a client of, must be visible here. */
  async #hear({ from, until }: ReplayRequest): Promise<void> {
    await this.#tail.hear();
    const isBeyond = [from, until].some(
      (place) => typeof place === "string" && isAhead({ after: place }, this.#bounds),
    );
    if (this.#tail.isBehind || isBeyond) await this.#tail.readOn();
  }

  /** The seq after which it starts. */
  async #start(from: ReplayRequest["from"], bounds: LogBounds): Promise<number | RefusedCursor> {
    if (from === null) return bounds.floor;
    if (from instanceof Date) return Math.max(bounds.floor, (await this.#placeOf(from, bounds)) - 1);
    const { seq, reason } = resumePoint({ after: from }, bounds);
    return seq ?? refused("after", reason, bounds);
  }

  /** The last seq of it. Until a time it holds nothing that is logged during the request: that may be of the time or later. */
  async #end(until: ReplayRequest["until"], bounds: LogBounds): Promise<number | RefusedCursor> {
    if (until === null) return Number.POSITIVE_INFINITY;
    if (until instanceof Date) return (await this.#placeOf(until, bounds)) - 1;
    const { reason } = resumePoint({ after: until }, bounds);
    if (reason === "cursor_unknown") return refused("until", reason, bounds);
    return parseCursor(until)?.seq ?? 0;
  }

  async #placeOf(at: Date, { epoch, head, floor }: LogBounds): Promise<number> {
    const key = `${epoch} ${at.getTime()}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = await firstSeqSince(this.#db.main, at, { floor, head });
    if (place <= head) this.#places.set(key, place);
    return place;
  }
}

async function read(
  memory: LogMemory,
  { filter, limit, locked }: ReplayRequest,
  { start, end }: { start: number; end: number },
): Promise<ReplayedPage> {
  const { epoch } = memory;
  const reader = new LogReader(memory, start);
  const last = Math.max(start, Math.min(end, memory.head));
  if (locked && asksForScores(filter)) reader.position = last;
  const stop = Math.min(last, start + replayLimits.examined);
  const entries: string[] = [];
  for (let length = 0; reader.position < stop && entries.length < limit && length < mostPageLength; ) {
    const item = reader.next();
    if (item === undefined) await reader.load();
    else if (item !== null && matches(item.item, filter)) {
      const entry = entryOf(item, { epoch, locked });
      entries.push(entry);
      length += entry.length;
    }
  }
  const { position } = reader;
  return { entries, cursor: cursorOf({ epoch, seq: position }), isDone: position >= last };
}

function entryOf(item: LogItem, { epoch, locked }: { epoch: string; locked: boolean }): string {
  const publishedAt = loggedAt(item.item);
  const { cursor, seq, ...rest } = feedMembers(item, {
    cursor: cursorOf({ epoch, seq: item.seq }),
    publishedAt,
    locked,
  });
  return JSON.stringify({ cursor, seq, logged_at: publishedAt.toISOString(), ...rest });
}

function refused(
  name: RefusedCursor["name"],
  reason: ResumePoint["reason"],
  { epoch, floor }: LogBounds,
): RefusedCursor {
  return { name, reason: reason ?? "cursor_unknown", oldest: cursorOf({ epoch, seq: floor }) };
}
