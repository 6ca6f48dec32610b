/** Reads the log ahead of the clock of a replay, page by page, and never more than it needs. */
import { get } from "../api.ts";
import { type Failure, failureOf } from "../core/failure.ts";
import { paramsOf } from "../core/filter.ts";
import { iso } from "../core/range.ts";
import type { Filters, ReplayEntry, ReplayPage } from "../core/types.ts";

/** A page of the log: at a hundred times the speed of a busy feed there are some pages a second. */
const pageSize = 500;
/** With less than this ahead of the clock the next page is read. */
const enough = 500;
const longestRestS = 60;

/**
 * idle: nothing is asked for. reading: a page is on its way. resting: the service asked to wait. done: the end of the stretch
 * was read. failed: a person is asked. closed: nobody listens any more.
 */
type State = "idle" | "reading" | "resting" | "done" | "failed" | "closed";

export interface Stretch {
  readonly filter: Filters;
  readonly fromMs: number;
  readonly toMs: number;
}

export class Ahead {
  #state: State = "idle";
  #entries: ReplayEntry[] = [];
  #cursor: string | null = null;
  #failure: Failure | null = null;
  #rest: ReturnType<typeof setTimeout> | null = null;
  readonly #aborter = new AbortController();
  readonly #stretch: Stretch;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
    this.#read();
  }

  get state(): State {
    return this.#state;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  /** When the next entry was logged; null: none is known. */
  get nextMs(): number | null {
    const [next] = this.#entries;
    return next === undefined ? null : Date.parse(next.logged_at);
  }
  /** Up to here everything is known, in ms. */
  get knownMs(): number {
    if (this.#state === "done") return this.#stretch.toMs;
    const last = this.#entries.at(-1);
    return last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.logged_at);
  }

  /** Takes the entries that were logged by then, in the order of the log. */
  take(untilMs: number): readonly ReplayEntry[] {
    let count = 0;
    for (const { logged_at } of this.#entries) {
      if (Date.parse(logged_at) > untilMs) break;
      count++;
    }
    const due = this.#entries.splice(0, count);
    if (this.#state === "idle" && this.#entries.length < enough) this.#read();
    return due;
  }

  /** Reads the page whose reading failed. */
  again(): void {
    if (this.#state === "failed") this.#read();
  }

  close(): void {
    this.#state = "closed";
    this.#aborter.abort();
    if (this.#rest !== null) clearTimeout(this.#rest);
  }

  #read(): void {
    this.#state = "reading";
    this.#failure = null;
    const { filter, fromMs, toMs } = this.#stretch;
    const begin = this.#cursor === null ? { since: iso(fromMs) } : { after: this.#cursor };
    const query = { ...paramsOf(filter), ...begin, until: iso(toMs), limit: pageSize };
    get<ReplayPage>("/v1/replay", query, this.#aborter.signal).then(
      (page) => this.#got(page),
      (error: unknown) => this.#missed(failureOf(error)),
    );
  }

  #got({ data, next_cursor }: ReplayPage): void {
    if (this.#state !== "reading") return;
    this.#entries.push(...data);
    this.#cursor = next_cursor;
    this.#state = next_cursor === null ? "done" : "idle";
    // A page may be empty although more follows: the filter matches rarely.
    if (this.#state === "idle" && this.#entries.length < enough) this.#read();
  }

  #missed(failure: Failure): void {
    if (this.#state !== "reading") return;
    const restS = failure.retryAfterS;
    if (restS === null || restS > longestRestS) {
      this.#state = "failed";
      this.#failure = failure;
      return;
    }
    this.#state = "resting";
    this.#rest = setTimeout(() => {
      if (this.#state === "resting") this.#read();
    }, restS * 1_000);
  }
}
