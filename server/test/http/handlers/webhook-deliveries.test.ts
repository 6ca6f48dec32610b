import assert from "node:assert/strict";
import { queued, replayStarted, testResult, webhookStats } from "@tapewire/contract/webhook-deliveries.ts";
import { webhookDeletion } from "@tapewire/contract/webhooks.ts";
import { onAnyEngine } from "../../support/db.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import {
  endpoint,
  list,
  make,
  startDelivering,
  twoAccounts,
  verifies,
} from "./webhooks/deliveries-client.ts";

onAnyEngine("deliveries of a webhook endpoint", async (context, engine) => {
  const answers = { status: 500 };
  const gate = Promise.withResolvers<number>();
  const hanging = { answer: Promise.resolve(204) };
  await using receivers = await startReceivers({
    "/moody": () => answers.status,
    "/bad": () => 401,
    "/slow": () => gate.promise,
    "/hanging": () => hanging.answer,
  });
  await using service = await startDelivering(engine);
  const { mine, other } = await twoAccounts(service);
  let pushed = 0;
  const push = (symbol: string, count = 1) =>
    service.push(
      ...Array.from({ length: count }, () => ({
        title: `Notice ${pushed++} of ${symbol}`,
        external_id: `webhooks-${pushed}`,
        symbols: [`DEMO:${symbol}`],
      })),
    );
  const only = (symbol: string) => ({ symbols: [`DEMO:${symbol}`] });

  await context.test(
    "a test is sent signed, and its answer told; a disabled endpoint may be tested",
    async () => {
      const { id, secret } = await make(mine, { url: receivers.url("/good"), filters: only("NONE") });
      await mine.answer(endpoint, 200, "PATCH", `/${id}`, { enabled: false });
      const good = await mine.answer(testResult, 200, "POST", `/${id}/test`);
      assert.deepEqual([good.ok, good.status_code, good.error, good.response], [true, 204, null, null]);
      const [got] = receivers.at("/good");
      assert.ok(got !== undefined && verifies(secret, got));
      assert.equal(got.id, good.id);
      assert.deepEqual(JSON.parse(got.body), {
        type: "webhook.test",
        timestamp: good.at,
        data: { webhook_id: id },
      });
      await mine.answer(endpoint, 200, "PATCH", `/${id}`, { url: receivers.url("/bad") });
      const bad = await mine.answer(testResult, 200, "POST", `/${id}/test`);
      assert.deepEqual([bad.ok, bad.status_code, bad.error], [false, 401, null]);
      await mine.answer(endpoint, 200, "PATCH", `/${id}`, { url: "http://127.0.0.1:9/" });
      const none = await mine.answer(testResult, 200, "POST", `/${id}/test`);
      assert.deepEqual([none.ok, none.status_code, none.error], [false, null, "connect_refused"]);
    },
  );

  await context.test("after a rotation both secrets sign; a repeat does not rotate again", async () => {
    const made = await make(mine, { url: receivers.url("/turned"), filters: only("TURN") });
    const key = { "idempotency-key": "turn" };
    const turned = await mine.answer(endpoint, 200, "POST", `/${made.id}/rotate`, undefined, key);
    assert.notEqual(turned.secret, made.secret);
    assert.match(turned.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const leftH = (Date.parse(turned.rotation_ends_at ?? "") - Date.now()) / 3_600_000;
    assert.ok(leftH > 23 && leftH <= 24);
    const again = await mine.answer(endpoint, 200, "POST", `/${made.id}/rotate`, undefined, key);
    assert.equal(again.secret, turned.secret);
    await mine.answer(testResult, 200, "POST", `/${made.id}/test`);
    // The worker hears of the rotation a moment after the caller.
    await until(async () => {
      await push("TURN");
      return receivers.at("/turned").some((got, n) => n > 0 && verifies(turned.secret, got));
    }, "an item that the new secret signs");
    const [tried, ...items] = receivers.at("/turned");
    assert.ok(tried !== undefined && verifies(turned.secret, tried));
    for (const got of [tried, ...items]) assert.ok(verifies(made.secret, got));
    const third = await mine.answer(endpoint, 200, "POST", `/${made.id}/rotate`);
    await mine.answer(testResult, 200, "POST", `/${made.id}/test`);
    const last = receivers.at("/turned").find((got) => verifies(third.secret, got));
    assert.ok(last !== undefined && verifies(turned.secret, last) && !verifies(made.secret, last));
  });

  const moody = await make(mine, { url: receivers.url("/moody"), filters: only("MOOD"), max_age: 3_600 });
  const deliveries = (query = "") => mine.answer(list, 200, "GET", `/${moody.id}/deliveries${query}`);
  const statuses = async (query = "") => (await deliveries(query)).data.map(({ status }) => status);

  await context.test("the log tells every attempt, newest item first, page by page", async () => {
    assert.equal(moody.max_age, 3_600);
    assert.deepEqual(await deliveries(), { data: [], next_cursor: null });
    // Four failures: after a fifth in a row it would be held off.
    await push("MOOD", 2);
    await until(async () => (await statuses("?status=failed")).length === 2, "given up");
    answers.status = 204;
    await push("MOOD", 3);
    await until(async () => (await statuses("?status=delivered")).length === 3, "delivered");
    assert.deepEqual(await statuses(), ["delivered", "delivered", "delivered", "failed", "failed"]);
    const whole = (await deliveries()).data;
    assert.deepEqual(
      whole.map(({ seq }) => seq),
      whole.map(({ seq }) => seq).toSorted((a, b) => b - a),
    );
    const ids = new Set(receivers.at("/moody").map(({ id }) => id));
    assert.deepEqual(new Set(whole.map(({ id }) => id)), ids);
    for (const { attempts, item_id, seq, id, status } of whole) {
      assert.equal(id, `msg_${item_id.replaceAll("-", "")}_${seq}`);
      assert.deepEqual(
        attempts.map(({ number, trigger, ok, status_code }) => [number, trigger, ok, status_code]),
        status === "delivered"
          ? [[1, "item", true, 204]]
          : [
              [1, "item", false, 500],
              [2, "item", false, 500],
            ],
      );
    }
    const walked = [];
    for (let query = "?limit=2"; query !== ""; ) {
      const { data, next_cursor } = await deliveries(query);
      assert.ok(data.length <= 2);
      walked.push(...data);
      query = next_cursor === null ? "" : `?limit=2&cursor=${next_cursor}`;
    }
    assert.deepEqual(walked, whole);
    assert.deepEqual(await mine.refused("GET", `/${moody.id}/deliveries?cursor=x`), [400, "invalid_cursor"]);
    for (const one of whole) {
      assert.deepEqual(await deliveries(`?seq=${one.seq}`), { data: [one], next_cursor: null });
      const other = one.status === "failed" ? "delivered" : "failed";
      assert.deepEqual((await deliveries(`?seq=${one.seq}&status=${other}`)).data, []);
    }
    assert.deepEqual((await deliveries(`?seq=${(whole[0]?.seq ?? 0) + 1}`)).data, [], "of no delivery");
    assert.equal((await mine.refused("GET", `/${moody.id}/deliveries?seq=0`))[0], 400);
  });

  await context.test("one delivery is sent again by its id, once for an Idempotency-Key", async () => {
    const before = receivers.at("/moody").length;
    const newest = (await deliveries("?status=failed")).data.at(0);
    assert.ok(newest !== undefined);
    const path = `/${moody.id}/deliveries/${newest.id}/resend`;
    for (let n = 0; n < 2; n++) {
      const key = { "idempotency-key": "resend" };
      assert.deepEqual(await mine.answer(queued, 202, "POST", path, undefined, key), { queued: 1 });
      await until(async () => (await statuses("?status=delivered")).length === 4, "delivered");
    }
    assert.deepEqual(
      receivers
        .at("/moody")
        .slice(before)
        .map(({ id }) => id),
      [newest.id],
    );
    const sent = (await deliveries()).data.find(({ id }) => id === newest.id);
    const attempts = sent?.attempts.map(({ trigger, ok }) => [trigger, ok]);
    assert.deepEqual(attempts?.at(-1), ["resend", true]);
    const unknown = newest.id.replace(/\d+$/, "999999");
    assert.deepEqual(await mine.refused("POST", `/${moody.id}/deliveries/${unknown}/resend`), [
      404,
      "not_found",
    ]);
    assert.deepEqual(await mine.refused("POST", `/${moody.id}/deliveries/x/resend`), [
      400,
      "invalid_parameter",
    ]);
  });

  await context.test("recover brings what was given up since a time", async () => {
    const future = new Date(Date.now() + 60_000).toISOString();
    const recover = (since: string) => mine.answer(queued, 202, "POST", `/${moody.id}/recover`, { since });
    assert.deepEqual(await recover(future), { queued: 0 });
    assert.deepEqual(await recover("2026-01-01T00:00:00Z"), { queued: 1 });
    await until(async () => (await statuses("?status=delivered")).length === 5, "all are delivered");
    assert.deepEqual(await mine.refused("POST", `/${moody.id}/recover`, {}), [400, "invalid_body"]);
  });

  await context.test("replay sends a range of the log again, by seq or by time", async () => {
    const seqs = (await deliveries()).data.map(({ seq }) => seq).toReversed();
    const [first = 0, , third = 0] = seqs;
    const replay = (body: object) => mine.answer(replayStarted, 202, "POST", `/${moody.id}/replay`, body);
    const sent = async (count: number, start: number) => {
      await until(() => receivers.at("/moody").length === start + count, `${count} more`);
      const { replay_remaining } = await mine.answer(webhookStats, 200, "GET", `/${moody.id}/stats`);
      if (replay_remaining !== null)
        await until(
          async () =>
            (await mine.answer(webhookStats, 200, "GET", `/${moody.id}/stats`)).replay_remaining === null,
          "it ends",
        );
      return receivers
        .at("/moody")
        .slice(start)
        .map(({ seq }) => seq);
    };
    const future = new Date(Date.now() + 60_000).toISOString();
    const empty = await replay({ from: future });
    assert.equal(empty.to_seq, empty.from_seq - 1);
    const start = receivers.at("/moody").length;
    assert.deepEqual(await replay({ from: first, to: third }), { from_seq: first, to_seq: third });
    assert.deepEqual(await sent(3, start), seqs.slice(0, 3));
    const whole = await replay({ from: "2026-01-01T00:00:00Z", to: new Date().toISOString() });
    assert.equal(whole.from_seq, 1);
    assert.deepEqual(await sent(5, start + 3), seqs);
    for (const body of [
      ...[{}, { from: 0 }, { from: "yesterday" }, { from: 1, until: 2 }, { from: 2, to: 1 }],
      { from: "2026-01-02T00:00:00Z", to: "2026-01-01T23:59:59Z" },
    ])
      assert.deepEqual(await mine.refused("POST", `/${moody.id}/replay`, body), [400, "invalid_body"]);
  });

  await context.test("one replay at a time; a disabled endpoint must be enabled first", async () => {
    const { id } = await make(mine, { url: receivers.url("/slow"), filters: only("MOOD") });
    await mine.answer(replayStarted, 202, "POST", `/${id}/replay`, { from: 1 });
    await until(() => receivers.at("/slow").length === 1, "it has begun");
    assert.deepEqual(await mine.refused("POST", `/${id}/replay`, { from: 1 }), [409, "conflict"]);
    gate.resolve(204);
    await mine.answer(endpoint, 200, "PATCH", `/${id}`, { enabled: false });
    assert.deepEqual(await mine.refused("POST", `/${id}/replay`, { from: 1 }), [409, "conflict"]);
    const since = { since: "2026-01-01T00:00:00Z" };
    assert.deepEqual(await mine.refused("POST", `/${id}/recover`, since), [409, "conflict"]);
  });

  await context.test("the statistics count what was matched and how it ended, hour by hour", async () => {
    const stats = (hours: number) =>
      mine.answer(webhookStats.strict(), 200, "GET", `/${moody.id}/stats?hours=${hours}`);
    const { total, due, given_up, paused_until } = await stats(1);
    assert.deepEqual(total, { matched: 5, delivered: 5, failed: 0, expired: 0 });
    assert.deepEqual([due, given_up, paused_until], [0, 0, null]);
    const sums = async () => {
      const { hours } = await stats(2);
      const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
      return { attempts, matched: hours.reduce((sum, { matched }) => sum + matched, 0) };
    };
    await until(
      async () => (await sums()).attempts === receivers.at("/moody").length,
      "all attempts are counted",
    );
    assert.equal((await sums()).matched, 5);
    const { hours } = await stats(168);
    assert.equal(hours.length, 168);
    assert.equal(hours[0]?.latency_ms, null);
    assert.ok(hours.some(({ latency_ms: ms }) => ms !== null && ms.p50 <= ms.p99));
    assert.deepEqual(await mine.refused("GET", `/${moody.id}/stats?hours=169`), [400, "invalid_parameter"]);
  });

  await context.test("an id in capitals is the same id, whatever is done with it", async () => {
    const made = await make(mine, { url: receivers.url("/capitals"), filters: only("CAPS") });
    const path = `/${made.id.toUpperCase()}`;
    assert.equal((await mine.answer(endpoint, 200, "GET", path)).secret, made.secret);
    assert.equal((await mine.answer(endpoint, 200, "PATCH", path, { description: "x" })).id, made.id);
    const turned = await mine.answer(endpoint, 200, "POST", `${path}/rotate`);
    const again = await mine.answer(endpoint, 200, "GET", `/${made.id}`);
    assert.deepEqual([turned.id, again.secret], [made.id, turned.secret]);
    assert.equal((await mine.answer(testResult, 200, "POST", `${path}/test`)).ok, true);
    await push("CAPS");
    await until(() => receivers.at("/capitals").length === 2, "the test and the item");
    const [tried, delivered] = receivers.at("/capitals");
    assert.ok(tried !== undefined && verifies(turned.secret, tried));
    // Deliveries learn of a new secret within 2 s; until then they are signed with the one before, which still counts.
    const secrets = [turned.secret, made.secret];
    assert.ok(delivered !== undefined && secrets.some((secret) => verifies(secret, delivered)));
    await mine.answer(list, 200, "GET", `${path}/deliveries`);
    await mine.answer(webhookStats, 200, "GET", `${path}/stats`);
    await mine.answer(queued, 202, "POST", `${path}/recover`, { since: "2026-01-01T00:00:00Z" });
    const gone = await mine.answer(webhookDeletion, 200, "DELETE", path);
    assert.equal(gone.id, made.id);
  });

  await context.test("tests that wait for one account's receiver leave room for others", async () => {
    const answer = Promise.withResolvers<number>();
    hanging.answer = answer.promise;
    const { id } = await make(mine, { url: receivers.url("/hanging"), filters: only("NONE") });
    const waiting = Array.from({ length: 4 }, () => mine.answer(testResult, 200, "POST", `/${id}/test`));
    await until(() => receivers.at("/hanging").length === 4, "four wait");
    assert.deepEqual(await mine.refused("POST", `/${id}/test`), [503, "overloaded"]);
    const others = await make(other, { url: receivers.url("/good"), filters: only("NONE") });
    assert.equal((await other.answer(testResult, 200, "POST", `/${others.id}/test`)).ok, true);
    answer.resolve(204);
    for (const { ok } of await Promise.all(waiting)) assert.equal(ok, true);
    assert.equal((await mine.answer(testResult, 200, "POST", `/${id}/test`)).ok, true);
  });

  await context.test("another account's endpoint is as one that is not there", async () => {
    const [delivery] = (await deliveries()).data;
    const calls: [method: string, path: string, body?: object][] = [
      ["GET", "/deliveries"],
      ["GET", "/stats"],
      ["POST", "/test"],
      ["POST", "/rotate"],
      ["POST", `/deliveries/${delivery?.id}/resend`],
      ["POST", "/recover", { since: "2026-01-01T00:00:00Z" }],
      ["POST", "/replay", { from: 1 }],
    ];
    for (const [method, path, body] of calls)
      assert.deepEqual(await other.refused(method, `/${moody.id}${path}`, body), [404, "not_found"], path);
    const { secret } = await mine.answer(endpoint, 200, "GET", `/${moody.id}`);
    assert.equal(secret, moody.secret);
  });
});
