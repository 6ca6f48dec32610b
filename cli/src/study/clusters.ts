/** Which moves an interval counts as one. */
import type { Move } from "./moves.ts";
import type { Observation } from "./observations.ts";
import type { Series } from "./prices.ts";

/** An observation whose prices reach the horizon. */
export interface Moved {
  readonly one: Observation;
  readonly abnormal: number;
  readonly size: number | null;
  readonly cluster: number;
}

const dayMs = 86_400_000;
/** Blocks that touch share the moves across their border: the longer they are, the smaller is that part of them. */
const leastSpans = 3;

/**
 * A move spans the time from the last price before its item to the first after the horizon. Moves of one symbol whose spans
 * overlap share prices, so they are one cluster, and so are those whose items came on one UTC day. Where daily news chains all
 * of them into one, the chain is cut into equal blocks, each at least as long as three of its longest spans: a few long blocks
 * of a series that depends on its neighbours, with Student's t, give intervals that hold.
 * Source: Bester, Conley and Hansen 2011, "Inference with dependent data using cluster covariance estimators".
 * @param horizon its place among the moves of an observation
 * @returns those of a cluster beside one another, as estimates want them
 */
export function clustered(observations: readonly Observation[], horizon: number): Moved[] {
  const made: Moved[] = [];
  let clusters = 0;
  for (const [series, some] of Map.groupBy(observations, (one) => one.series))
    for (const chain of chainsOf(some, horizon)) {
      const { blocks, blockOf } = blocksOf(chain, series);
      for (const { one, move } of chain)
        made.push({ one, abnormal: move.abnormal, size: move.size, cluster: clusters + blockOf(move) });
      clusters += blocks;
    }
  return made;
}

interface Reached {
  readonly one: Observation;
  readonly move: Move;
}

/** @param some of one symbol */
function* chainsOf(some: readonly Observation[], horizon: number): Generator<Reached[]> {
  let chain: Reached[] = [];
  let end = 0;
  let day = 0;
  for (const one of some.toSorted((a, b) => a.atMs - b.atMs)) {
    const move = one.moves[horizon];
    if (move == null) continue;
    const itsDay = Math.floor(one.atMs / dayMs);
    if (chain.length > 0 && move.base >= end && itsDay !== day) {
      yield chain;
      chain = [];
    }
    chain.push({ one, move });
    end = Math.max(end, move.end);
    day = itsDay;
  }
  if (chain.length > 0) yield chain;
}

/** Cuts a chain, from its first price to its last. No block is shorter than three days, however short the spans are. */
function blocksOf(chain: readonly Reached[], { times }: Series) {
  const timeAt = (place: number) => times[place] ?? 0;
  const startMs = timeAt(chain[0]?.move.base ?? 0);
  let endMs = startMs;
  let longestMs = dayMs;
  for (const { move } of chain) {
    endMs = Math.max(endMs, timeAt(move.end));
    longestMs = Math.max(longestMs, timeAt(move.end) - timeAt(move.base));
  }
  const blocks = Math.max(1, Math.floor((endMs - startMs) / (leastSpans * longestMs)));
  const blockMs = (endMs - startMs) / blocks;
  return { blocks, blockOf: ({ base }: Move) => Math.floor((timeAt(base) - startMs) / blockMs) };
}
