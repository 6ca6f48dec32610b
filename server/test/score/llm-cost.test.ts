import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { MemoryLlmCache } from "../../src/score/llm-cache.ts";
import { article, completion, good, json, standIn } from "./llm-stand-in.ts";

test("the same artifact is asked for once: then the cache answers, and two at once share a call", async () => {
  await using at = await standIn(
    (response, got) => void delay(30).then(() => json(completion(good))(response, got)),
  );
  const [first, second] = await Promise.all([at.judge(), at.judge()]);
  const third = await at.judge();
  assert.equal(at.seen.length, 1);
  assert.deepEqual(first, second);
  assert.equal(third.verdict === null ? null : third.cached, true);
  assert.deepEqual(third.verdict, first.verdict);
});

test("calls over the cap wait for their turn, and beyond those that may wait they are not made", async () => {
  const release = Promise.withResolvers<void>();
  await using at = await standIn(
    (response, got) => void release.promise.then(() => json(completion(good))(response, got)),
    { concurrency: 2, waiting: 1 },
  );
  const asked = [1, 2, 3].map((n) => at.judge({ ...article, title: `Number ${n}` }));
  while (at.seen.length < 2) await delay(5);
  assert.equal((await at.judge({ ...article, title: "Number 4" })).reason, "too many calls at once");
  assert.equal(at.seen.length, 2);
  release.resolve();
  assert.deepEqual(
    (await Promise.all(asked)).map(({ reason }) => reason),
    [null, null, null],
  );
  assert.equal((await at.judge({ ...article, title: "Number 5" })).reason, null);
});

test("the tokens of a day are capped, what the server says counts, and midnight in UTC gives them back", async () => {
  let now = new Date("2026-03-02T23:00:00Z");
  const clock: Clock = { ...systemClock, now: () => now };
  await using at = await standIn(json(completion(good)), { clock, tokensPerDay: 4_000 });
  assert.equal((await at.judge()).reason, null);
  assert.equal(at.scorer.tokensToday, 1_200);
  assert.equal((await at.judge({ ...article, title: "Second" })).reason, null);
  assert.equal((await at.judge({ ...article, title: "Third" })).reason, "the tokens of today are used up");
  assert.equal((await at.judge()).reason, null, "the cache costs nothing");
  now = new Date("2026-03-03T00:00:01Z");
  assert.equal((await at.judge({ ...article, title: "Third" })).reason, null);
});

test("a server that claims absurd tokens is not believed beyond what a call can cost", async () => {
  await using at = await standIn(json(completion(good, { usage: { total_tokens: 1e15 } })));
  await at.judge();
  assert.ok(at.scorer.tokensToday < 10_000, String(at.scorer.tokensToday));
});

test("a caller that leaves is answered at once; the answer still reaches the cache", async () => {
  const release = Promise.withResolvers<void>();
  await using at = await standIn(
    (response, got) => void release.promise.then(() => json(completion(good))(response, got)),
  );
  const caller = new AbortController();
  const left = at.judge(article, caller.signal);
  while (at.seen.length < 1) await delay(5);
  caller.abort();
  assert.equal((await left).reason, "the caller left");
  release.resolve();
  assert.equal((await at.judge()).reason, null);
  assert.equal(at.seen.length, 1);
});

test("a cache that fails, or holds what is no answer, is passed over", async () => {
  const broken = {
    get: () => Promise.reject(new Error("away")),
    set: () => Promise.reject(new Error("away")),
  };
  await using at = await standIn(json(completion(good)), { cache: broken });
  assert.equal((await at.judge()).reason, null);
  await using other = await standIn(json(completion(good)), {
    cache: { get: () => Promise.resolve('{"actionability": 3}'), set: () => Promise.resolve() },
  });
  assert.equal((await other.judge()).reason, null);
  assert.equal(other.seen.length, 1);
});

test("the cache forgets what was not asked for the longest, by number and by size", async () => {
  const cache = new MemoryLlmCache({ entries: 2, characters: 10 });
  await cache.set("a", "1111");
  await cache.set("b", "2222");
  assert.equal(await cache.get("a"), "1111");
  await cache.set("c", "3333");
  assert.deepEqual(
    [await cache.get("a"), await cache.get("b"), await cache.get("c")],
    ["1111", null, "3333"],
  );
  await cache.set("d", "44444444");
  assert.deepEqual([cache.size, await cache.get("d")], [1, "44444444"]);
  await cache.set("e", "5".repeat(11));
  assert.equal(await cache.get("e"), null);
});
