import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { anyEngine } from "../../support/db.ts";
import { startService } from "../../support/service.ts";

test("a source that has not been polled yet is listed as waiting, a disabled one as disabled", async () => {
  await using service = await startService(anyEngine, {
    roles: ["api"],
    sourcesFile: "./config/sources.json",
    demo: "on",
  });
  const answer = await service.admin("GET", "/admin/v1/sources");
  const { data } = sourceHealthList.strict().parse(await answer.json());
  assert.ok(data.length > 0);
  for (const { enabled, status, items } of data)
    assert.deepEqual([status, items], [enabled ? "waiting" : "disabled", 0]);
  assert.deepEqual([...new Set(data.map(({ enabled }) => enabled))].sort(), [false, true]);
});
