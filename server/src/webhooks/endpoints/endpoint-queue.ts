import type { Exception } from "../../store/webhooks/deliveries.ts";

/** How a first attempt ended. withheld: the day's quota of the account is used up. */
export type Ending = "delivered" | "expired" | "withheld" | Exception;

interface First {
  readonly seq: number;
  readonly itemId: string;
  readonly startedMs: number;
  ending: Ending | null;
  /** It has an ending so that it holds up nobody, and is under way still. */
  parked: boolean;
}

/** What an endpoint's state has gained since it was last taken for a commit. */
export interface Gains {
  matched: number;
  delivered: number;
  failed: number;
  expired: number;
  /** null: settled. */
  exceptions: Map<number, Exception | null>;
}

/** First attempts that may be done behind one that is not. */
const mostOpen = 256;

/**
 * Where one endpoint stands in the log: pure state, without I/O or a clock.
 *
 * First attempts start in the order of the log and end in any. An ending counts once all before it have ended: position
 * and counts, committed together, tell the same story, and what a crash forgets is sent and counted again. One that
 * hangs is parked: it becomes an exception that is under way, and holds up nobody.
 */
export class EndpointQueue {
  /** Seq up to which the log was looked at; null: as far as its shard. */
  #seen: number | null;
  #open: First[] = [];
  readonly #againUnderWay = new Set<number>();
  #gains = noGains();
  #due: number;

  /** @param due exceptions that are stored and to be tried again */
  constructor({ position, due }: { position: number | null; due: number }) {
    this.#seen = position;
    this.#due = due;
  }

  get seen(): number | null {
    return this.#seen;
  }

  /** Deliveries that wait to be tried again. */
  get due(): number {
    return this.#due;
  }

  /** Whether another first attempt may begin, as far as the order of endings allows. */
  get hasRoom(): boolean {
    return this.#open.length < mostOpen;
  }

  /** Whether a first attempt is under way and not parked. */
  get isWaiting(): boolean {
    return this.#open.length > 0;
  }

  /** Up to here all has ended; null: as far as its shard was read. */
  get position(): number | null {
    const [oldest] = this.#open;
    return oldest === undefined ? this.#seen : oldest.seq - 1;
  }

  /** More of what its shard has read passes its filter. */
  matched(count: number): void {
    this.#gains.matched += count;
  }

  /** It has looked at the log up to here; null: as far as its shard. */
  look(seen: number | null): void {
    this.#seen = seen;
  }

  begin({ seq, itemId }: { seq: number; itemId: string }, nowMs: number): void {
    this.#open.push({ seq, itemId, startedMs: nowMs, ending: null, parked: false });
  }

  /** An item of the log that is not sent at all. */
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
   * A first attempt that failed counts as not made: it is the next one again.
   * @returns false when something behind it was sent, or it was parked
   */
  takeBack(seq: number): boolean {
    const last = this.#open.at(-1);
    if (last?.seq !== seq || last.ending !== null) return false;
    this.#open.pop();
    this.#seen = seq - 1;
    return true;
  }

  /** Lets the first attempts that began before a moment hold up nobody any longer. */
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

  /** Whether its first attempt is under way: it has been asked for once more before it could end. */
  isFirstUnderWay(seq: number): boolean {
    return this.#open.some((open) => open.seq === seq && open.ending === null);
  }

  /** Whether it is known here better than in the database. */
  isUncommitted(seq: number): boolean {
    return this.#gains.exceptions.has(seq);
  }

  beginAgain(seq: number): void {
    this.#againUnderWay.add(seq);
  }

  /**
   * A delivery that was tried again, or parked, has ended.
   * @param row as it is now; null: delivered, or not to be delivered any more
   * @param counts adds one to what it owes the counters
   */
  endAgain(seq: number, row: Exception | null, counts: "delivered" | "failed" | "expired" | null): void {
    this.#againUnderWay.delete(seq);
    const parked = this.#open.find((open) => open.seq === seq && open.parked);
    if (parked !== undefined) {
      // Nothing of it is settled yet: it ends as if it had not been parked.
      parked.ending = row ?? (counts === "expired" ? "expired" : "delivered");
      parked.parked = false;
      this.#settle();
      return;
    }
    if (row === null || row.state === "dead") this.#due -= 1;
    this.#gains.exceptions.set(seq, row);
    if (counts !== null) this.#gains[counts] += 1;
  }

  /** A delivery that was to be tried again is so still. */
  dropAgain(seq: number): void {
    this.#againUnderWay.delete(seq);
  }

  /** One that owes the counters nothing has failed. */
  except(row: Exception): void {
    const known = this.#gains.exceptions.get(row.seq);
    const isOwed = known?.state === "due" && known.counts;
    this.#keep(isOwed ? { ...row, counts: true } : row);
  }

  /** All deliveries that are stored to be tried again; what is not committed yet is added, or taken off. */
  knowDue(stored: Iterable<number>): void {
    const due = new Set(stored);
    for (const [seq, row] of this.#gains.exceptions) {
      if (row?.state === "due") due.add(seq);
      else due.delete(seq);
    }
    this.#due = due.size;
  }

  /** A delivery is due that this process did not know of. */
  addDue(count: number): void {
    this.#due += count;
  }

  takeGains(): Gains {
    const gains = this.#gains;
    this.#gains = noGains();
    return gains;
  }

  /** Gains that could not be committed. */
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
