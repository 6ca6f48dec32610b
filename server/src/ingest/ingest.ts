import type { SourceConfig } from "../config/sources.ts";
import type { Adapter } from "./adapter.ts";
import { runDemo } from "./demo-wire.ts";
import { Poller, type PollerDeps } from "./poller.ts";
import { edgarAdapter } from "./sources/edgar.ts";
import { feedAdapter } from "./sources/feed.ts";

/** How each format of config/sources.json that is fetched is read. */
const adapters: Readonly<Record<SourceConfig["format"], Adapter>> = {
  feed: feedAdapter,
  edgar: edgarAdapter,
};

/** All enabled sources at work, each in a loop of its own. Disposing stops fetching and finishes what was fetched. */
export class Ingest implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[];

  constructor(
    deps: Omit<PollerDeps, "adapters">,
    { sources, demo }: { sources: readonly SourceConfig[]; demo: boolean },
  ) {
    const { signal } = this.#stop;
    const polled = sources
      .filter(({ enabled }) => enabled)
      .map((source) => new Poller({ ...deps, adapters }, source, signal).run());
    this.#running = demo ? [...polled, runDemo(deps, signal)] : polled;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }
}
