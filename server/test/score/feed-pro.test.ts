import assert from "node:assert/strict";
import { test } from "node:test";
import type { Worker } from "node:worker_threads";
import { flash } from "@tapewire/scoring/flash/flash.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { ingest } from "../../src/ingest/pipeline/pipeline.ts";
import { FeedPro, feedOutcomes } from "../../src/score/feed/feed-pro.ts";
import { ProPool } from "../../src/score/pro-pool.ts";
import { anyEngine, testDb } from "../support/db.ts";
import { pollingOf, startAnswer } from "../support/polls.ts";
import { rawItem } from "../support/raw-items.ts";

/** A busy machine must not decide what these tests see. */
const longMs = 60_000;
const longBody = "Revenue rose 12% to $5.2 billion from $4.6 billion a year earlier. ".repeat(2_900);

function startFeed(waitMs = longMs) {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on("worker", note);
  const pool = new ProPool({ threads: 1 });
  const counts = Object.fromEntries(feedOutcomes.map((outcome) => [outcome, 0]));
  const waits: number[] = [];
  const watch = {
    ended: (outcome: string) => {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    },
    waited: (seconds: number) => void waits.push(seconds),
  };
  const feed = new FeedPro({ pool, waitMs, watch });
  return {
    ...{ feed, pool, counts, waits, watch },
    crash: () => workers.at(-1)?.terminate(),
    [Symbol.asyncDispose]: async () => {
      process.off("worker", note);
      await pool[Symbol.asyncDispose]();
    },
  };
}

function taskOf(title: string, over: Partial<Artifact> = {}) {
  const about = { type: "news", body: "", publishedAt: new Date(0), filing: null, categories: [] } as const;
  const artifact: Artifact = { ...about, title, ...over };
  return { artifact, symbols: [], flashVerdict: flash(artifact, []) };
}

test("flash stands until a thread is ready, and whenever it ends, which costs its answer and no other", async () => {
  await using at = startFeed();
  const { feed, pool, counts } = at;
  assert.equal(feed.ask(taskOf("Halvorn raises its outlook")), null);
  await pool.warm();
  assert.equal((await feed.ask(taskOf("Halvorn raises its outlook")))?.model, "pro");
  const lost = feed.ask(taskOf("Halvorn reports", { body: longBody }));
  await at.crash();
  assert.equal(await lost, null);
  assert.equal(feed.ask(taskOf("Halvorn cuts its outlook")), null, "its successor is not there yet");
  await pool.warm();
  assert.equal((await feed.ask(taskOf("Halvorn cuts its outlook")))?.model, "pro");
  await at.crash();
  assert.equal(pool.ready, 0, "one that ended between two texts is not asked either");
  assert.deepEqual(counts, { answered: 2, busy: 0, starting: 2, late: 0, failed: 1 });
});

test("an answer that comes late is not waited for, and one that would is not asked for", async () => {
  await using at = startFeed(1);
  const { feed, pool, counts, waits } = at;
  await pool.warm();
  const task = taskOf("Halvorn reports", { body: longBody });
  assert.equal(feed.ask(task), null);
  // As if the text were read more slowly than others of its length.
  pool.expectedMs = () => 0;
  assert.equal(await feed.ask(task), null);
  assert.equal(pool.ready, 1, "the thread goes on");
  assert.deepEqual(counts, { answered: 0, busy: 1, starting: 0, late: 1, failed: 0 });
  assert.equal(waits.length, 1);
});

test("news gives way to documents, and a bulk is asked about as far as it is answered in time", async () => {
  await using at = startFeed(200);
  const { feed, pool, counts } = at;
  await pool.warm();
  const answers = Array.from({ length: 500 }, (_, n) => feed.ask(taskOf(`Halvorn wins order ${n}`)));
  const asked = answers.filter((answer) => answer !== null).length;
  assert.ok(asked > 0 && asked < 100, `${asked} of 500`);
  assert.equal(answers.at(-1), null);
  const filing = feed.ask(
    taskOf("Halvorn reports", { type: "filing", body: "Revenue rose 12% to $5.2 billion." }),
  );
  assert.notEqual(filing, null, "it waits for one text of news at most");
  await feed.inOrder([...answers, filing]);
  assert.equal(counts.busy, 500 - asked);
});

test("batches leave in the order in which they came, whatever pro takes for them", async () => {
  await using at = startFeed();
  const { feed, pool } = at;
  await pool.warm();
  const left: string[] = [];
  const leave = async (name: string, answers: Parameters<FeedPro["inOrder"]>[0]) => {
    const verdicts = await feed.inOrder(answers);
    left.push(name);
    return verdicts.map((verdict) => verdict?.model ?? null);
  };
  const long = feed.ask(taskOf("Halvorn reports", { body: longBody }));
  const found = await Promise.all([
    leave("first", [long, null]),
    leave("second", [null]),
    leave("third", [feed.ask(taskOf("Halvorn wins")), null, feed.ask(taskOf("Halvorn loses"))]),
  ]);
  assert.deepEqual(found, [["pro", null], [null], ["pro", null, "pro"]]);
  assert.deepEqual(left, ["first", "second", "third"]);
});

test("what a first walk finds is scored by flash; what is new later, and the text of a document, by pro", async () => {
  await using db = await testDb(anyEngine);
  await using answer = await startAnswer();
  await using at = startFeed();
  await at.pool.warm();
  const source = { id: "wire", name: "wire", provider: "wire", format: "feed" as const, url: answer.url };
  await using polling = pollingOf(db, [source], "2026-03-02T14:30:00Z", at.feed);
  const titles = ["Halvorn opens a plant", "Halvorn closes a plant", "Halvorn sells a plant"];
  const listing = (some: readonly string[]) =>
    `<rss version="2.0"><channel><title>t</title>${some
      .map((title) => `<item><title>${title}</title><guid>${title}</guid></item>`)
      .join("")}</channel></rss>`;
  answer.state.body = listing(titles.slice(0, 2));
  await polling.poll("wire");
  answer.state.body = listing(titles);
  await polling.poll("wire");
  const [old] = await polling.log();
  const seenAt = new Date("2026-03-02T14:31:00Z");
  const listed = rawItem({
    source: "wire",
    type: "news",
    identity: ["x:1"],
    title: "Halvorn reports",
    seenAt,
  });
  const first = { sourceId: "wire", backfill: true };
  await ingest(polling.deps, [listed], first);
  const whole = { ...listed, body: "Halvorn expects to lose money this year." };
  const [read] = await ingest(polling.deps, [whole], { ...first, completes: listed });
  assert.equal(read?.status, "revised");
  assert.deepEqual(
    (await polling.log()).map(({ title, scoring }) => [title, scoring.model]),
    [
      [old?.title, "flash"],
      [titles[old?.title === titles[0] ? 1 : 0], "flash"],
      [titles[2], "pro"],
      ["Halvorn reports", "flash"],
      ["Halvorn reports", "pro"],
    ],
  );
});

test("a copy that waits while its story enters the log repeats that, whoever scores it", async () => {
  await using db = await testDb(anyEngine);
  await using at = startFeed();
  const { feed, pool, watch } = at;
  await pool.warm();
  await using polling = pollingOf(db, [], "2026-03-02T14:30:00Z", feed);
  const title = "Halvorn Biotech sells its plant in Sundhaven to Velmark Energy for $40 million";
  const told = (source: string) =>
    rawItem({
      source,
      type: "news",
      identity: [`${source}:1`],
      title,
      seenAt: new Date("2026-03-02T14:30:00Z"),
    });
  const options = { sourceId: null, backfill: false };
  const first = ingest(polling.deps, [told("wire")], options);
  const whenItIsIn = new (class extends FeedPro {
    override async inOrder(...asked: Parameters<FeedPro["inOrder"]>) {
      await first;
      return await super.inOrder(...asked);
    }
  })({ pool, waitMs: longMs, watch });
  await Promise.all([first, ingest({ ...polling.deps, pro: whenItIsIn }, [told("other")], options)]);
  const [one, two] = await polling.log();
  assert.equal(two?.copy_of, one?.id);
  assert.match(two?.scoring.actionability_comment ?? "", /^Repeats a story told /);
  assert.deepEqual([one?.scoring.model, two?.scoring.model], ["pro", "pro"]);
});
