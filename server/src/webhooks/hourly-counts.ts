import { latencyBin, latencyBins } from "../feed/latency-bins.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Queries } from "../store/engine/db.ts";
import { addHours, forgetHours, type HourCounts } from "../store/webhooks/hourly-counts.ts";

const hourMs = 3_600_000;
const rowsAtOnce = 1_000;
/** Hours kept while the database is away. */
const mostUnwritten = 24;
const keptMs = 8 * 24 * hourMs;

interface Counting extends HourCounts {
  matched: number;
  delivered: number;
  failed: number;
  expired: number;
  readonly latency: number[];
  unanswered: number;
}
type Counted = Pick<Counting, "matched" | "delivered" | "failed" | "expired">;

/**
 * Hourly counts for people to look at, written every few seconds beside the exact counts of the endpoints. A process that
 * is killed loses what it has counted since. While the database is away the counts are kept.
 */
export class HourlyCounts {
  /** Of all endpoints, since the start. */
  readonly totals: Counted = { matched: 0, delivered: 0, failed: 0, expired: 0 };
  readonly #db: Queries;
  readonly #clock: Clock;
  /** Counts of the hour that began at #hourMs, by endpoint. */
  #counting = new Map<string, Counting>();
  #hourMs: number;
  /** Counts that are not written yet, by hour; those of the current hour are moved here before writing. */
  #unwritten = new Map<number, Map<string, Counting>>();

  constructor({ db, clock }: { db: Queries; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
    this.#hourMs = this.#thisHourMs();
  }

  settled(endpointId: string, counts: Counted): void {
    const counting = this.#of(endpointId);
    for (const name of ["matched", "delivered", "failed", "expired"] as const) {
      counting[name] += counts[name];
      this.totals[name] += counts[name];
    }
  }

  /** @param isAnswered how long it took until nobody answered tells nothing of the receiver */
  attempted(endpointId: string, { ms, isAnswered }: { ms: number; isAnswered: boolean }): void {
    const counting = this.#of(endpointId);
    if (!isAnswered) {
      counting.unanswered += 1;
      return;
    }
    const { latency } = counting;
    const bin = latencyBin(ms);
    latency[bin] = (latency[bin] ?? 0) + 1;
  }

  /** Writes the counts; those of a failed write are kept for the next one. */
  async write(): Promise<void> {
    this.#end();
    const gains = [...this.#unwritten].flatMap(([startMs, counted]) =>
      [...counted].map(([endpointId, counts]) => ({ startMs, endpointId, counts })),
    );
    this.#unwritten = new Map();
    for (let start = 0; start < gains.length; start += rowsAtOnce) {
      const rows = gains.slice(start, start + rowsAtOnce).map(({ startMs, endpointId, counts }) => {
        return { endpointId, hour: new Date(startMs), ...counts };
      });
      await addHours(this.#db, rows).catch((error: unknown) => {
        for (const { startMs, endpointId, counts } of gains.slice(start))
          this.#keep(startMs, endpointId, counts);
        throw error;
      });
    }
  }

  /** Moves the counts of the current hour to the unwritten ones. */
  #end(): void {
    for (const [endpointId, counts] of this.#counting) this.#keep(this.#hourMs, endpointId, counts);
    this.#counting = new Map();
  }

  #keep(startMs: number, endpointId: string, counts: Counting): void {
    const ofHour = this.#unwritten.get(startMs) ?? new Map<string, Counting>();
    this.#unwritten.set(startMs, ofHour);
    const known = ofHour.get(endpointId);
    if (known === undefined) ofHour.set(endpointId, counts);
    else add(known, counts);
    for (const oldest of this.#unwritten.keys()) {
      if (this.#unwritten.size <= mostUnwritten) break;
      this.#unwritten.delete(oldest);
    }
  }

  async forget(): Promise<void> {
    await forgetHours(this.#db, new Date(this.#clock.now().getTime() - keptMs));
  }

  #of(endpointId: string): Counting {
    const startMs = this.#thisHourMs();
    if (startMs !== this.#hourMs) {
      this.#end();
      this.#hourMs = startMs;
    }
    const known = this.#counting.get(endpointId);
    if (known !== undefined) return known;
    const made = {
      matched: 0,
      delivered: 0,
      failed: 0,
      expired: 0,
      latency: Array.from({ length: latencyBins }, () => 0),
      unanswered: 0,
    };
    this.#counting.set(endpointId, made);
    return made;
  }

  #thisHourMs(): number {
    const nowMs = this.#clock.now().getTime();
    return nowMs - (nowMs % hourMs);
  }
}

function add(counting: Counting, more: Counting): void {
  for (const name of ["matched", "delivered", "failed", "expired", "unanswered"] as const)
    counting[name] += more[name];
  for (const [bin, count] of more.latency.entries())
    counting.latency[bin] = (counting.latency[bin] ?? 0) + count;
}
