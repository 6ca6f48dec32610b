import assert from "node:assert/strict";
import { onBothEngines } from "../support/db.ts";
import { startService } from "../support/service.ts";
import { connect, notice, notices, titles } from "../support/stream-connect.ts";

onBothEngines("a stream resumes behind its cursor", async (context, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const filters = { aggregators: ["resume"] };
  const items = notices(12, { source: "resume" });
  const titlesOf = (from: number, to: number) => items.slice(from, to).map(({ title }) => title);
  let cursor = "";

  await context.test("across a reconnect without gap or double, and then live", async () => {
    {
      await using first = await connect(service, key);
      await first.subscribe({ filters });
      await service.push(...items.slice(0, 6));
      const frames = await first.feeds(3);
      assert.deepEqual(titles(frames), titlesOf(0, 3));
      cursor = frames.at(-1)?.cursor ?? "";
    }
    await service.push(notice({ source: "other" }), ...items.slice(6, 9));
    await using second = await connect(service, key);
    const subscribed = await second.subscribe({ filters, after: cursor });
    assert.deepEqual([subscribed.resumed, subscribed.cursor, subscribed.snapshot], [true, cursor, 0]);
    await service.push(...items.slice(9));
    const frames = await second.feeds(9);
    assert.deepEqual(titles(frames), titlesOf(3, 12));
    assert.ok(frames.every(({ snapshot }) => !snapshot));
  });
  await context.test("a cursor that is not of this log goes on live and says so", async () => {
    await using client = await connect(service, key);
    const [epoch, seq] = (await client.settle()).cursor.split(".");
    for (const cursor of ["nonsense", "", `other.${seq}`, `${epoch}.${Number(seq) + 1}`, `${epoch}.-1`]) {
      const subscribed = await client.subscribe({ after: cursor, filters: { aggregators: ["after"] } });
      assert.deepEqual(
        [subscribed.resumed, subscribed.reason, subscribed.oldest],
        [false, "cursor_unknown", `${epoch}.0`],
      );
    }
    const known = notice({ source: "after" });
    await service.push(known);
    assert.equal((await client.next("feed")).data.title, known.title);
  });
  await context.test("from the very first item, when the cursor is the oldest", async () => {
    await using client = await connect(service, key);
    const { oldest = "" } = await client.subscribe({ filters, after: "unknown" });
    await client.subscribe({ filters, after: oldest });
    assert.deepEqual(titles(await client.feeds(12)), titlesOf(0, 12));
  });
  await context.test("on the restarted service, from the cursor in the reason of its 1012", async () => {
    const client = await connect(service, key);
    await client.subscribe({ filters });
    const last = notice({ source: "resume" });
    await service.push(last);
    const frame = await client.next("feed");
    await service.app[Symbol.asyncDispose]();
    const { code, reason } = await client.closed;
    assert.equal(code, 1012);
    assert.equal(reason, `cursor=${frame.cursor}`);
    await using again = await startService(engine, {
      dataDir: service.config.dataDir,
      databaseUrl: service.config.databaseUrl,
    });
    await using resumed = await connect(again, key);
    assert.equal((await resumed.subscribe({ filters, after: reason.slice("cursor=".length) })).resumed, true);
    await resumed.settle();
    const next = notice({ source: "resume" });
    await again.push(next);
    assert.equal((await resumed.next("feed")).data.title, next.title);
  });
});
