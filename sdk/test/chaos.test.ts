/**
 * The service is killed and started again under load, behind a line that cuts, stalls and delays: once, in two rounds of
 * faults, and after each of twenty rounds with TAPEWIRE_CHAOS=full. Every consumer ends with exactly what the log holds for
 * its filters.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Tapewire } from "tapewire";
import { ChaosService } from "../../server/test/chaos/chaos-service.ts";
import { Pusher } from "../../server/test/chaos/pusher.ts";
import { onPostgres } from "../../server/test/support/db.ts";
import { isFull } from "../../server/test/support/full-length.ts";
import { until } from "../../server/test/support/receiver.ts";
import { badLine } from "./support/bad-line.ts";
import { Reader } from "./support/reader.ts";

const rounds = isFull ? 20 : 2;
const itemsPerSecond = isFull ? 200 : 100;
/** Between two faults of a round. */
const calmMs = isFull ? 1_000 : 500;
const slownessMs = (10 * 1_000) / itemsPerSecond;

onPostgres(
  "through kills, cuts, stalls and delays each stream gives every item once and in order, to a slow consumer too",
  async (context) => {
    await using chaos = await ChaosService.start();
    await using line = await badLine(() => chaos.url);
    const tw = new Tapewire({ baseUrl: line.url, key: chaos.key });
    await using cleanup = new AsyncDisposableStack();
    const readers = [
      new Reader(tw, { filters: {} }),
      new Reader(tw, { filters: { symbols: ["DEMO:CH1", "CH2"] } }),
      new Reader(tw, { filters: { tags: { market: ["stock"] }, exchanges: ["DEMO"] } }),
      new Reader(tw, { filters: { sentiment_min: 6 }, transport: "sse" }),
      new Reader(tw, { filters: {} }, { slownessMs }),
      new Reader(tw, { filters: {}, transport: "sse" }, { slownessMs }),
    ];
    cleanup.defer(async () => void (await Promise.all(readers.map((reader) => reader.stop()))));
    await until(() => readers.every(({ isLive }) => isLive), "all are live");
    const begin = (await chaos.log()).entries.at(-1)?.seq ?? 0;
    const pusher = cleanup.use(new Pusher(chaos, itemsPerSecond));
    for (let n = 0; n < rounds; n++) {
      line.delay(n % 2 === 0 ? 0 : 100);
      await sleep(calmMs);
      line.cut();
      await sleep(500);
      if (n % 2 === 0) line.stall();
      await sleep(calmMs);
      if (isFull || n === 0) await chaos.kill();
    }
    await pusher.stop();
    for (const reader of readers) reader.slownessMs = 0;
    const { entries } = await chaos.log();
    const isDone = (reader: Reader) => reader.lastSeq === (reader.owed(entries, begin).at(-1)?.seq ?? 0);
    await until(() => readers.every(isDone), "everything has come", 60_000);
    for (const reader of readers) reader.check(entries, begin);
    const reconnects = readers.map((reader) => reader.reconnects);
    context.diagnostic(`${entries.length} items; connections lost by each: ${reconnects.join(", ")}`);
    assert.ok(reconnects.every((count) => count > 0));
  },
  { timeout: (rounds * 15 + 100) * 1_000 },
);
