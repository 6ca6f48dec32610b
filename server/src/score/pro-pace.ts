import type { Artifact } from "@tapewire/scoring/types.ts";

/** A text of the pool: waiting until it begins, then judged. */
export interface Paced {
  readonly owner: string | null;
  readonly work: number;
}

/** What was learnt is half forgotten after this time, so that one slow minute does not decide the next. */
const halfLifeMs = 5_000;
/** Weight of one verdict among those before. */
const weightOfOne = 0.2;
/** A thread that stood still, as on a machine that slept, says nothing about the next text. */
const mostSlowness = 20;

/** The encoder reads the text once, and once for each of several companies. */
const mostReadings = 5;
const mostTokens = 96;
const charactersPerToken = 4.4;
/** Begin, end and the name of a company. */
const tokensAround = 6;
/** Measured: for any text, for a token in a reading, and for a thousand characters that the rules read. */
const costsMs = { text: 4, token: 0.45, thousand: 0.17 } as const;

/** What a text costs, in ms of an idle core; a pool learns how much slower its own are. */
export function workOf(
  { title, body }: Pick<Artifact, "title" | "body">,
  symbols: readonly unknown[],
): number {
  const characters = title.length + body.length;
  const tokens = Math.min(mostTokens, tokensAround + characters / charactersPerToken);
  const readings = symbols.length <= 1 ? 1 : Math.min(mostReadings, 1 + symbols.length);
  return costsMs.text + costsMs.token * tokens * readings + (costsMs.thousand * characters) / 1_000;
}

/** Tells how long a text would take in a pool whose owners take turns, by what it has to do and how long texts took lately. */
export class ProPace {
  readonly #waiting = new Map<string | null, Set<Paced>>();
  readonly #running = new Map<Paced, number>();
  readonly #now: () => number;
  /** Time of recent texts, in multiples of their work. */
  #slowness = 1;
  #learntAtMs: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#learntAtMs = now();
  }

  enter(owner: string | null, work: number): Paced {
    const text = { owner, work };
    const line = this.#waiting.get(owner);
    if (line === undefined) this.#waiting.set(owner, new Set([text]));
    else line.add(text);
    return text;
  }

  begin(text: Paced): void {
    this.#stepOut(text);
    this.#running.set(text, this.#now());
  }

  /** The text has its verdict. */
  answered(text: Paced): void {
    const beganAtMs = this.#running.get(text);
    if (beganAtMs === undefined) return;
    const took = Math.min(mostSlowness, (this.#now() - beganAtMs) / text.work);
    this.#slowness = (1 - weightOfOne) * this.#current() + weightOfOne * took;
    this.#learntAtMs = this.#now();
  }

  /** The text is gone, with a verdict or without. */
  leave(text: Paced): void {
    this.#running.delete(text);
    this.#stepOut(text);
  }

  /** From now until the verdict on one more text of the owner's, ms. @param threads that are ready, at least 1 */
  expectedMs(owner: string | null, work: number, threads: number): number {
    const slowness = this.#current();
    const isFree = this.#running.size < threads && this.#waiting.size === 0;
    const before = isFree ? 0 : (this.#leftToRun(slowness) + slowness * this.#workBefore(owner)) / threads;
    return before + slowness * work;
  }

  #current(): number {
    const age = this.#now() - this.#learntAtMs;
    return 1 + (this.#slowness - 1) * 0.5 ** (age / halfLifeMs);
  }

  #leftToRun(slowness: number): number {
    const now = this.#now();
    return [...this.#running].reduce(
      (sum, [{ work }, at]) => sum + Math.max(0, slowness * work - (now - at)),
      0,
    );
  }

  /** Each text of the owner's lets one of every other owner pass. */
  #workBefore(owner: string | null): number {
    const turns = (this.#waiting.get(owner)?.size ?? 0) + 1;
    let sum = 0;
    for (const [other, line] of this.#waiting)
      for (const { work } of [...line].slice(0, other === owner ? line.size : turns)) sum += work;
    return sum;
  }

  #stepOut(text: Paced): void {
    const line = this.#waiting.get(text.owner);
    line?.delete(text);
    if (line?.size === 0) this.#waiting.delete(text.owner);
  }
}
