import type { FeedItem } from "./item.ts";

const minuteMs = 60_000;
/** Minutes held while nobody takes them: the database may be away. */
const mostMinutes = 5;
/** Sources told apart in a minute; the rest are counted together. */
const mostSources = 20;
/** Bins of an octave: a quantile is right to within a tenth. */
const binsPerOctave = 4;

/** What was published in a minute. */
export interface PublishedMinute {
  readonly items: number;
  readonly revisions: number;
  /** New items by source, most first; the name is empty for the rest. */
  readonly sources: Readonly<Record<string, number>>;
  /** Milliseconds; null: there was none. */
  readonly fromSource: Quantiles | null;
  readonly fromReceipt: Quantiles | null;
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

class Counting {
  items = 0;
  revisions = 0;
  readonly sources = new Map<string, number>();
  readonly fromSource = new Map<number, number>();
  readonly fromReceipt = new Map<number, number>();
}

/** Counts what this process publishes, by minute. */
export class PublishedMinutes {
  readonly #minutes = new Map<number, Counting>();

  /** @param latency milliseconds from the source's own time and from first sight; null: not measured */
  add(
    { revision, source }: Pick<FeedItem, "revision" | "source">,
    { atMs, latency }: { atMs: number; latency: { source: number | null; receipt: number | null } },
  ): void {
    const counting = this.#at(startOfMinute(atMs));
    if (revision > 0) {
      counting.revisions += 1;
      return;
    }
    counting.items += 1;
    counting.sources.set(source, (counting.sources.get(source) ?? 0) + 1);
    if (latency.source !== null) count(counting.fromSource, latency.source);
    if (latency.receipt !== null) count(counting.fromReceipt, latency.receipt);
  }

  /** The counts of the minute that begins at this time. */
  read(startMs: number): PublishedMinute {
    const { items, revisions, sources, fromSource, fromReceipt } =
      this.#minutes.get(startMs) ?? new Counting();
    const byCount = [...sources].sort(([, a], [, b]) => b - a);
    const rest = byCount.slice(mostSources).reduce((sum, [, of]) => sum + of, 0);
    return {
      items,
      revisions,
      sources: Object.fromEntries([...byCount.slice(0, mostSources), ...(rest > 0 ? [["", rest]] : [])]),
      fromSource: quantilesOf(fromSource),
      fromReceipt: quantilesOf(fromReceipt),
    };
  }

  #at(startMs: number): Counting {
    const known = this.#minutes.get(startMs);
    if (known !== undefined) return known;
    const made = new Counting();
    this.#minutes.set(startMs, made);
    for (const oldest of this.#minutes.keys()) {
      if (this.#minutes.size <= mostMinutes) break;
      this.#minutes.delete(oldest);
    }
    return made;
  }
}

export function startOfMinute(atMs: number): number {
  return atMs - (atMs % minuteMs);
}

function count(bins: Map<number, number>, ms: number): void {
  const bin = Math.round(Math.log2(Math.max(0, ms) + 1) * binsPerOctave);
  bins.set(bin, (bins.get(bin) ?? 0) + 1);
}

function quantilesOf(bins: ReadonlyMap<number, number>): Quantiles | null {
  const sorted = [...bins].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, of]) => sum + of, 0);
  if (total === 0) return null;
  const at = (share: number) => {
    let below = 0;
    for (const [bin, of] of sorted) {
      below += of;
      if (below >= share * total) return Math.round(2 ** (bin / binsPerOctave) - 1);
    }
    return 0;
  };
  return { p50: at(0.5), p99: at(0.99) };
}
