import assert from "node:assert/strict";
import { operatorStats } from "@tapewire/contract/operator/process-stats.ts";
import { deliveryDetail, webhookStats, webhookStatsList } from "@tapewire/contract/webhook-deliveries.ts";
import type { z } from "zod";
import { onAnyEngine } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import {
  endpoint,
  list,
  make,
  startDelivering,
  twoAccounts,
  verifies,
} from "./webhooks/deliveries-client.ts";

onAnyEngine("what the owner of endpoints can look at", async (context, engine) => {
  await using receivers = await startReceivers({ "/bad": () => 500, "/good": () => 204 });
  await using service = await startDelivering(engine);
  const { mine, other } = await twoAccounts(service);
  const only = { filters: { symbols: ["DEMO:LOOK"] } };
  const good = await make(mine, { url: receivers.url("/good"), ...only });
  const bad = await make(mine, { url: receivers.url("/bad"), ...only });
  await make(other, { url: receivers.url("/good"), filters: { symbols: ["DEMO:NONE"] } });
  await service.push(
    ...[1, 2].map((n) => ({ title: `Notice ${n}`, external_id: `look-${n}`, symbols: ["DEMO:LOOK"] })),
  );
  const statuses = async (id: string) =>
    (await mine.answer(list, 200, "GET", `/${id}/deliveries`)).data.map(({ status }) => status).join();
  await until(async () => (await statuses(good.id)) === "delivered,delivered", "delivered");
  await until(async () => (await statuses(bad.id)) === "failed,failed", "given up");

  await context.test("how all endpoints are doing, in one row each, as each of them tells it", async () => {
    const all = (query: string) => mine.answer(webhookStatsList.strict(), 200, "GET", `/stats${query}`);
    const sum = (counts: readonly number[] = []) => counts.reduce((total, count) => total + count, 0);
    const counted = async () => (await all("?hours=2")).data.map(({ attempts }) => attempts).join();
    await until(async () => (await counted()) === "2,4", "the hours are written");
    const { hours, data } = await all("?hours=2");
    assert.deepEqual(
      data.map(({ id, delivered, failed, expired, due, given_up, behind }) => [
        ...[id, sum(delivered), sum(failed), sum(expired), due, given_up, behind],
      ]),
      [
        [good.id, 2, 0, 0, 0, 0, 0],
        [bad.id, 0, 2, 0, 0, 2, 0],
      ],
    );
    for (const row of data) {
      const one = await mine.answer(webhookStats, 200, "GET", `/${row.id}/stats?hours=2`);
      assert.deepEqual(
        [hours, row.delivered, row.failed],
        [
          one.hours.map(({ hour }) => hour),
          one.hours.map(({ delivered }) => delivered),
          one.hours.map(({ failed }) => failed),
        ],
      );
      assert.ok(row.latency_ms !== null && row.latency_ms.p50 <= row.latency_ms.p99);
    }
    assert.equal((await all("")).hours.length, 24);
    const others = await other.answer(webhookStatsList, 200, "GET", "/stats");
    assert.deepEqual(
      others.data.map(({ attempts, latency_ms }) => [attempts, latency_ms]),
      [[0, null]],
    );
  });

  await context.test("an endpoint where nothing listens: when and why it failed; no latency", async () => {
    const closed = await listenLocally(() => {});
    await closed[Symbol.asyncDispose]();
    const { id } = await make(mine, { url: `${closed.origin}/hook`, filters: { symbols: ["DEMO:SHUT"] } });
    const record = async () => mine.answer(endpoint, 200, "GET", `/${id}`);
    const failure = ({
      last_attempt_at: at,
      last_error: error,
      last_status: status,
    }: z.infer<typeof endpoint>) => [...[at !== null, error, status]];
    assert.deepEqual(failure(await record()), [false, null, null]);
    await service.push({ title: "To nobody", external_id: "shut-1", symbols: ["DEMO:SHUT"] });
    await until(async () => (await statuses(id)) === "failed", "given up");
    assert.deepEqual(failure(await record()), [true, "connect_refused", null]);
    const row = async () =>
      (await mine.answer(webhookStatsList, 200, "GET", "/stats?hours=2")).data.find((one) => one.id === id);
    await until(async () => (await row())?.attempts === 2, "the hours are written");
    assert.deepEqual([(await row())?.latency_ms, (await row())?.next_attempt_at], [null, null]);
    const { hours } = await mine.answer(webhookStats, 200, "GET", `/${id}/stats?hours=2`);
    assert.deepEqual(new Set(hours.map(({ latency_ms: latency }) => latency)), new Set([null]));
    const operator = await (await service.admin("GET", "/admin/v1/stats")).json();
    assert.deepEqual(operatorStats.parse(operator).webhooks, {
      enabled: 4,
      failing: 2,
      auto_disabled: 0,
      recovered: 0,
    });
  });

  await context.test(
    "a delivery with its attempts, and its request as it was sent but for the signature",
    async () => {
      const [sent] = receivers.at("/bad");
      assert.ok(sent !== undefined);
      // A later version must not show.
      await service.push({ title: "Notice 1, corrected", external_id: "look-1", symbols: ["DEMO:LOOK"] });
      await until(() => receivers.at("/good").length === 3, "the revision");
      const read = (of: { id: string }, id: string) => `/${of.id}/deliveries/${id}`;
      const found = await mine.answer(deliveryDetail.strict(), 200, "GET", read(bad, sent.id));
      assert.deepEqual([found.id, found.seq, found.status], [sent.id, sent.seq, "failed"]);
      assert.deepEqual(
        found.attempts.map(({ number, status_code, ok }) => [number, status_code, ok]),
        [
          [1, 500, false],
          [2, 500, false],
        ],
      );
      const { request } = found;
      assert.equal(request.url, bad.url);
      const timeless = (body: string) => ({ ...JSON.parse(body), latency: null });
      assert.deepEqual(timeless(request.body), timeless(sent.body));
      for (const name of ["content-type", "user-agent", "webhook-id"])
        assert.equal(request.headers[name], sent.headers[name]);
      assert.ok(verifies(bad.secret, { ...sent, headers: request.headers, body: request.body }));
      assert.equal(verifies(good.secret, { ...sent, headers: request.headers, body: request.body }), false);
      const signedS = Math.floor(Date.parse(request.signed_at) / 1000);
      assert.equal(request.headers["webhook-timestamp"], String(signedS));
      const unknown = sent.id.replace(/_\d+$/, "_999999");
      const strange = sent.id.replace(/^msg_.{8}/, "msg_00000000");
      for (const id of [unknown, strange])
        assert.deepEqual(await mine.refused("GET", read(bad, id)), [404, "not_found"]);
      assert.deepEqual(await other.refused("GET", read(bad, sent.id)), [404, "not_found"]);
      assert.deepEqual(await mine.refused("GET", read(bad, "x")), [400, "invalid_parameter"]);
    },
  );
});
