import assert from "node:assert/strict";
import { queued, testResult, webhookStats } from "@tapewire/contract/webhook-deliveries.ts";
import { onAnyEngine } from "../../support/db.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import { startService } from "../../support/service.ts";
import { endpoint, list, make, twoAccounts } from "./webhooks/deliveries-client.ts";

const hourMs = 3_600_000;

onAnyEngine("a pause of an endpoint, and what its owner can do about it", async (context, engine) => {
  const answers = { status: 500 };
  await using receivers = await startReceivers({ "/moody": () => answers.status });
  // A retry comes too late for the test: what arrives was sent for another reason.
  const settings = { webhookAllow: ["127.0.0.0/8"], webhookRetriesMs: [hourMs], demo: "off" } as const;
  await using service = await startService(engine, settings);
  const { mine } = await twoAccounts(service);
  const { id } = await make(mine, { url: receivers.url("/moody"), filters: { symbols: ["DEMO:PAUS"] } });
  const deliveries = async () => (await mine.answer(list, 200, "GET", `/${id}/deliveries`)).data;
  const stats = () => mine.answer(webhookStats, 200, "GET", `/${id}/stats`);
  const test = () => mine.answer(testResult, 200, "POST", `/${id}/test`);
  const fail = async (from: number) => {
    await service.push(
      ...Array.from({ length: 5 }, (_, n) => ({
        ...{ title: `Notice ${from + n}`, external_id: `pause-${from + n}`, symbols: ["DEMO:PAUS"] },
      })),
    );
    await until(async () => (await stats()).paused_until !== null, "five failures pause it");
    await until(async () => (await stats()).due === 5, "all five wait for a retry");
  };

  await context.test("what is ordered during a pause is told to be sent when the pause ends", async () => {
    await fail(0);
    const [newest] = await deliveries();
    assert.ok(newest !== undefined);
    await mine.answer(queued, 202, "POST", `/${id}/deliveries/${newest.id}/resend`);
    const { paused_until: pausedUntil } = await stats();
    const told = (await deliveries()).find((one) => one.id === newest.id);
    assert.deepEqual([told?.status, told?.next_attempt_at], ["due", pausedUntil]);
    assert.equal(told?.attempts.length, 1, "it was not sent");
    assert.equal((await stats()).next_attempt_at, pausedUntil, "the first of all that wait");
  });

  await context.test("a test that fails leaves the pause; one that succeeds ends it", async () => {
    assert.equal((await test()).ok, false);
    assert.notEqual((await stats()).paused_until, null);
    answers.status = 204;
    assert.equal((await test()).ok, true);
    await until(async () => (await stats()).due === 0, "what waited for a retry is sent");
    const shown = await deliveries();
    assert.deepEqual(new Set(shown.map(({ status }) => status)), new Set(["delivered"]));
    assert.equal((await stats()).paused_until, null);
  });

  await context.test(
    "one that succeeds also sends what waits at an endpoint that recovered by itself",
    async () => {
      const push = (name: string) =>
        service.push({ title: name, external_id: `pause-${name}`, symbols: ["DEMO:PAUS"] });
      answers.status = 500;
      await push("fails");
      await until(async () => (await stats()).due === 1, "it waits for a retry");
      answers.status = 204;
      await push("comes");
      await until(async () => (await stats()).total.delivered === 6, "the next is delivered");
      assert.equal((await stats()).due, 1);
      assert.equal((await test()).ok, true);
      await until(async () => (await stats()).due === 0, "what waited is sent");
      assert.deepEqual(
        (await deliveries()).slice(0, 2).map(({ status }) => status),
        ["delivered", "delivered"],
      );
    },
  );

  await context.test("it says nothing about a disabled endpoint", async () => {
    answers.status = 500;
    await fail(5);
    await mine.answer(endpoint, 200, "PATCH", `/${id}`, { enabled: false });
    answers.status = 204;
    const before = receivers.at("/moody").length;
    assert.equal((await test()).ok, true);
    assert.equal(receivers.at("/moody").length, before + 1, "the test alone");
    assert.deepEqual(
      (await deliveries()).slice(0, 5).map(({ status }) => status),
      Array.from({ length: 5 }, () => "disabled"),
    );
  });
});
