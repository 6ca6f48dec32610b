import type { SourceConfig } from "../config/sources.ts";
import { Signal } from "../runtime/sharing/signal.ts";
import { dropOldCalls } from "../store/accounts/idempotent-calls.ts";
import type { IdentityRules } from "../store/append/append-request.ts";
import { pruneSketches } from "../store/append/stories.ts";
import type { Db } from "../store/engine/db.ts";
import { dropOldGaps } from "../store/intake/gaps.ts";
import { forgetHosts } from "../store/intake/hosts.ts";
import { tidyDocuments } from "../store/intake/pending-documents.ts";
import { dropAnswers } from "../store/intake/raw-answers.ts";
import type { Adapters } from "./adapter.ts";
import { ArticleReader } from "./articles/articles.ts";
import { runDemo } from "./demo/demo.ts";
import { DocumentReader } from "./documents/documents.ts";
import type { Fetcher } from "./fetch/fetcher.ts";
import type { Hubs } from "./hubs.ts";
import type { PipelineDeps } from "./pipeline/pipeline.ts";
import { ReachLog } from "./polling/reach-log.ts";
import { Scheduler } from "./polling/scheduler.ts";
import type { PageReader } from "./reading/page-reader.ts";
import { refreshTickers } from "./sources/sec-tickers.ts";

export interface IngestDeps extends PipelineDeps {
  readonly db: Db;
  readonly rules: IdentityRules;
  readonly fetcher: Fetcher;
  readonly hubs: Hubs;
  readonly adapters: Adapters;
  readonly reader: PageReader;
  readonly isStorageFull: () => boolean;
}

export interface IngestOptions {
  readonly sources: readonly SourceConfig[];
  readonly demo: boolean;
  /** How many days answers are kept for a replay, 0: not at all; and the bytes they may take. */
  readonly rawDays: number;
  readonly rawBytes: number;
  /** See refreshTickers; null: the symbols stay as shipped. */
  readonly tickersUrl: string | null;
}

const tidyEveryMs = 3_600_000;
/** After this many days an unread document adds nothing any more. */
const documentDays = 3;
const gapDays = 90;

/** Polls all enabled sources. Disposing stops fetching and finishes what was fetched. */
export class Ingest implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #running: readonly Promise<void>[];
  readonly #articles = new ArticleReader();

  constructor(deps: IngestDeps, options: IngestOptions) {
    const { signal } = this.#stop;
    const sources = options.sources.filter(({ enabled }) => enabled);
    const shared = {
      ...deps,
      articles: this.#articles,
      documentsWake: new Signal(),
      archiveRetries: new Map(),
      rawDays: options.rawDays,
      reachLog: new ReachLog(deps, signal),
    };
    this.#running = [
      new Scheduler(shared, sources).run(signal),
      new DocumentReader(shared, sources).run(signal),
      tidy(deps, options, signal),
      ...(options.tickersUrl === null ? [] : [refreshTickers(shared, options.tickersUrl, signal)]),
      ...(options.demo ? [runDemo(deps, signal)] : []),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
    await this.#articles[Symbol.asyncDispose]();
  }
}

/** Drops, now and then, data that is kept for a limited time. */
async function tidy(
  { db, clock, log }: IngestDeps,
  { rawDays, rawBytes }: IngestOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await forgetHosts(db.main);
      await pruneSketches(db.main, clock.now());
      await dropOldCalls(db.slow);
      await tidyDocuments(db.main, documentDays);
      await dropOldGaps(db.main, gapDays);
      const before = new Date(clock.now().getTime() - rawDays * 86_400_000);
      await dropAnswers(db.slow, { before, mostBytes: rawBytes, signal });
    } catch (error) {
      log.warn({ err: error }, "deleting expired data failed");
    }
    await clock.sleep(tidyEveryMs, signal).catch(() => {});
  }
}
