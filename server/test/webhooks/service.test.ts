import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { z } from "zod";
import { onAnyEngine } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const endpoint = z.object({
  id: z.string(),
  secret: z.string(),
  matched_total: z.int(),
  delivered_total: z.int(),
});

onAnyEngine("the service delivers what is pushed to an endpoint of its API, signed", async (_, engine) => {
  await using receivers = await startReceivers({});
  await using service = await startService(engine, { webhookAllow: ["127.0.0.0/8"], demo: "off" });
  const { key } = await service.key("enterprise");
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(service.url + path, init);
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return endpoint.parse(JSON.parse(text));
  };
  const made = await call("POST", "/v1/webhooks", {
    url: receivers.url("/"),
    filters: { symbols: ["DEMO:BRND"] },
  });
  const item = (n: number, symbol: string) => ({
    ...{ title: `Brandmoor raises its outlook by ${n}%`, external_id: `hook-${n}`, source: "push" },
    symbols: [symbol],
  });
  await service.push(item(1, "DEMO:BRND"), item(2, "DEMO:OTHR"));
  await until(
    async () => (await call("GET", `/v1/webhooks/${made.id}`)).delivered_total === 1,
    "it is delivered",
  );
  assert.equal((await call("GET", `/v1/webhooks/${made.id}`)).matched_total, 1);
  const [delivery] = receivers.at("/");
  assert.ok(delivery !== undefined && receivers.at("/").length === 1);
  const { headers, body } = delivery;
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const secret = Buffer.from(made.secret.slice("whsec_".length), "base64");
  assert.equal(
    headers["webhook-signature"],
    `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`,
  );
  const payload = JSON.parse(body);
  assert.deepEqual(Object.keys(payload), ["type", "timestamp", "data", "seq", "latency"]);
  assert.equal(payload.type, "feed.scored");
  assert.equal(payload.data.title, "Brandmoor raises its outlook by 1%");
  assert.equal(payload.data.scoring.locked, false);
});
