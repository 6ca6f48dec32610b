import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { planTable } from "@tapewire/contract/plans.ts";
import { z } from "zod";
import { settings } from "../../src/config/config.ts";
import { deliveryIdOf } from "../../src/feed/delivery-id.ts";
import { anyEngine } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";

const cap = 3;
const answered = z.object({
  id: z.string().optional(),
  code: z.string().optional(),
  queued: z.int().optional(),
});

/** The plans that ship, with a Free plan of few items a day and many requests. */
function writePlans(folder: string): string {
  const plans = planTable.parse(JSON.parse(readFileSync(settings.plansFile.fallback, "utf8")));
  const free = { ...plans.free, realtime_feeds_per_day: cap, requests_per_minute: 30_000 };
  const path = join(folder, "plans.json");
  writeFileSync(path, JSON.stringify({ ...plans, free }));
  return path;
}

async function push(service: Service, symbol: string, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, (_, n) => ({
    ...{ title: `Notice ${n} of ${symbol}`, external_id: `${symbol}-${n}`, symbols: [`DEMO:${symbol}`] },
  }));
  const made = await service.push(...items);
  return Promise.all(
    made.map(async ({ id }) => {
      const { key } = await service.key("enterprise");
      const { seq } = z
        .object({ seq: z.int() })
        .parse(await (await service.get(`/v1/feeds/${id}`, key)).json());
      return deliveryIdOf(String(id), seq);
    }),
  );
}

test("a resend brings what the endpoint is owed within the day's cap, and nothing else", async () => {
  using folder = temporaryFolder();
  await using receivers = await startReceivers({});
  await using service = await startService(anyEngine, {
    demo: "off",
    plansFile: writePlans(folder.path),
    webhookAllow: ["127.0.0.0/8"],
  });
  const { key } = await service.key("free");
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${service.url}/v1/webhooks${path}`, init);
    const told = answered.parse(await answer.json());
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), ...told };
  };
  const before = await push(service, "OWED", 2);
  const hook = { url: receivers.url("/"), filters: { symbols: ["DEMO:OWED"] } };
  const { id } = await call("POST", "", hook);
  const resend = (delivery = "") => call("POST", `/${id}/deliveries/${delivery}/resend`);
  const sent = () => receivers.at("/").map((one) => one.id);

  const [elsewhere] = await push(service, "ELSE", 1);
  assert.deepEqual([(await resend(elsewhere)).code, sent()], ["not_found", []], "it never matched");
  const [, earlier] = before;
  assert.equal((await resend(earlier)).queued, 1, "what passes its filters is a live item like another");
  await until(() => sent().length === 1, "it is sent");
  const later = await push(service, "MORE", 4);
  await call("PATCH", `/${id}`, { filters: { symbols: ["DEMO:OWED", "DEMO:MORE"] } });
  const more = await call("POST", `/${id}/replay`, { from: 1 });
  assert.equal(more.status, 202, JSON.stringify(more));
  await until(() => sent().length === cap, "the day's items are sent");
  const withheld = later.at(-1);
  const refused = await resend(withheld);
  assert.deepEqual([refused.status, refused.code], [429, "quota_exceeded"]);
  assert.ok(Number(refused.retryAfter) > 0 && Number(refused.retryAfter) <= 86_400);
  assert.equal((await resend(earlier)).queued, 1, "what was sent costs nothing again");
  await until(() => sent().length === cap + 1, "it is sent again");
  assert.ok(new Set(sent()).size <= cap, `${sent()}`);

  await call("PATCH", `/${id}`, { filters: { actionability: true } });
  assert.equal((await resend(withheld)).code, "not_found", "the plan sees no scores to filter by");
});
