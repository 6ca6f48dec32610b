import assert from "node:assert/strict";
import { rescoreResult } from "@tapewire/contract/admin.ts";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { onAnyEngine } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";

/** Shows each millisecond once, so that what follows something else is later. */
function risingClock(): Clock {
  let lastMs = 0;
  return {
    ...systemClock,
    now: () => {
      lastMs = Math.max(lastMs + 1, Date.now());
      return new Date(lastMs);
    },
  };
}

const detailOf = async (service: Service, key: string, path: string) =>
  feedItemDetail.parse(await (await service.get(path, key)).json());

onAnyEngine("a re-score adds to the scores; as_of shows what stood when", async (_, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const [pushed] = await service.push({
    title: "Quillbrook Corp misses estimates",
    body: "Revenue fell 12% to $50 million.",
    type: "research",
  });
  const read = async (query = "") => {
    const response = await service.get(`/v1/feeds/${pushed?.id}${query}`, key);
    return response.status === 200 ? feedItemDetail.parse(await response.json()) : response.status;
  };
  const first = await read();
  assert.ok(typeof first === "object");
  const between = new Date().toISOString();
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const again = async (model: string) =>
    rescoreResult.parse(await (await service.admin("POST", "/admin/v1/rescore", { since, model })).json());
  assert.equal((await again("flash")).scored, 0, "flash of this version has scored it");
  assert.deepEqual([(await again("pro")).scored, (await again("pro")).scored], [1, 0]);
  const now = await read();
  assert.ok(typeof now === "object");
  assert.deepEqual([first.scoring.model, now.scoring.model], ["flash", "pro"]);
  assert.deepEqual([first.event, now.event], ["earnings_miss", "earnings_miss"]);
  assert.deepEqual(await read(`?as_of=${between}`), first);
  assert.deepEqual(await read(`?as_of=${new Date().toISOString()}`), now);
  assert.equal(await read(`?as_of=${since}`), 404, "it was not known then");
  assert.equal(await read("?as_of=yesterday"), 400);
});

onAnyEngine(
  "a revision that no model judges has no score, in the single read as in the list",
  async (_, engine) => {
    await using service = await startService(engine);
    const { key } = await service.key("pro");
    const english = { title: "Quillbrook Corp misses estimates", source: "desk", external_id: "told" };
    const german = {
      title: "Quillbrook verfehlt im dritten Quartal die Erwartungen der Analysten",
      body: "Der Umsatz sank nach Angaben des Unternehmens vom Mittwoch um zwölf Prozent, weil weniger bestellt wurde.",
    };
    const [first] = await service.push(english);
    const path = `/v1/feeds/${first?.id}`;
    const judged = await detailOf(service, key, path);
    await service.push({ ...english, ...german });
    const item = await detailOf(service, key, path);
    assert.deepEqual([judged.scoring.model, item.title, item.revision], ["flash", german.title, 1]);
    const { locked: _locked, ...scores } = item.scoring;
    assert.deepEqual([...new Set(Object.values(scores)), item.sub_scores], [null, null]);
    const [listed] = feedList.parse(await (await service.get("/v1/feeds", key)).json()).data;
    assert.deepEqual([listed?.scoring, listed?.events], [item.scoring, item.events]);
    const before = new Date(Date.parse(item.updated_at) - 1).toISOString();
    assert.deepEqual(await detailOf(service, key, `${path}?as_of=${before}`), judged);
  },
);

onAnyEngine(
  "as_of shows a version from the time when it was logged, not when it was received",
  async (_, engine) => {
    await using service = await startService(engine, { clock: risingClock() });
    const { key } = await service.key("pro");
    const told = { title: "Quillbrook Corp misses estimates", source: "desk", external_id: "told" };
    const [pushed] = await service.push(told);
    const path = `/v1/feeds/${pushed?.id}`;
    const first = await detailOf(service, key, path);
    await service.push({ ...told, title: "Quillbrook Corp beats estimates" });
    const second = await detailOf(service, key, path);
    for (const { updated_at, scoring } of [first, second])
      assert.ok(scoring.scored_at !== null && updated_at < scoring.scored_at);
    assert.equal((await service.get(`${path}?as_of=${first.updated_at}`, key)).status, 404);
    const cases = [
      [first.scoring.scored_at, first],
      [second.updated_at, first],
      [second.scoring.scored_at, second],
    ] as const;
    for (const [at, version] of cases)
      assert.deepEqual(await detailOf(service, key, `${path}?as_of=${at}`), version);
  },
);
