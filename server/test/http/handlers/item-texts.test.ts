import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rescoreResult } from "@tapewire/contract/admin.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { itemScores, itemText } from "@tapewire/contract/feed-reads/texts.ts";
import { type Evidence, type FeedItemDetail, feedItemDetail } from "@tapewire/contract/feeds.ts";
import { planTable } from "@tapewire/contract/plans.ts";
import { scoreUsage, type Verdict, verdict } from "@tapewire/contract/score.ts";
import { IdempotentCalls } from "../../../src/account/idempotent-calls.ts";
import { ScoreQuota } from "../../../src/account/score-quota.ts";
import { settings } from "../../../src/config/config.ts";
import { readConfigFile } from "../../../src/config/files.ts";
import { itemIdOf } from "../../../src/feed/item.ts";
import { scoreHandlers } from "../../../src/http/handlers/score.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { insertAccount } from "../../../src/store/accounts/accounts.ts";
import { History } from "../../../src/store/log/history.ts";
import { Browser } from "../../support/browser.ts";
import { onAnyEngine, testDb } from "../../support/db.ts";
import { startProcess } from "../../support/index-process.ts";
import { type Service, startService } from "../../support/service.ts";

const news = {
  title: "Orbitex Robotics 🦉 raises full-year guidance after record orders",
  body: "Caf\u00e9 sales aside, revenue rose 40% to $84 million 😀 and beat estimates.\n\nThe company expects more orders and warns of a lawsuit over its patents.",
  symbols: ["DEMO:OBTX"],
};

const evidenceOf = ({ analysis, events }: Pick<FeedItemDetail, "analysis" | "events">): Evidence[] => [
  ...analysis.flatMap((one) => one.evidence),
  ...events.flatMap((one) => one.evidence ?? []),
];

function sliced(text: string, found: readonly Evidence[]) {
  assert.ok(found.length > 0);
  for (const { text: quoted, start, end } of found) assert.equal(text.slice(start, end), quoted);
}

async function scoreItem(service: Service, key: string, id: string, body: unknown, headers = {}) {
  return fetch(`${service.url}/v1/feeds/${id}/score`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function refusal(response: Response) {
  const { code } = problem.parse(await response.json());
  return [response.status, code];
}

async function seeded(engine: "pglite" | "postgres") {
  const service = await startService(engine);
  const { key } = await service.key("pro");
  const [pushed] = await service.push(news);
  const id = pushed?.id ?? "";
  const read = async () => feedItemDetail.parse(await (await service.get(`/v1/feeds/${id}`, key)).json());
  return { service, key, id, read };
}

onAnyEngine("GET /v1/feeds/{id}/text", async (context, engine) => {
  const { service, key, id, read } = await seeded(engine);
  await using _ = service;
  const textOf = async (of: string, as = key) =>
    itemText.strict().parse(await (await service.get(`/v1/feeds/${of}/text`, as)).json());

  await context.test("evidence is the slice of title, newline and body at its offsets", async () => {
    const item = await read();
    const { title, body, base, language, seq } = await textOf(id);
    assert.deepEqual([title, base, language, seq], [item.title, "utf16", item.language, item.seq]);
    sliced(`${title}\n${body}`, evidenceOf(item));
    assert.ok(
      evidenceOf(item).some(({ start }) => start > title.length),
      "no evidence is behind the title",
    );
  });

  await context.test("a revision has its own text and seq", async () => {
    const named = { ...news, external_id: "revised", title: "Brandmoor files for bankruptcy" };
    const [first] = await service.push({ ...named, body: "Draft." });
    await service.push({ ...named, body: "Shares of Brandmoor plunge 60%." });
    const found = await textOf(first?.id ?? "");
    assert.equal(found.body, "Shares of Brandmoor plunge 60%.");
    const item = feedItemDetail.parse(await (await service.get(`/v1/feeds/${first?.id}`, key)).json());
    assert.deepEqual([found.seq, item.revision], [item.seq, 1]);
  });

  await context.test("is on every plan; an unknown id is 404, one that is no uuid 400", async () => {
    const { key: free } = await service.key("free");
    assert.equal((await textOf(id, free)).title, news.title);
    const unknown = "00000000-0000-4000-8000-000000000000";
    for (const path of ["text", "scores"]) {
      assert.deepEqual(await refusal(await service.get(`/v1/feeds/${unknown}/${path}`, key)), [
        404,
        "not_found",
      ]);
      assert.equal((await service.get(`/v1/feeds/17/${path}`, key)).status, 400);
      assert.equal((await service.get(`/v1/feeds/${id}/${path}`)).status, 401);
    }
  });
});

onAnyEngine("the text of a source that does not allow showing it", async (_, engine) => {
  await using first = await startService(engine);
  const sources = ["closed", "open"].map((name) => ({
    id: name,
    name,
    provider: name,
    format: "feed",
    url: `https://${name}.example/feed.xml`,
    enabled: false,
    show_text: name === "open",
  }));
  const sourcesFile = join(first.config.dataDir, "own-sources.json");
  writeFileSync(sourcesFile, JSON.stringify({ sources }));
  await using service = await startService(engine, { sourcesFile });
  const { key } = await service.key("pro");
  const pushed = await service.push(...["closed", "open", "pushed"].map((source) => ({ ...news, source })));
  const answers = await Promise.all(pushed.map(({ id }) => service.get(`/v1/feeds/${id}/text`, key)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 200, 200],
  );
  const [closed] = answers;
  assert.ok(closed !== undefined);
  assert.deepEqual(await refusal(closed), [403, "text_withheld"]);
  const scored = await scoreItem(service, key, pushed[0]?.id ?? "", {});
  assert.equal(scored.status, 200, "its quotes are shown all the same");
  const browser = new Browser(service.url);
  const { accounts } = await browser.signIn({ secret: service.adminToken });
  const tab = await browser.tabKey(accounts[0]?.id ?? "", "operator");
  const shown = await service.get(`/v1/feeds/${pushed[0]?.id}/text`, tab.key);
  assert.equal(shown.status, 200, "the operator sees every text");
});

onAnyEngine("GET /v1/feeds/{id}/scores", async (context, engine) => {
  const { service, key, id, read } = await seeded(engine);
  await using _ = service;
  const scores = async () =>
    itemScores.strict().parse(await (await service.get(`/v1/feeds/${id}/scores`, key)).json()).data;

  await context.test("has the score of the item, and those of later scoring, oldest first", async () => {
    const item = await read();
    const [first, ...others] = await scores();
    assert.deepEqual([first?.scoring, first?.sub_scores, others], [item.scoring, item.sub_scores, []]);
    assert.deepEqual([first?.model, first?.scored_at], ["flash", item.scoring.scored_at]);
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const again = await service.admin("POST", "/admin/v1/rescore", { since, model: "pro" });
    assert.equal(rescoreResult.parse(await again.json()).scored, 1);
    const found = await scores();
    assert.deepEqual(
      found.map(({ model }) => model),
      ["flash", "pro"],
    );
    assert.deepEqual(found[1]?.scoring, (await read()).scoring);
  });

  await context.test("a plan without scores gets 403", async () => {
    const { key: free } = await service.key("free");
    assert.deepEqual(await refusal(await service.get(`/v1/feeds/${id}/scores`, free)), [
      403,
      "plan_required",
    ]);
  });
});

onAnyEngine("POST /v1/feeds/{id}/score", async (context, engine) => {
  const { service, key, id, read } = await seeded(engine);
  await using _ = service;
  const scored = async (body: unknown): Promise<Verdict> => {
    const response = await scoreItem(service, key, id, body);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return verdict.strict().parse(JSON.parse(text));
  };
  const used = async () => (await scored({})).usage.used;

  await context.test("flash says what it said of the item, and nothing is stored", async () => {
    const item = await read();
    const found = await scored({ model: "flash" });
    const { actionability_score: score, sentiment_short: short, sentiment_conviction } = item.scoring;
    assert.deepEqual(
      [found.actionability.score, found.sentiment?.short_direction, found.sentiment?.conviction],
      [score, short, sentiment_conviction],
    );
    assert.deepEqual([found.model, found.event, found.usage.used], ["flash", item.event, 1]);
    assert.equal("detailed_analysis" in found, false);
    assert.deepEqual(await read(), item);
    const list = await service.get(`/v1/feeds/${id}/scores`, key);
    assert.equal(itemScores.parse(await list.json()).data.length, 1);
  });

  await context.test("pro with its analysis: every quote is a slice of the text", async () => {
    const found = await scored({ model: "pro", include_detailed_analysis: true });
    assert.equal(found.model, "pro");
    const { title, body } = itemText.parse(await (await service.get(`/v1/feeds/${id}/text`, key)).json());
    const { actionability, sentiment } = found.detailed_analysis ?? assert.fail("no analysis");
    const factors = [...actionability.factors, ...sentiment.factors].flatMap(({ evidence }) => evidence);
    sliced(`${title}\n${body}`, [...factors, ...found.symbols.flatMap(({ evidence }) => evidence)]);
  });

  await context.test("costs a unit; a call that is refused costs nothing", async () => {
    const before = await used();
    assert.equal((await scoreItem(service, key, id, { model: "gpt" })).status, 400);
    assert.equal((await scoreItem(service, key, id, [])).status, 400);
    const unknown = "00000000-0000-4000-8000-000000000000";
    assert.deepEqual(await refusal(await scoreItem(service, key, unknown, {})), [404, "not_found"]);
    assert.equal(await used(), before + 1);
  });

  await context.test(
    "with an Idempotency-Key a repeat gets the stored response and costs nothing",
    async () => {
      const once = { "idempotency-key": "one" };
      const first = await (await scoreItem(service, key, id, { model: "flash" }, once)).text();
      assert.equal(await (await scoreItem(service, key, id, { model: "flash" }, once)).text(), first);
      const { usage } = verdict.parse(JSON.parse(first));
      assert.equal(await used(), scoreUsage.parse(usage).used + 1);
      const other = await scoreItem(service, key, id, { model: "pro" }, once);
      assert.deepEqual(await refusal(other), [409, "idempotency_conflict"]);
    },
  );

  await context.test("plans without scoring get 403, as at /v1/score", async () => {
    for (const plan of ["free", "starter"] as const) {
      const { key: other } = await service.key(plan);
      assert.deepEqual(await refusal(await scoreItem(service, other, id, {})), [403, "plan_required"]);
    }
  });
});

onAnyEngine("POST /v1/feeds/{id}/score that fails", async (_, engine) => {
  await using db = await testDb(engine);
  await using log = await startProcess(db);
  await log.append([{ uniqueId: "guid:broken" }]);
  const plans = readConfigFile(settings.plansFile.fallback, planTable);
  const ids = { keyId: randomUUID(), accountId: randomUUID() };
  const caller = { ...ids, tier: "pro", plan: plans.pro, scope: "full", creator: null } as const;
  await insertAccount(db.main, { id: caller.accountId, name: "a", plan: "pro", created_at: new Date() });
  const quota = new ScoreQuota({ db: db.main, clock: systemClock });
  const broken = () => Promise.reject(new Error("broken on purpose"));
  const calls = new IdempotentCalls(db.main);
  const history = new History({ db, replica: null });
  const { scoreItem } = scoreHandlers({ history, calls, quota, score: broken, scoreItem: broken });
  const params = { id: itemIdOf("guid:broken") };
  const body = { model: "flash", include_detailed_analysis: false } as const;
  const nobodyElse = { visitor: null, operator: null, client: null };
  const call = scoreItem({
    ...{ params, body, caller, query: undefined, search: "", idempotencyKey: null },
    ...nobodyElse,
  });
  await assert.rejects(call, /broken on purpose/);
  assert.equal((await quota.standing(caller))?.remaining, plans.pro.score_per_day, "the unit came back");
});
