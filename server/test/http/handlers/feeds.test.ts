import assert from "node:assert/strict";
import { onAnyEngine } from "../../support/db.ts";
import { startService } from "../../support/service.ts";
import { filterTests, nullScoreTest } from "./feeds/filters.ts";
import { items, listOf } from "./feeds/list.ts";
import { pagingTests } from "./feeds/paging.ts";
import { refusalTests } from "./feeds/refusals.ts";
import { singleReadTests } from "./feeds/single-reads.ts";

onAnyEngine("GET /v1/feeds", async (context, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const names = new Map<string, string>();
  for (const [index, result] of (await service.push(...items)).entries())
    names.set(result.id ?? "", items[index]?.external_id ?? "");
  const list = listOf(service, key, names);
  const subtest = (name: string, body: () => Promise<void>) => context.test(name, body);

  await subtest("without filters lists everything, newest first", async () => {
    assert.equal((await list("")).found, "dcba");
  });
  await filterTests(context, list);
  await pagingTests(context, service, { key, list });
  await refusalTests(context, service, key);
  await singleReadTests(context, service, { key, names });
  // Beside the service: what it scores itself always has scores.
  if (service.config.databaseUrl !== null) await nullScoreTest(context, list, service.config.databaseUrl);
});
