import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { webhookDeletion } from "@tapewire/contract/webhooks.ts";
import { z } from "zod";
import type { CallOptions, Live } from "./live.ts";
import { limitsOf } from "./me-usage.ts";
import { NotApplicable, type Section } from "./section.ts";
import { badFilters, badUrls } from "./webhook-values.ts";

type Json = Readonly<Record<string, unknown>>;

/** The members that clients of the interface read. The whole record is checked by the published schema. */
export const endpoint = z.looseObject({
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  status: z.string(),
  secret: z.string().optional(),
  filters: z.record(z.string(), z.unknown()),
});
const endpoints = z.object({ data: z.array(endpoint) });

/** A host name that never resolves, so that nothing is sent. Source: RFC 2606. */
const target = (live: Live) => `https://hooks-${live.run.toLowerCase()}.invalid/in`;
/** A symbol that no item has, so that a run's endpoint has nothing to deliver. */
const silent = (live: Live) => ({ symbols: [`NO${live.run}`] });

export async function createEndpoint(live: Live, body: Json = {}, options: CallOptions = {}) {
  const whole = { url: target(live), filters: silent(live), ...body };
  const made = (await live.call("POST", "/v1/webhooks", { body: whole, status: 201, ...options })).read(
    endpoint,
  );
  const { key } = options;
  live.undoLater(() =>
    live.call("DELETE", `/v1/webhooks/${made.id}`, { ...(key === undefined ? {} : { key }), status: null }),
  );
  return made;
}

export const readEndpoint = async (live: Live, id: string) =>
  (await live.get(`/v1/webhooks/${id}`)).read(endpoint);
const patch = async (live: Live, id: string, body: Json) =>
  (await live.call("PATCH", `/v1/webhooks/${id}`, { body })).read(endpoint);

export const webhooks: Section = {
  name: "Webhook management",
  rules: {
    "POST 201 is the endpoint with its signing secret, enabled": async (live) => {
      const made = await createEndpoint(live, { description: "For the desk." });
      assert.deepEqual([made.url, made.description, made.enabled], [target(live), "For the desk.", true]);
      assert.match(made.secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.equal(made.status, "enabled");
    },
    "POST with only a url: no description, and filters that match every item": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const made = (
        await live.call("POST", "/v1/webhooks", { key, body: { url: target(live) }, status: 201 })
      ).read(endpoint);
      await live.call("DELETE", `/v1/webhooks/${made.id}`, { key });
      assert.deepEqual([made.description, made.filters], [null, {}]);
    },
    "filters: symbols, exchanges, actionability, sentiment_min, sentiment_max, event, bounds and tags are stored":
      async (live) => {
        const filters = {
          symbols: [`NO${live.run}`],
          exchanges: ["NASDAQ"],
          actionability: true,
          sentiment_min: 0,
          sentiment_max: 10,
          min_conviction: 60,
          min_actionability_score: 70,
          event: ["contract_won"],
          tags: { market: ["stock"], market_country: ["US"] },
        };
        const made = await createEndpoint(live, { filters });
        assert.deepEqual(made.filters, filters);
        assert.deepEqual((await readEndpoint(live, made.id)).filters, filters);
      },
    "every endpoint has its own secret": async (live) => {
      const [first, second] = [await createEndpoint(live), await createEndpoint(live)];
      assert.notEqual(first.secret, second.secret);
      assert.notEqual(first.id, second.id);
    },
    "GET 200 is the list, secrets omitted": async (live) => {
      const made = await createEndpoint(live);
      const answer = await live.get("/v1/webhooks");
      const { secret, ...rest } = made;
      assert.ok(!answer.text.includes("whsec_") && !answer.text.includes(secret ?? "no secret"));
      assert.deepEqual(
        answer.read(endpoints).data.find(({ id }) => id === made.id),
        rest,
      );
    },
    "GET {id} 200 is the endpoint including its secret": async (live) => {
      const made = await createEndpoint(live);
      assert.deepEqual(await readEndpoint(live, made.id), made);
    },
    "PATCH enabled=false disables, enabled=true enables": async (live) => {
      const { id } = await createEndpoint(live);
      for (const enabled of [false, true]) {
        const changed = await patch(live, id, { enabled });
        assert.deepEqual([changed.enabled, changed.status], [enabled, enabled ? "enabled" : "disabled"]);
        assert.equal((await readEndpoint(live, id)).enabled, enabled);
      }
    },
    "PATCH changes the members it contains and no others, also not the secret": async (live) => {
      const made = await createEndpoint(live, { description: "before" });
      const url = `${target(live)}/other`;
      const changed = await patch(live, made.id, { url });
      assert.deepEqual(
        [changed.url, changed.description, changed.filters, changed.secret],
        [url, "before", made.filters, made.secret],
      );
      const filters = { exchanges: [`X${live.run}`], symbols: [`NO${live.run}`] };
      assert.deepEqual((await patch(live, made.id, { filters, description: "after" })).filters, filters);
      const { updated_at: _, ...after } = await patch(live, made.id, {});
      const { updated_at: __, ...told } = await readEndpoint(live, made.id);
      assert.deepEqual(after, told);
      assert.deepEqual([told.url, told.description], [url, "after"]);
    },
    "DELETE 200 returns the id; later reads, changes and deletions are 404": async (live) => {
      const { id } = await createEndpoint(live);
      const gone = (await live.call("DELETE", `/v1/webhooks/${id}`)).read(webhookDeletion);
      assert.deepEqual(gone, { id, deleted: true });
      await live.refuses("not_found", "GET", `/v1/webhooks/${id}`);
      await live.refuses("not_found", "PATCH", `/v1/webhooks/${id}`, { body: { enabled: true } });
      await live.refuses("not_found", "DELETE", `/v1/webhooks/${id}`);
      const { data } = (await live.get("/v1/webhooks")).read(endpoints);
      assert.ok(data.every((one) => one.id !== id));
    },
    "404 for an unknown id": async (live) => {
      const path = `/v1/webhooks/${randomUUID()}`;
      await live.refuses("not_found", "GET", path);
      await live.refuses("not_found", "PATCH", path, { body: { enabled: false } });
      await live.refuses("not_found", "DELETE", path);
    },
    "404 for another account's endpoint, which is not in the list": async (live) => {
      const { id } = await createEndpoint(live);
      const { key } = await live.newKey({ plan: "pro" });
      await live.refuses("not_found", "GET", `/v1/webhooks/${id}`, { key });
      await live.refuses("not_found", "PATCH", `/v1/webhooks/${id}`, { key, body: { enabled: false } });
      await live.refuses("not_found", "DELETE", `/v1/webhooks/${id}`, { key });
      assert.deepEqual((await live.get("/v1/webhooks", { key })).read(endpoints).data, []);
    },
    "endpoints belong to the account: a second key sees them": async (live) => {
      const { key, account_id } = await live.newKey({ plan: "pro" });
      const { id } = await createEndpoint(live, {}, { key });
      const other = await live.newKey({ account_id });
      assert.equal((await live.get(`/v1/webhooks/${id}`, { key: other.key })).read(endpoint).id, id);
    },
    "400 for an id that is not a uuid": async (live) => {
      for (const id of ["x", "1", "%00"]) {
        await live.refuses("invalid_parameter", "GET", `/v1/webhooks/${id}`, { fields: ["id"] });
        await live.refuses("invalid_parameter", "DELETE", `/v1/webhooks/${id}`, { fields: ["id"] });
      }
    },
    "400 invalid_url: not http(s), with credentials, or an address that is not allowed": async (live) => {
      const { id } = await createEndpoint(live);
      for (const url of badUrls) {
        await live.refuses("invalid_url", "POST", "/v1/webhooks", { body: { url } });
        await live.refuses("invalid_url", "PATCH", `/v1/webhooks/${id}`, { body: { url } });
      }
      assert.equal((await readEndpoint(live, id)).url, target(live));
    },
    "400 without a url, or when it is not a string": async (live) => {
      for (const body of [{}, { url: null }, { url: 7 }, { url: [target(live)] }, [], null, "x"])
        await live.call("POST", "/v1/webhooks", { body, status: 400 });
    },
    "400 for filters with an unknown key or an invalid value, on POST and PATCH": async (live) => {
      const { id } = await createEndpoint(live);
      for (const [filters, field] of badFilters) {
        const options = { body: { url: target(live), filters }, fields: [field] };
        await live.refuses("invalid_body", "POST", "/v1/webhooks", options);
        await live.refuses("invalid_body", "PATCH", `/v1/webhooks/${id}`, {
          body: { filters },
          fields: [field],
        });
      }
    },
    "400 for an unknown member, or an invalid description or enabled": async (live) => {
      const { id } = await createEndpoint(live);
      const url = target(live);
      await live.refuses("invalid_body", "POST", "/v1/webhooks", {
        body: { url, filter: {} },
        fields: ["filter"],
      });
      await live.refuses("invalid_body", "POST", "/v1/webhooks", {
        body: { url, description: "x".repeat(501) },
        fields: ["description"],
      });
      for (const enabled of ["true", 1])
        await live.refuses("invalid_body", "PATCH", `/v1/webhooks/${id}`, {
          body: { enabled },
          fields: ["enabled"],
        });
    },
    "null for an optional member means that it is absent; PATCH accepts the record as it was read": async (
      live,
    ) => {
      const made = await createEndpoint(live);
      const path = `/v1/webhooks/${made.id}`;
      const { status } = made;
      for (const body of [
        { url: null, enabled: null },
        { ...made, description: "sent back" },
      ])
        await live.call("PATCH", path, { body });
      const read = await readEndpoint(live, made.id);
      assert.deepEqual([read.url, read.status, read.description], [made.url, status, "sent back"]);
      await live.refuses("invalid_body", "PATCH", path, { body: { id: randomUUID() }, fields: ["id"] });
    },
    "403 plan_limit when the account has reached its plan's number of endpoints": async (live) => {
      const { webhook_endpoints: most } = await limitsOf(live, "starter");
      if (most > 20) throw new NotApplicable(`the Starter plan allows ${most} endpoints`);
      const { key } = await live.newKey({ plan: "starter" });
      const made = [];
      for (let n = 0; n < most; n++) made.push(await createEndpoint(live, {}, { key }));
      const body = { url: target(live), filters: silent(live) };
      await live.refuses("plan_limit", "POST", "/v1/webhooks", { key, body });
      await live.call("DELETE", `/v1/webhooks/${made[0]?.id}`, { key });
      await createEndpoint(live, {}, { key });
    },
    "the plan's number of endpoints holds exactly, even when many are created at once": async (live) => {
      const { webhook_endpoints: most } = await limitsOf(live, "starter");
      if (most > 5) throw new NotApplicable(`the Starter plan allows ${most} endpoints`);
      const { key } = await live.newKey({ plan: "starter" });
      const body = { url: target(live), filters: silent(live) };
      const answers = await Promise.all(
        Array.from({ length: most + 3 }, () =>
          live.call("POST", "/v1/webhooks", { key, body, status: null }),
        ),
      );
      const { data } = (await live.get("/v1/webhooks", { key })).read(endpoints);
      for (const { id } of data) await live.call("DELETE", `/v1/webhooks/${id}`, { key });
      assert.equal(data.length, most);
      assert.equal(answers.filter(({ status }) => status === 201).length, most);
    },
    "every plan has webhook endpoints, Free too": async (live) => {
      for (const plan of ["free", "starter", "pro", "quant"] as const)
        await createEndpoint(live, {}, { key: (await live.newKey({ plan })).key });
    },
    "a request repeated with the same Idempotency-Key creates one endpoint": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const headers = { "idempotency-key": `hook-${live.run}` };
      const first = await createEndpoint(live, {}, { key, headers });
      const again = await createEndpoint(live, {}, { key, headers });
      assert.deepEqual(again, first);
      assert.equal((await live.get("/v1/webhooks", { key })).read(endpoints).data.length, 1);
    },
    "the record has times and counts; they are empty for a new endpoint": async (live) => {
      const made = await createEndpoint(live);
      assert.equal(made.created_at, made.updated_at);
      for (const name of [
        "failing_since",
        "last_delivery_at",
        "last_attempt_at",
        "last_status",
        "last_error",
        "disabled_reason",
      ])
        assert.equal(made[name], null, name);
      for (const name of ["matched_today", "delivered_today", "matched_total", "delivered_total"])
        assert.equal(made[name], 0, name);
    },
  },
};
