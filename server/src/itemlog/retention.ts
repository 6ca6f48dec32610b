import type { Queries } from "../store/engine/db.ts";
import { firstKept, keptMonths, storedFloor } from "../store/log/retention.ts";

/** Which part of the log still exists: old months are dropped, by retention or an operator. */
export class Retention {
  readonly #db: Queries;
  #floor = 0;
  /** Ids of the tables of months at the last look; null before the first look. */
  #months: ReadonlySet<string> | null = null;

  constructor(db: Queries) {
    this.#db = db;
  }

  /** All entries up to this seq were dropped. */
  get floor(): number {
    return this.#floor;
  }

  /** @returns whether months were dropped since the last look */
  async look(): Promise<boolean> {
    const months = await keptMonths(this.#db);
    const before = this.#months;
    const isCut = before !== null && [...before].some((month) => !months.has(month));
    if (before === null || isCut)
      this.#floor = await firstKept(this.#db, Math.max(this.#floor, await storedFloor(this.#db)));
    // Set last: after a failure the next look must notice the same change.
    this.#months = months;
    return isCut;
  }

  /** Starts over, for another log. */
  beginAnew(): void {
    this.#floor = 0;
    this.#months = null;
  }
}
