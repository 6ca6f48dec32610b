import assert from "node:assert/strict";
import { test } from "node:test";
import { noveltyOf, withNovelty } from "../src/novelty.ts";

const hours = (n: number) => n * 3_600_000;
const verdict = (score: number, novelty = 50) => ({
  actionability: { actionable: score >= 45, score, comment: 'Kind of event: guidance up; "raises"' },
  subScores: {
    actionability: { novelty, materiality: 1, clarity: 1, urgency: 1, credibility: 1, breadth: 1 },
    sentiment: null,
  },
});

test("novelty is 100 for what is new, falls with what is known of its symbols, and is least for a fresh repeat", () => {
  const table = [
    [{ repeatsMs: null, onSymbols: 0 }, 100],
    [{ repeatsMs: null, onSymbols: 5 }, 90],
    [{ repeatsMs: null, onSymbols: 500 }, 70],
    [{ repeatsMs: 0, onSymbols: 0 }, 10],
    [{ repeatsMs: hours(24), onSymbols: 3 }, 30],
    [{ repeatsMs: hours(480), onSymbols: 0 }, 50],
  ] as const;
  for (const [recall, novelty] of table) assert.equal(noveltyOf(recall), novelty);
});

test("a repeat loses its score and says so; what is new keeps it", () => {
  const fresh = withNovelty(verdict(80), { repeatsMs: null, onSymbols: 0 });
  assert.deepEqual([fresh.actionability.score, fresh.subScores.actionability.novelty], [80, 100]);
  const again = withNovelty(verdict(80), { repeatsMs: hours(3), onSymbols: 1 });
  assert.deepEqual([again.actionability.actionable, again.subScores.actionability.novelty], [false, 13]);
  assert.match(again.actionability.comment, /^Repeats a story told 3 h ago; Kind of event/);
});

test("the report of a move is not new, whoever tells it first", () => {
  assert.equal(
    withNovelty(verdict(10, 20), { repeatsMs: null, onSymbols: 0 }).subScores.actionability.novelty,
    20,
  );
});
