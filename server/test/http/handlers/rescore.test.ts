import assert from "node:assert/strict";
import { rescoreResult } from "@tapewire/contract/admin.ts";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import { onAnyEngine } from "../../support/db.ts";
import { startService } from "../../support/service.ts";

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
