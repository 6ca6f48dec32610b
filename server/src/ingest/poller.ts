import type { SourceConfig } from "../config/sources.ts";
import { backoffMs } from "../runtime/backoff.ts";
import type { Db } from "../store/db.ts";
import { knownAliases } from "../store/items.ts";
import { type PollResult, type SourceState, savePoll, saveWalkStart, sourceState } from "../store/sources.ts";
import type { Adapter, FetchRequest } from "./adapter.ts";
import { DocumentQueue } from "./documents.ts";
import { FetchError, type Fetched, type Fetcher, type Validators } from "./fetcher.ts";
import { ingest, type PipelineDeps } from "./pipeline.ts";
import type { RawItem } from "./raw-item.ts";

export interface PollerDeps extends PipelineDeps {
  readonly db: Db;
  readonly fetcher: Fetcher;
  readonly adapters: Readonly<Record<SourceConfig["format"], Adapter>>;
}

const backoff = { baseMs: 30_000, maxMs: 3_600_000 };
const startJitterMs = 2_000;
/** As long as Retry-After is believed. */
const longestPromiseMs = 86_400_000;

/**
 * Reads one source again and again. Items and their count commit together, validators after the last page, and a walk
 * counts as complete only when everything it found is stored: a crash at any point only repeats fetches. A failing
 * source backs off alone.
 */
export class Poller {
  readonly #deps: PollerDeps;
  readonly #source: SourceConfig;
  readonly #signal: AbortSignal;
  readonly #documents: DocumentQueue;
  #state: SourceState | null = null;
  /**
   * A walk broke off after it had stored items, here or in the process before, or an item was lost: newer pages may be
   * known while older ones are not. Until a walk over every page succeeds. null: not known before the first poll.
   */
  #torn: boolean | null = null;

  constructor(deps: PollerDeps, source: SourceConfig, signal: AbortSignal) {
    this.#deps = deps;
    this.#source = source;
    this.#signal = signal;
    this.#documents = new DocumentQueue({
      fetcher: deps.fetcher,
      log: deps.log,
      adapter: deps.adapters[source.format],
      source,
      signal,
      deliver: async (item, backfill) => {
        await this.#store([item], backfill);
      },
    });
  }

  /** Polls until the signal aborts. */
  async run(): Promise<void> {
    const { clock, log } = this.#deps;
    let delayMs = await this.#firstDelayMs().catch(() => 0);
    while (!this.#signal.aborted) {
      await clock.sleep(delayMs, this.#signal).catch(() => {});
      if (this.#signal.aborted) return;
      delayMs = await this.#poll().catch((error: unknown) => {
        if (!this.#signal.aborted)
          log.error({ err: error, source: this.#source.id }, "a poll's result could not be saved");
        return backoff.baseMs;
      });
    }
  }

  /** A restart does not ask earlier than the source was promised; starts are spread. */
  async #firstDelayMs(): Promise<number> {
    const state = await sourceState(this.#deps.db.main, this.#source.id);
    const promised = (state?.next_poll_at?.getTime() ?? 0) - this.#deps.clock.now().getTime();
    return Math.max(Math.min(promised, longestPromiseMs), Math.random() * startJitterMs);
  }

  /** @returns how long to wait for the next poll, ms */
  async #poll(): Promise<number> {
    const { db, clock, log } = this.#deps;
    const { id, interval_s } = this.#source;
    this.#state = await sourceState(db.main, id);
    this.#torn ??= this.#state?.walking ?? false;
    const polledAt = clock.now();
    const usualMs = interval_s * 1000 * (0.9 + 0.2 * Math.random());
    const save = async (delayMs: number, result: Pick<PollResult, "error" | "validators" | "walking">) => {
      const nextPollAt = new Date(polledAt.getTime() + delayMs);
      await savePoll(db.main, { id, polledAt, nextPollAt, ...result });
      return delayMs;
    };
    try {
      const { created, pages, validators } = await this.#walk();
      this.#torn = this.#documents.takeLost();
      const walking = this.#torn || !this.#documents.isEmpty;
      if (created > 0) log.info({ source: id, created, pages }, "polled");
      return await save(usualMs, { error: null, walking, ...(validators === null ? {} : { validators }) });
    } catch (error) {
      this.#signal.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      const failures = (this.#state?.failures ?? 0) + 1;
      const told = error instanceof FetchError ? (error.retryAfterMs ?? 0) : 0;
      log.warn({ source: id, failures, reason: message }, "poll failed");
      return save(Math.max(usualMs, told, backoffMs(failures, backoff)), { error: message, walking: true });
    }
  }

  /**
   * Page after page while a page brings something new; over every page when that is not enough (see #torn). A page
   * without a wanted item says nothing about those behind it.
   */
  async #walk() {
    const state = this.#state;
    const adapter = this.#deps.adapters[this.#source.format];
    const backfill = state?.backfilled !== true;
    const everyPage = backfill || this.#torn === true;
    const known = everyPage ? null : { etag: state.etag, lastModified: state.last_modified };
    let request: FetchRequest | null = adapter.plan(this.#source, {
      now: this.#deps.clock.now(),
      sweptAt: null,
    }).request;
    let validators: Validators | null = null;
    let created = 0;
    let pages = 0;
    while (request !== null && pages < this.#source.max_pages) {
      const fetched = await this.#fetch(request, known);
      if (fetched.status === "not_modified") break;
      pages += 1;
      const page = adapter.parse(fetched.response, this.#source);
      const fresh = await this.#unknown(page.items);
      if (fresh.length > 0) {
        this.#torn = true;
        await saveWalkStart(this.#deps.db.main, this.#source.id);
      }
      const ready = fresh.filter((item) => !this.#documents.take(item, backfill));
      created += await this.#store(ready, backfill);
      // A damaged document is asked for in full again.
      if (pages === 1 && !page.salvaged) validators = fetched.validators;
      const allKnown = page.items.length > 0 && fresh.length === 0;
      request = allKnown && !everyPage ? null : page.nextPage;
    }
    return { created, pages, validators };
  }

  #fetch(request: FetchRequest, validators: Validators | null): Promise<Fetched> {
    const requestsPerS = this.#source.requests_per_s;
    return this.#deps.fetcher.fetch(request, { validators, requestsPerS, signal: this.#signal });
  }

  /** Oldest first, as they happened; @returns how many were new */
  async #store(items: readonly RawItem[], backfill: boolean): Promise<number> {
    if (items.length === 0) return 0;
    const time = ({ publishedAt }: RawItem) => publishedAt?.getTime() ?? 0;
    const inOrder = items.toReversed().sort((a, b) => time(a) - time(b));
    const outcomes = await ingest(this.#deps, inOrder, { sourceId: this.#source.id, backfill });
    return outcomes.filter(({ status }) => status === "created").length;
  }

  /** Items that are neither stored nor waiting for their document; the rest would be scored for nothing. */
  async #unknown(items: readonly RawItem[]): Promise<RawItem[]> {
    const identities = items.flatMap(({ identity }) => identity);
    const known = await knownAliases(this.#deps.db.main, identities);
    return items.filter(
      (item) => !item.identity.some((alias) => known.has(alias)) && !this.#documents.has(item),
    );
  }
}
