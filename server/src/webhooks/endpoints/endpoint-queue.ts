import type { Exception, Settled } from "../../store/webhooks/exceptions.ts";

/** How a first attempt ended. withheld: the day's quota of the account is used up. */
export type Ending = "delivered" | "expired" | "withheld" | Exception;

interface First {
  readonly seq: number;
  readonly itemId: string;
  readonly startedMs: number;
  ending: Ending | null;
  /** It was given an ending, so that it holds up no others, and is still in flight. */
  parked: boolean;
}

/** Changes of an endpoint's state since the last commit. */
export interface Gains {
  matched: number;
  delivered: number;
  failed: number;
  expired: number;
  exceptions: Map<number, Exception | Settled>;
}

/** First attempts that may be begun, counted from the oldest unfinished one. */
const mostOpen = 256;

/**
 * The position of one endpoint in the log: pure state, without I/O or a clock.
 *
 * First attempts start in the order of the log and end in any order. An ending counts once all before it have ended, so
 * position and counts, which are committed together, agree, and what a crash forgets is sent and counted again. A first
 * attempt that hangs is parked: it becomes an exception that is in flight, and holds up no others.
 */
export class EndpointQueue {
  /** Seq up to which the log was examined; null: as far as its shard. */
  #seen: number | null;
  #open: First[] = [];
  readonly #againUnderWay = new Set<number>();
  #gains = noGains();
  #due: number;

  /** @param due stored exceptions to be tried again */
  constructor({ position, due }: { position: number | null; due: number }) {
    this.#seen = position;
    this.#due = due;
  }

  get seen(): number | null {
    return this.#seen;
  }

  /** Number of deliveries to be tried again. */
  get due(): number {
    return this.#due;
  }

  /** Whether another first attempt may begin, by the number of unfinished ones. */
  get hasRoom(): boolean {
    return this.#open.length < mostOpen;
  }

  /** Whether a first attempt is in flight and not parked. */
  get isWaiting(): boolean {
    return this.#open.length > 0;
  }

  /** All up to here has ended; null: as far as its shard was read. */
  get position(): number | null {
    const oldest = this.#open[0];
    return oldest === undefined ? this.#seen : oldest.seq - 1;
  }

  /** Counts entries that its shard has read and that pass its filter. */
  matched(count: number): void {
    this.#gains.matched += count;
  }

  /** The log was examined up to here; null: as far as its shard. */
  look(seen: number | null): void {
    this.#seen = seen;
  }

  begin({ seq, itemId }: { seq: number; itemId: string }, nowMs: number): void {
    this.#open.push({ seq, itemId, startedMs: nowMs, ending: null, parked: false });
  }

  /** Records an entry of the log that is not sent. */
  skip({ seq, itemId }: { seq: number; itemId: string }, ending: "expired" | "withheld" | Exception): void {
    this.#open.push({ seq, itemId, startedMs: 0, ending, parked: false });
    this.#settle();
  }

  /** @returns false when it was parked meanwhile, and ends by `endAgain` */
  end(seq: number, ending: Ending): boolean {
    const first = this.#open.find((open) => open.seq === seq && open.ending === null);
    if (first === undefined) return false;
    first.ending = ending;
    this.#settle();
    return true;
  }

  /**
   * Undoes a first attempt that failed, so that its entry is the next one again.
   * @returns false when a later entry was sent, or it was parked
   */
  takeBack(seq: number): boolean {
    const last = this.#open.at(-1);
    if (last?.seq !== seq || last.ending !== null) return false;
    this.#open.pop();
    this.#seen = seq - 1;
    return true;
  }

  /** Parks the first attempts that began before a moment. */
  park(startedBeforeMs: number, parked: (first: { seq: number; itemId: string }) => Exception): void {
    for (const first of this.#open) {
      if (first.ending !== null || first.startedMs > startedBeforeMs) continue;
      first.ending = parked(first);
      first.parked = true;
      this.#againUnderWay.add(first.seq);
    }
    this.#settle();
  }

  isAgainUnderWay(seq: number): boolean {
    return this.#againUnderWay.has(seq);
  }

  /** Whether its first attempt is in flight; it was ordered again before that ended. */
  isFirstUnderWay(seq: number): boolean {
    return this.#open.some((open) => open.seq === seq && open.ending === null);
  }

  /** Whether its state here is newer than in the database. */
  isUncommitted(seq: number): boolean {
    return this.#gains.exceptions.has(seq);
  }

  beginAgain(seq: number): void {
    this.#againUnderWay.add(seq);
  }

  /**
   * Ends a delivery that was tried again, or parked.
   * @param row its new exception, or that it needs none
   * @param counts the count that it still adds to
   */
  endAgain(seq: number, row: Exception | Settled, counts: "delivered" | "failed" | "expired" | null): void {
    this.#againUnderWay.delete(seq);
    const parked = this.#open.find((open) => open.seq === seq && open.parked);
    if (parked !== undefined) {
      // Nothing of it was settled, so it ends as if it had not been parked.
      parked.ending = row.state === "settled" ? "delivered" : row;
      parked.parked = false;
      this.#settle();
      return;
    }
    if (row.state !== "due") this.#due -= 1;
    this.#gains.exceptions.set(seq, row);
    if (counts !== null) this.#gains[counts] += 1;
  }

  /** Ends another try without an outcome: the delivery stays due. */
  dropAgain(seq: number): void {
    this.#againUnderWay.delete(seq);
  }

  /** Records the failure of a delivery that does not count. */
  except(row: Exception): void {
    const known = this.#gains.exceptions.get(row.seq);
    const isOwed = known?.state === "due" && known.counts;
    this.#keep({ ...row, counts: row.counts || isOwed, order: known?.order ?? row.order });
  }

  /** The number of stored due deliveries, corrected by what is not committed yet. */
  knowDue(stored: Iterable<number>): void {
    const due = new Set(stored);
    for (const [seq, row] of this.#gains.exceptions) {
      if (row.state === "due") due.add(seq);
      else due.delete(seq);
    }
    this.#due = due.size;
  }

  /** Counts a due delivery that this process did not know of. */
  addDue(count: number): void {
    this.#due += count;
  }

  takeGains(): Gains {
    const gains = this.#gains;
    this.#gains = noGains();
    return gains;
  }

  /** Takes back changes that could not be committed. */
  giveBack(gains: Gains): void {
    const newer = this.#gains;
    for (const count of ["matched", "delivered", "failed", "expired"] as const) newer[count] += gains[count];
    newer.exceptions = new Map([...gains.exceptions, ...newer.exceptions]);
  }

  #settle(): void {
    let ended = 0;
    for (const { ending } of this.#open) {
      if (ending === null) break;
      ended += 1;
      this.#count(ending);
    }
    if (ended > 0) this.#open = this.#open.slice(ended);
  }

  #count(ending: Ending): void {
    if (ending === "withheld") return;
    if (ending === "delivered" || ending === "expired") {
      this.#gains[ending] += 1;
      return;
    }
    this.#keep(ending);
    if (ending.state === "dead") this.#gains[ending.lastError === "expired" ? "expired" : "failed"] += 1;
  }

  #keep(row: Exception): void {
    const wasDue = this.#gains.exceptions.get(row.seq)?.state === "due";
    this.#gains.exceptions.set(row.seq, row);
    this.#due += Number(row.state === "due") - Number(wasDue);
  }
}

function noGains(): Gains {
  return { matched: 0, delivered: 0, failed: 0, expired: 0, exceptions: new Map() };
}
