import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { type PublishedMinutes, startOfMinute } from "../feed/published-minutes.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { ProcessUsage } from "../runtime/process-usage.ts";
import { SingleFlight } from "../runtime/sharing/single-flight.ts";
import { version } from "../runtime/version.ts";
import type { Queries } from "../store/engine/db.ts";
import {
  forgetMinutes,
  type ProcessAbout,
  type ProcessMinute,
  reportMinute,
} from "../store/log/process-minutes.ts";
import type { State } from "./types.ts";

const everyMs = 10_000;
/** A day, and the hour in which one may be asked for. */
const keptMs = 25 * 3_600_000;

export interface ReporterDeps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly roles: readonly string[];
  readonly dataDir: string;
  readonly published: PublishedMinutes;
  readonly tail: { readonly head: number };
  readonly state: Pick<State, "streams" | "deliveries" | "scoring">;
}

/** What streams, deliveries and pro have done since the start. */
interface Done {
  readonly streamItems: number;
  readonly deliveries: number;
  readonly failedDeliveries: number;
  readonly verdicts: number;
}

/**
 * Reports what this process does, minute by minute, into the table that GET /admin/v1/stats of any process reads. A minute
 * is written again every few seconds until it has ended. While the database is away the minute goes on.
 */
export class Reporter implements AsyncDisposable {
  readonly about: ProcessAbout;
  readonly #deps: ReporterDeps;
  readonly #usage = new ProcessUsage();
  readonly #closing = new AbortController();
  readonly #flight = new SingleFlight(() => this.#write());
  readonly #running: Promise<void>;
  #startMs: number;
  #before: Done;

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
    const now = deps.clock.now();
    this.about = {
      id: randomUUID(),
      host: hostname(),
      pid: process.pid,
      roles: deps.roles,
      version,
      startedAt: new Date(now.getTime() - Math.round(process.uptime() * 1_000)),
    };
    this.#startMs = startOfMinute(now.getTime());
    this.#before = this.#done();
    this.#running = this.#run();
  }

  /** Writes the present minute. Rejects with the database's error. */
  write(): Promise<void> {
    return this.#flight.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#usage[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal).catch(() => {});
      if (signal.aborted) break;
      await this.write().catch((error: unknown) =>
        log.warn({ err: error }, "reporting what this process does failed; trying again"),
      );
    }
  }

  async #write(): Promise<void> {
    const { db, clock } = this.#deps;
    const startMs = startOfMinute(clock.now().getTime());
    if (startMs !== this.#startMs) {
      await this.#store();
      await forgetMinutes(db, new Date(startMs - keptMs));
      this.#startMs = startMs;
      this.#before = this.#done();
      this.#usage.begin();
    }
    await this.#store();
  }

  async #store(): Promise<void> {
    const minute = await this.#minute();
    await reportMinute(this.#deps.db, this.about, new Date(this.#startMs), minute);
  }

  async #minute(): Promise<ProcessMinute> {
    const { published, state, tail, dataDir } = this.#deps;
    const { items, revisions, sources, fromSource, fromReceipt } = published.read(this.#startMs);
    const done = this.#done();
    const since = (name: keyof Done) => done[name] - this.#before[name];
    const { websocket = 0, sse = 0 } = state.streams?.().open ?? {};
    return {
      items,
      revisions,
      sources,
      sourceP50Ms: fromSource?.p50 ?? null,
      sourceP99Ms: fromSource?.p99 ?? null,
      receiveP50Ms: fromReceipt?.p50 ?? null,
      receiveP99Ms: fromReceipt?.p99 ?? null,
      streams: websocket + sse,
      streamItems: since("streamItems"),
      deliveries: since("deliveries"),
      failedDeliveries: since("failedDeliveries"),
      verdicts: since("verdicts"),
      scoreQueue: state.scoring?.().waiting ?? 0,
      ...this.#usage.read(),
      logHead: tail.head,
      diskFreeBytes: await freeBytes(dataDir),
    };
  }

  #done(): Done {
    const { streams, deliveries, scoring } = this.#deps.state;
    const { delivered = 0, failed = 0, expired = 0 } = deliveries?.().outcomes ?? {};
    return {
      streamItems: streams?.().delivered ?? 0,
      deliveries: delivered,
      failedDeliveries: failed + expired,
      verdicts: scoring?.().given ?? 0,
    };
  }
}

/** null: the system does not tell, or the folder is not there. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
