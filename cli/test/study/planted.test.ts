import assert from "node:assert/strict";
import { test } from "node:test";
import { Observer } from "../../src/study/observations.ts";
import { type HorizonReport, reportOf } from "../../src/study/report.ts";
import type { Estimate } from "../../src/study/statistics.ts";
import { indexName, makeWorld, plain, type World, type WorldOptions } from "./world.ts";

function studied({ entries, prices }: World): HorizonReport {
  const index = prices.find(indexName);
  const observer = new Observer({ prices, index, horizonsMs: [86_400_000 / 2], copies: false, late: false });
  for (const entry of entries) observer.take(entry);
  const [horizon] = reportOf(observer, { horizons: ["12h"], abnormalFrom: 2, index: indexName }).horizons;
  assert.ok(horizon !== undefined);
  return horizon;
}

/** Phi, by the series of Marsaglia 2004. */
function normalShare(x: number): number {
  let sum = x;
  let term = x;
  for (let n = 3; Math.abs(term) > 1e-16; n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-(x * x) / 2 - Math.log(2 * Math.PI) / 2);
}

/** Of an actionable item the day's own return is N(effect, noise) in the true direction; of the others N(0, noise). */
function truths({ rightShare, effect, noise }: WorldOptions) {
  const right = rightShare * normalShare(effect / noise) + (1 - rightShare) * normalShare(-effect / noise);
  return {
    hitOfActionable: right,
    hit: (right + 0.5) / 2,
    mean: ((2 * rightShare - 1) * effect) / 2,
  };
}

const covers = (estimate: Estimate | null | undefined, truth: number) =>
  estimate?.low != null && estimate.high != null && estimate.low <= truth && truth <= estimate.high;

test("95 % intervals hold what was planted in 95 of 100 worlds", () => {
  const truth = truths(plain);
  // The area depends on the estimated usual moves too: what a world a hundred times as large has is taken for it.
  const wide = studied(makeWorld({ ...plain, seed: 99_991, symbols: 1_200 }));
  const covered = { hit: 0, mean: 0, auc: 0, abnormal: 0 };
  const worlds = 100;
  for (let seed = 1; seed <= worlds; seed += 1) {
    const { hit_rate, mean_move, auc, abnormal } = studied(makeWorld({ ...plain, seed }));
    covered.hit += Number(covers(hit_rate, truth.hit));
    covered.mean += Number(covers(mean_move, truth.mean));
    covered.auc += Number(covers(auc, wide.auc?.value ?? 0));
    covered.abnormal += Number(covers(abnormal, wide.abnormal?.value ?? 0));
  }
  // Of 100 true intervals of 95 %, fewer than 89 hold their value once in 100 times.
  for (const [name, count] of Object.entries(covered))
    assert.ok(count >= 89, `${name}: ${count} of ${worlds}`);
});

test("a large world gives the planted values", () => {
  const { hit_rate, mean_move, auc, by } = studied(makeWorld({ ...plain, seed: 7, symbols: 600 }));
  const truth = truths(plain);
  assert.ok(Math.abs((hit_rate?.value ?? 0) - truth.hit) < 0.01, `${hit_rate?.value} ${truth.hit}`);
  assert.ok(Math.abs((mean_move?.value ?? 0) - truth.mean) < 0.0005, `${mean_move?.value} ${truth.mean}`);
  assert.ok((auc?.value ?? 0) > 0.6, `${auc?.value}`);
  const actionable = by.event.find(({ key }) => key === "guidance");
  assert.ok(Math.abs((actionable?.hit_rate?.value ?? 0) - truth.hitOfActionable) < 0.01);
});

test("scores that know nothing measure as nothing", () => {
  const { hit_rate, mean_move } = studied(makeWorld({ ...plain, rightShare: 0.5, seed: 3, symbols: 200 }));
  assert.ok(Math.abs((hit_rate?.value ?? 0) - 0.5) < 0.02);
  assert.ok(Math.abs(mean_move?.value ?? 1) < 0.001);
});

test("what moves the whole market is no abnormal move", () => {
  const calm = studied(makeWorld({ ...plain, seed: 5, symbols: 100 }));
  const wild = studied(makeWorld({ ...plain, seed: 5, symbols: 100, marketNoise: 0.03 }));
  assert.ok(Math.abs((calm.mean_move?.value ?? 0) - (wild.mean_move?.value ?? 1)) < 0.001);
});
