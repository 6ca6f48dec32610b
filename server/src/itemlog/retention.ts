import type { Queries } from "../store/engine/db.ts";
import { firstKept, keptMonths } from "../store/log/retention.ts";

/** What of the log is still there: operators drop the months that they keep no longer. */
export class Retention {
  readonly #db: Queries;
  #floor = 0;
  /** Tables of months, as they were at the last look; null: not looked yet. */
  #months: ReadonlySet<string> | null = null;

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Seq up to which nothing is kept: where the oldest entry that can be read follows. */
  get floor(): number {
    return this.#floor;
  }

  /** @returns whether something was dropped since the last look */
  async look(): Promise<boolean> {
    const months = await keptMonths(this.#db);
    const before = this.#months;
    const isCut = before !== null && [...before].some((month) => !months.has(month));
    if (before === null || isCut) this.#floor = await firstKept(this.#db, this.#floor);
    // Not before: what failed is looked for again.
    this.#months = months;
    return isCut;
  }

  /** The log is another. */
  beginAnew(): void {
    this.#floor = 0;
    this.#months = null;
  }
}
