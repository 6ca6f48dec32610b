import assert from "node:assert/strict";
import { onAnyEngine, testDb } from "../support/db.ts";
import {
  dayMs,
  hourMs,
  isDue,
  lastAsked,
  pollInAnHour,
  signed,
  startHubs,
  startPoll,
} from "../support/hubs.ts";

onAnyEngine("pings of hubs", async (context, engine) => {
  await using db = await testDb(engine);
  await context.test(
    "a ping makes the source due when it is signed, and does nothing when it is not",
    async () => {
      await using hubs = await startHubs(db);
      await hubs.follow();
      const { token, secret } = lastAsked(hubs);
      await hubs.challenge(token);
      const body = "<rss/>";
      const good = signed(secret, body);
      const forged: [token: string, body: string, signature?: string][] = [
        [token, body],
        [token, body, ""],
        [token, body, signed("another", body)],
        [token, `${body} `, good],
        [token, body, good.slice(0, -2)],
        [token, body, good.replace("sha256", "sha1")],
        [token, body, good.replace("sha256", "md5")],
        [token, body, good.slice("sha256=".length)],
        [token, body, signed("", body)],
        ["0".repeat(32), body, good],
      ];
      await pollInAnHour(hubs);
      for (const [told, sent, signature] of forged) {
        assert.equal(await hubs.ping(told, sent, signature), 204);
        assert.equal(await isDue(hubs), false, signature ?? "no signature");
      }
      assert.equal(await hubs.pingWithoutEnd("0".repeat(32)), 204, "what nobody asked for is not taken in");
      for (const method of ["sha1", "sha256", "sha384", "sha512"]) {
        assert.equal(await hubs.ping(token, body, signed(secret, body, method)), 204);
        assert.equal(await isDue(hubs), true, method);
        await pollInAnHour(hubs);
        assert.equal(await isDue(hubs), false);
      }
    },
  );
  await context.test("a ping that comes during a poll is not lost: the answer may be older", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const { token, secret } = lastAsked(hubs);
    await hubs.challenge(token);
    const endPoll = await startPoll(hubs);
    await hubs.ping(token, "news", signed(secret, "news"));
    await endPoll();
    assert.equal(await isDue(hubs), true);
  });
  await context.test("a ping of over 2 MiB is not read", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const { token, secret } = lastAsked(hubs);
    await hubs.challenge(token);
    await pollInAnHour(hubs);
    const most = "x".repeat(2 * 1024 * 1024);
    assert.equal(await hubs.ping(token, `${most}x`, signed(secret, `${most}x`)), 204);
    assert.equal(await isDue(hubs), false);
    assert.equal(await hubs.ping(token, most, signed(secret, most)), 204);
    assert.equal(await isDue(hubs), true);
  });
  await context.test(
    "while a renewal is not confirmed, the subscription that runs still counts",
    async () => {
      await using hubs = await startHubs(db);
      await hubs.follow();
      const { token, secret } = lastAsked(hubs);
      await hubs.challenge(token);
      hubs.state.aheadMs = 6 * dayMs + hourMs;
      hubs.hub.state.status = 500;
      await hubs.follow();
      assert.equal(hubs.hub.state.asked.length, 2);
      await pollInAnHour(hubs);
      // Nothing has come of the renewal; for the hub the lease has a day to run, and it signs as it was told.
      await hubs.ping(token, "news", signed(secret, "news"));
      assert.equal(await isDue(hubs), true);
    },
  );
});
