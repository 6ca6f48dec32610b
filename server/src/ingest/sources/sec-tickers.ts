import { parseSecTickers } from "@tapewire/scoring/linking/sec-tickers.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { utcDay } from "../../runtime/utc-day.ts";
import type { Engine } from "../../score/engine.ts";
import type { Db } from "../../store/engine/db.ts";
import {
  claimReferenceFile,
  type ReferenceFile,
  referenceFile,
  saveReferenceFile,
} from "../../store/intake/reference-files.ts";
import type { Fetcher } from "../fetch/fetcher.ts";
import { FetchError } from "../fetch/types.ts";
import type { ReachLog } from "../polling/reach-log.ts";

export interface TickerRefreshDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly engine: Engine;
  readonly fetcher: Fetcher;
  readonly reachLog: ReachLog;
}

const name = "sec-tickers";
const weekMs = 7 * 86_400_000;
const retryMs = 6 * 3_600_000;
const lookEveryMs = 3_600_000;

/**
 * Keeps the symbols of US listings as fresh as the SEC's list of tickers: one process fetches it weekly, and all use it
 * within an hour. If the list cannot be fetched or read, the table stays as it is. Runs until the signal aborts.
 */
export async function refreshTickers(
  deps: TickerRefreshDeps,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log, reachLog } = deps;
  let applied: Date | null = null;
  while (!signal.aborted) {
    try {
      if (await claimReferenceFile(db.main, name, { maxAgeMs: weekMs, retryMs }))
        await fetchList(deps, url, signal);
      const newer = await referenceFile(db.main, name, applied);
      if (newer !== null) {
        applied = newer.fetchedAt;
        apply(deps, newer);
      }
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      const tell = () => log.warn({ reason }, "the SEC's list of tickers was not read");
      if (error instanceof FetchError && error.isUnreached)
        reachLog.missed(name, { host: new URL(url).host, reason, tell });
      else tell();
    }
    await clock.sleep(lookEveryMs, signal).catch(() => {});
  }
}

async function fetchList(
  { db, fetcher }: TickerRefreshDeps,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const request = { url, accept: "application/json", conditional: false, trusted: true };
  const fetched = await fetcher.fetch(request, {
    validators: null,
    asker: { url, hosts: [], requests_per_s: 5 },
    signal,
  });
  if (fetched.status !== "ok") return;
  const text = new TextDecoder().decode(fetched.response.body);
  // Parsed before it is stored: an unusable list would be found again at every start.
  parseSecTickers(text);
  await saveReferenceFile(db.main, name, text);
}

function apply({ engine, log }: TickerRefreshDeps, { body, fetchedAt }: ReferenceFile): void {
  const { rows, refused } = parseSecTickers(body);
  engine.refreshTickers({ rows, on: utcDay(fetchedAt) });
  log.info({ rows: rows.length, refused }, "symbols refreshed from the SEC's list of tickers");
}
