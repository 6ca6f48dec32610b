import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connect } from "@nats-io/transport-node";
import { processList } from "@tapewire/contract/operator/process-stats.ts";
import { verdict } from "@tapewire/contract/score.ts";
import { z } from "zod";
import type { Config } from "../../src/config/config.ts";
import { createLog, type Log } from "../../src/runtime/log.ts";
import { createDatabase, postgresUrl } from "../support/db.ts";
import { parseExposition } from "../support/exposition.ts";
import { type NatsServer, noNats, startNats } from "../support/nats.ts";
import { tinyModel } from "../support/own-model.ts";
import { spawnService } from "../support/process.ts";
import { until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";

const skip = noNats || (postgresUrl === null && "no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432");

const health = z.object({
  roles: z.array(z.string()),
  score: z.object({ queue: z.int(), verdicts_per_minute: z.int(), scorers: z.int().nullable() }),
});

async function scoreHealth(service: Pick<Service, "get">) {
  return health.parse(await (await service.get("/readyz")).json());
}

async function scorersOf(service: Pick<Service, "get">): Promise<number | null> {
  return (await scoreHealth(service)).score.scorers;
}

/** The values of a metric by its label `outcome` or `model`. */
async function counts(service: Service, name: string): Promise<Record<string, number>> {
  const families = parseExposition(await (await service.admin("GET", "/metrics")).text());
  const samples = [...(families.get(name)?.samples ?? [])];
  return Object.fromEntries(samples.map(([line, value]) => [/="([^"]*)"/.exec(line)?.[1] ?? "", value]));
}

const texts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    type: "research",
    title: `Orbitex Robotics (NASDAQ: AAPL) raises full-year guidance, edition ${n}`,
    // Short: a verdict takes five times as long with sentences to read in context.
    body: `Edition ${n}.`,
    published_at: "2026-03-02T14:30:00.25Z",
  }));

/** What is said about a text, without when and for whom. */
async function said({ url }: { url: string }, key: string, artifact: object) {
  const answer = await fetch(`${url}/v1/score`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ artifact, options: { include_detailed_analysis: true } }),
  });
  const { created_at: _, timing_ms: __, usage: ___, ...rest } = verdict.parse(await answer.json());
  return rest;
}

describe("the role score", { skip }, () => {
  const stack = new AsyncDisposableStack();
  const made: { nats?: NatsServer; shared?: Partial<Config>; api?: Service; scorers: Service[] } = {
    scorers: [],
  };
  const lines: string[] = [];
  const parts = () => {
    const { nats, shared, api, scorers } = made;
    assert.ok(nats !== undefined && shared !== undefined && api !== undefined);
    return { nats, shared, api, scorers };
  };
  before(async () => {
    const nats = stack.use(await startNats());
    const database = stack.use(await createDatabase());
    const shared: Partial<Config> = { databaseUrl: database.url, natsUrl: nats.url };
    const log = createLog("warn", { format: "json", out: { write: (line) => lines.push(line) } });
    const start = async (config: Partial<Config> & { log?: Log }) =>
      stack.use(await startService("postgres", { ...shared, ...config }));
    const api = await start({ roles: ["api"], scoreDeadlineMs: 60_000, scoreThreads: 1 });
    const scorers = [];
    for (const more of [{}, { proModel: tinyModel, log }])
      scorers.push(await start({ roles: ["score"], scoreThreads: 1, ...more }));
    Object.assign(made, { nats, shared, api, scorers });
    await until(async () => (await scorersOf(api)) === 2, "two scorers");
  });
  after(() => stack.disposeAsync());

  test("a scorer has a thread before it is asked", async () => {
    for (const scorer of parts().scorers)
      await until(async () => {
        const text = await (await scorer.admin("GET", "/metrics")).text();
        return /^tapewire_pro_threads 1$/m.test(text);
      }, "its thread");
  });

  test("a scorer that is given a classifier says that it does not judge by it", () => {
    assert.equal(lines.filter((line) => line.includes("TAPEWIRE_PRO_MODEL has no effect here")).length, 1);
  });

  test("two scorers share the texts of a process, and say what the process itself would say", async () => {
    const { api, scorers, shared } = parts();
    const { key } = await api.key("enterprise");
    const asked = await Promise.all(texts(12).map((text) => said(api, key, text)));
    assert.deepEqual(
      asked.map(({ model }) => model),
      asked.map(() => "pro"),
    );
    const each = await Promise.all(scorers.map((one) => counts(one, "tapewire_scorer_answers_total")));
    assert.equal((await counts(api, "tapewire_scorer_questions_total")).answered, 12);
    assert.equal(
      each.reduce((sum, { answered = 0 }) => sum + answered, 0),
      12,
    );
    assert.ok(each.every(({ answered = 0 }) => answered > 0));
    await using alone = await startService("postgres", {
      ...{ ...shared, natsUrl: null },
      ...{ roles: ["api"], scoreThreads: 1 },
    });
    assert.deepEqual(await Promise.all(texts(12).map((text) => said(alone, key, text))), asked);
  });

  test("health and the list of processes say how far a scorer is", async () => {
    const { api, scorers } = parts();
    // Both answer, however long ago they did in the test before.
    const { key } = await api.key("enterprise");
    await Promise.all(texts(6).map((text) => said(api, key, text)));
    const health = await Promise.all(scorers.map((one) => scoreHealth(one)));
    for (const { roles, score } of health)
      assert.deepEqual([roles, score.queue, score.scorers], [["score"], 0, null]);
    assert.ok(health.some(({ score }) => score.verdicts_per_minute > 0));
    await until(
      async () => {
        // On a busy machine the minute of those above is over before the list has it.
        await Promise.all(texts(2).map((text) => said(api, key, text)));
        const { data } = processList.parse(await (await api.admin("GET", "/admin/v1/processes")).json());
        const shown = data.filter((one) => one.roles.includes("score"));
        return shown.reduce((sum, one) => sum + one.verdicts_per_minute, 0) > 0;
      },
      "verdicts of scorers in the list of processes",
      60_000,
    );
  });

  test("what is not sealed by the installation is not believed", async () => {
    const { api, nats } = parts();
    const outsider = await connect({ servers: nats.url.replace("nats://", "") });
    const heard: { subject: string; data: Uint8Array }[] = [];
    outsider.subscribe("tapewire.*.calls.told", { callback: (_, message) => void heard.push(message) });
    await until(() => heard.length > 0, "an offer, which shows the subject");
    const [offer] = heard;
    const subject = offer?.subject ?? "";
    const body = Buffer.from(offer?.data ?? [])
      .subarray(16)
      .toString();
    const forged = body.replace(/"scorer":"[^"]*"/, '"scorer":"11111111-1111-4111-8111-111111111111"');
    for (const data of [forged, `${"0".repeat(16)}${forged}`]) outsider.publish(subject, data);
    await outsider.flush();
    // An offer that is sealed comes over the same way, later.
    const before = heard.length;
    await until(() => heard.length > before + 1, "the next offers");
    assert.equal(await scorersOf(api), 2);
    await outsider.close();
  });

  test("while NATS is away the process judges by itself, and then asks again", async () => {
    const { api, nats } = parts();
    const { key } = await api.key("enterprise");
    const before = await counts(api, "tapewire_scorer_questions_total");
    await nats.kill();
    const judged = await Promise.all(texts(6).map((text) => said(api, key, text)));
    assert.deepEqual(
      judged.map(({ model }) => model),
      judged.map(() => "pro"),
    );
    assert.equal((await counts(api, "tapewire_scorer_questions_total")).answered, before.answered);
    await nats.restart();
    await until(async () => (await scorersOf(api)) === 2, "two scorers again");
    await said(api, key, texts(1)[0] ?? {});
    assert.equal((await counts(api, "tapewire_scorer_questions_total")).answered, (before.answered ?? 0) + 1);
  });
});

test("scorers that are killed and that stand still under load cost no verdict, and each is asked once too often", {
  skip,
}, async () => {
  await using nats = await startNats();
  await using database = await createDatabase();
  const env = { DATABASE_URL: database.url, NATS_URL: nats.url, TAPEWIRE_ROLES: "score" };
  await using api = await startService("postgres", {
    ...{ databaseUrl: database.url, natsUrl: nats.url },
    ...{ roles: ["api"], scoreDeadlineMs: 1_500, scoreThreads: 1 },
  });
  const start = () => spawnService({ ...env, TAPEWIRE_SCORE_THREADS: "1" });
  await using killed = await start();
  await using still = await start();
  await until(async () => (await scorersOf(api)) === 2, "two scorers");
  const { key } = await api.key("enterprise");
  const waiting = texts(400);
  const models: string[] = [];
  let enough = Number.POSITIVE_INFINITY;
  const caller = async () => {
    for (let next = waiting.shift(); next !== undefined && models.length < enough; next = waiting.shift())
      models.push((await said(api, key, next)).model);
  };
  const callers = Promise.all(Array.from({ length: 4 }, caller));
  await until(() => models.length >= 10, "some verdicts");
  // On a busy machine an answer may be late without a fault, and who is late is not asked until it offers itself again.
  let earlier: Record<string, number>;
  do earlier = await counts(api, "tapewire_scorer_questions_total");
  while ((await scorersOf(api)) !== 2);
  const ended = killed.end("SIGKILL");
  still.child.kill("SIGSTOP");
  enough = models.length + 30;
  await callers;
  await ended;
  assert.ok(models.length >= enough && models.every((model) => model === "pro"));
  assert.deepEqual(await counts(api, "tapewire_score_stand_ins_total"), { pro: 0, flash: 0 });
  const { late: allLate = 0, gone = 0, away } = await counts(api, "tapewire_scorer_questions_total");
  const late = allLate - (earlier.late ?? 0);
  // No more than the callers had under way when it happened.
  assert.ok(late + gone >= 1 && late <= 8 && gone <= 4 && away === 0, `${late} late, ${gone} gone`);
  assert.equal(await scorersOf(api), 0);
  still.child.kill("SIGCONT");
  await until(async () => (await scorersOf(api)) === 1, "it offers itself again");
});
