import { latencyBin, latencyBins } from "../feed/latency-bins.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Queries } from "../store/db.ts";
import { addHours, forgetHours, type HourCounts } from "../store/webhook-hours.ts";

const hourMs = 3_600_000;
const rowsAtOnce = 1_000;
const keptMs = 8 * 24 * hourMs;

interface Counting extends HourCounts {
  matched: number;
  delivered: number;
  failed: number;
  expired: number;
  readonly latency: number[];
}
type Counted = Pick<Counting, "matched" | "delivered" | "failed" | "expired">;

/** Counts by the hour for people to look at: written every few seconds, so a crash forgets some seconds of them. */
export class Hours {
  /** Of all endpoints, since the start. */
  readonly totals: Counted = { matched: 0, delivered: 0, failed: 0, expired: 0 };
  readonly #db: Queries;
  readonly #clock: Clock;
  /** By endpoint, of the hour that began at #hourMs. */
  #counting = new Map<string, Counting>();
  #hourMs: number;
  /** Of hours that have ended and are not written yet. */
  #ended: { hourMs: number; counted: Map<string, Counting> }[] = [];

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

  attempted(endpointId: string, ms: number): void {
    const { latency } = this.#of(endpointId);
    const bin = latencyBin(ms);
    latency[bin] = (latency[bin] ?? 0) + 1;
  }

  /** Writes what was counted; what cannot be written is lost. */
  async write(): Promise<void> {
    const all = [...this.#ended, { hourMs: this.#hourMs, counted: this.#counting }];
    this.#ended = [];
    this.#counting = new Map();
    const gains = all.flatMap(({ hourMs: startMs, counted }) =>
      [...counted].map(([endpointId, counts]) => ({ endpointId, hour: new Date(startMs), ...counts })),
    );
    for (let start = 0; start < gains.length; start += rowsAtOnce)
      await addHours(this.#db, gains.slice(start, start + rowsAtOnce));
  }

  async forget(): Promise<void> {
    await forgetHours(this.#db, new Date(this.#clock.now().getTime() - keptMs));
  }

  #of(endpointId: string): Counting {
    const startMs = this.#thisHourMs();
    if (startMs !== this.#hourMs) {
      this.#ended.push({ hourMs: this.#hourMs, counted: this.#counting });
      this.#counting = new Map();
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
    };
    this.#counting.set(endpointId, made);
    return made;
  }

  #thisHourMs(): number {
    const nowMs = this.#clock.now().getTime();
    return nowMs - (nowMs % hourMs);
  }
}
