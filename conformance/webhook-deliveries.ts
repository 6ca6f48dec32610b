import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  queued,
  replayStarted,
  testResult,
  webhookStats,
  webhookStatsList,
} from "@tapewire/contract/webhook-deliveries.ts";
import { z } from "zod";
import type { Live } from "./live.ts";
import { NotApplicable, type Section } from "./section.ts";
import { createEndpoint, endpoint, readEndpoint } from "./webhooks.ts";

const emptyLog = z.strictObject({ data: z.tuple([]), next_cursor: z.null() });
const since = "2026-01-01T00:00:00Z";
const nextHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Calls about deliveries, which the service adds to the interface. Each is tested only if the service describes it. */
export const webhookDeliveries: Section = {
  name: "Webhook deliveries",
  rules: {
    "POST {id}/rotate gives a new secret, once per Idempotency-Key": async (live) => {
      described(live, "POST", "rotate");
      const made = await createEndpoint(live);
      const headers = { "idempotency-key": `turn-${live.run}` };
      const turn = async () =>
        (await live.call("POST", `/v1/webhooks/${made.id}/rotate`, { headers })).read(endpoint);
      const turned = await turn();
      assert.match(turned.secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.notEqual(turned.secret, made.secret);
      assert.equal((await readEndpoint(live, made.id)).secret, turned.secret);
      assert.equal((await turn()).secret, turned.secret);
    },
    "GET {id}/deliveries is an empty log at first": async (live) => {
      described(live, "GET", "deliveries");
      const { id } = await createEndpoint(live);
      (await live.get(`/v1/webhooks/${id}/deliveries`)).read(emptyLog);
      (await live.get(`/v1/webhooks/${id}/deliveries`, { query: { status: "failed", limit: 1 } })).read(
        emptyLog,
      );
    },
    "GET {id}/deliveries refuses an unknown status, an invalid limit and an invalid cursor": async (live) => {
      described(live, "GET", "deliveries");
      const { id } = await createEndpoint(live);
      const path = `/v1/webhooks/${id}/deliveries`;
      for (const [name, value] of [
        ["status", "lost"],
        ["limit", 0],
        ["limit", 201],
      ] as const)
        await live.refuses("invalid_parameter", "GET", path, { query: { [name]: value }, fields: [name] });
      await live.refuses("invalid_cursor", "GET", path, { query: { cursor: "x" } });
    },
    "GET {id}/stats has an entry for every requested hour, the current hour last": async (live) => {
      described(live, "GET", "stats");
      const { id } = await createEndpoint(live);
      const answer = await live.get(`/v1/webhooks/${id}/stats`, { query: { hours: 168 } });
      const { hours, total } = answer.read(webhookStats);
      assert.equal(hours.length, 168);
      const ageMs = Date.now() - Date.parse(hours.at(-1)?.hour ?? "");
      assert.ok(ageMs >= -60_000 && ageMs < 3_660_000, `the last hour began ${ageMs} ms ago`);
      assert.deepEqual(total, { matched: 0, delivered: 0, failed: 0, expired: 0 });
      for (const value of [0, 169])
        await live.refuses("invalid_parameter", "GET", `/v1/webhooks/${id}/stats`, {
          query: { hours: value },
        });
    },
    "GET stats has a row for every endpoint, with a count for each hour": async (live) => {
      described(live, "GET", "stats");
      const { key } = await live.newKey({ plan: "enterprise" });
      const get = async () =>
        (await live.get("/v1/webhooks/stats", { key, query: { hours: 48 } })).read(webhookStatsList);
      assert.deepEqual((await get()).data, []);
      const made = [await createEndpoint(live, {}, { key }), await createEndpoint(live, {}, { key })];
      const { hours, data } = await get();
      assert.equal(hours.length, 48);
      assert.deepEqual(
        data.map(({ id }) => id),
        made.map(({ id }) => id),
      );
      for (const { delivered, failed, expired, attempts, latency_ms, paused_until } of data) {
        assert.deepEqual([delivered.length, failed.length, expired.length], [48, 48, 48]);
        assert.deepEqual([attempts, latency_ms, paused_until], [0, null, null]);
      }
      for (const value of [0, 169, "x"])
        await live.refuses("invalid_parameter", "GET", "/v1/webhooks/stats", {
          query: { hours: value },
          fields: ["hours"],
        });
    },
    "POST {id}/test reports that a name does not resolve, and is not counted": async (live) => {
      described(live, "POST", "test");
      const { id } = await createEndpoint(live);
      const tried = (await live.call("POST", `/v1/webhooks/${id}/test`)).read(testResult);
      assert.deepEqual([tried.ok, tried.status_code], [false, null]);
      assert.ok(tried.error !== null);
      const { matched_total, last_delivery_at } = await readEndpoint(live, id);
      assert.deepEqual([matched_total, last_delivery_at], [0, null]);
    },
    "POST {id}/recover 202 queues deliveries given up since a time: none yet": async (live) => {
      described(live, "POST", "recover");
      const { id } = await createEndpoint(live);
      const path = `/v1/webhooks/${id}/recover`;
      const answer = await live.call("POST", path, { body: { since }, status: 202 });
      assert.deepEqual(answer.read(queued), { queued: 0 });
      for (const body of [{}, { since: "yesterday" }, { since: 1 }])
        await live.refuses("invalid_body", "POST", path, { body, fields: ["since"] });
    },
    "POST {id}/replay 202 returns the range of the log that it sends": async (live) => {
      described(live, "POST", "replay");
      const { id } = await createEndpoint(live);
      const path = `/v1/webhooks/${id}/replay`;
      const none = await live.call("POST", path, { body: { from: nextHour() }, status: 202 });
      const { from_seq, to_seq } = none.read(replayStarted);
      assert.equal(to_seq, from_seq - 1);
      for (const body of [{}, { from: 0 }, { from: "yesterday" }, { from: 1, until: 2 }])
        await live.refuses("invalid_body", "POST", path, { body });
    },
    "409 conflict for recover and replay of a disabled endpoint": async (live) => {
      described(live, "POST", "replay");
      const { id } = await createEndpoint(live);
      await live.call("PATCH", `/v1/webhooks/${id}`, { body: { enabled: false } });
      await live.refuses("conflict", "POST", `/v1/webhooks/${id}/recover`, { body: { since } });
      await live.refuses("conflict", "POST", `/v1/webhooks/${id}/replay`, { body: { from: nextHour() } });
    },
    "POST {id}/deliveries/{delivery_id}/resend: 404 for an unknown delivery, 400 for an invalid id": async (
      live,
    ) => {
      const unknown = `msg_${"0".repeat(32)}_1`;
      described(live, "POST", `deliveries/${unknown}/resend`);
      const { id } = await createEndpoint(live);
      const path = (delivery: string) => `/v1/webhooks/${id}/deliveries/${delivery}/resend`;
      await live.refuses("not_found", "POST", path(unknown));
      await live.refuses("invalid_parameter", "POST", path("x"), { fields: ["delivery_id"] });
    },
    "GET {id}/deliveries/{delivery_id}: 404 for an unknown delivery, 400 for an invalid id": async (live) => {
      const unknown = `msg_${"0".repeat(32)}_1`;
      described(live, "GET", `deliveries/${unknown}`);
      const { id } = await createEndpoint(live);
      const path = (delivery: string) => `/v1/webhooks/${id}/deliveries/${delivery}`;
      await live.refuses("not_found", "GET", path(unknown));
      await live.refuses("invalid_parameter", "GET", path("x"), { fields: ["delivery_id"] });
    },
    "404 on each call for another account's endpoint and for an unknown one": async (live) => {
      const actions = [
        ["GET", "deliveries"],
        ["GET", "stats"],
        ["POST", "rotate"],
        ["POST", "test"],
        ["POST", "recover", { since }],
        ["POST", "replay", { from: nextHour() }],
      ] as const;
      for (const [method, action] of actions) described(live, method, action);
      const { id } = await createEndpoint(live);
      const { key } = await live.newKey({ plan: "pro" });
      for (const [method, action, body] of actions)
        for (const [asked, options] of [
          [id, { key }],
          [randomUUID(), {}],
        ] as const)
          await live.refuses("not_found", method, `/v1/webhooks/${asked}/${action}`, { ...options, body });
    },
    "max_age is 60 to 604,800 seconds, by default a day": async (live) => {
      const made = await createEndpoint(live);
      if (made.max_age === undefined) throw new NotApplicable("the record has no max_age");
      assert.equal(made.max_age, 86_400);
      for (const max_age of [60, 604_800]) {
        await live.call("PATCH", `/v1/webhooks/${made.id}`, { body: { max_age } });
        assert.equal((await readEndpoint(live, made.id)).max_age, max_age);
      }
      for (const max_age of [59, 604_801, 60.5, "60"])
        await live.refuses("invalid_body", "PATCH", `/v1/webhooks/${made.id}`, {
          body: { max_age },
          fields: ["max_age"],
        });
    },
  },
};

function described(live: Live, method: string, action: string): void {
  if (live.description.operationOf(method, `/v1/webhooks/${randomUUID()}/${action}`) === null)
    throw new NotApplicable(`${method} /v1/webhooks/{id}/${action} is not described by this service`);
}
