import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import { onBothEngines } from "../support/db.ts";
import { startService } from "../support/service.ts";

onBothEngines("a pushed item is scored and listed", async (_, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const [result] = await service.push({
    title: "Orbitex Robotics raises full-year guidance",
    symbols: ["DEMO:OBTX"],
  });
  assert.equal(result?.status, "created");
  const page: { data: { id: string; scoring: { sentiment_short: number } }[] } = await (
    await service.get("/v1/feeds", key)
  ).json();
  assert.equal(page.data[0]?.id, result.id);
  assert.ok((page.data[0]?.scoring.sentiment_short ?? 0) > 0);
});
