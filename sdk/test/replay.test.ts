import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Tapewire } from "tapewire";
import { anyEngine } from "../../server/test/support/db.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { notice, notices } from "../../server/test/support/stream-connect.ts";
import { collect } from "./support/collect.ts";

describe("replay", () => {
  let service: Service;
  let tw: Tapewire;
  const told = [...notices(3, { symbols: ["DEMO:RR"] }), notice(), notice({ symbols: ["DEMO:RR"] })];
  before(async () => {
    service = await startService(anyEngine);
    tw = new Tapewire({ baseUrl: service.url, key: (await service.key("enterprise")).key });
    for (const one of told) await service.push(one);
  });
  after(() => service[Symbol.asyncDispose]());

  test("gives the items of the log in order, from and to a time or a cursor", async () => {
    const all = await collect(tw.replay({ speed: "max" }));
    assert.deepEqual(
      all.map(({ item }) => item.title),
      told.map(({ title }) => title),
    );
    const [first, second, third, fourth] = all;
    const part = await collect(
      tw.replay({ speed: "max", after: first?.cursor ?? "", to: third?.cursor ?? "" }),
    );
    assert.deepEqual(part, [second, third]);
    const later = await collect(tw.replay({ speed: "max", from: fourth?.loggedAt ?? "" }));
    assert.deepEqual(later, all.slice(3));
    const some = await collect(
      tw.replay({ speed: "max", filters: { symbols: ["rr"], providers: ["nobody"] } }),
    );
    assert.deepEqual(some, []);
    assert.equal((await collect(tw.replay({ speed: "max", filters: { symbols: ["rr"] } }))).length, 4);
  });

  test("keeps the pauses, divided by the speed", async () => {
    const due: number[] = [];
    const pages = [
      { at: "2026-01-05T10:00:00.000Z", next: "a" },
      { at: "2026-01-05T10:00:20.000Z", next: "b" },
      { at: "2026-01-05T10:00:10.000Z", next: null },
    ];
    let read = 0;
    const paging: typeof fetch = async () => {
      const page = pages[read++];
      const data = [{ cursor: "x", seq: read, logged_at: page?.at, latency: null, data: {} }];
      return new Response(JSON.stringify({ data, cursor: "x", next_cursor: page?.next ?? null }));
    };
    const paused = new Tapewire({ baseUrl: "http://127.0.0.1:1", key: "k", fetch: paging });
    const startMs = performance.now();
    for await (const { seq } of paused.replay({ speed: 1_000 })) due[seq] = performance.now() - startMs;
    assert.equal(due.length, 4);
    // Waits are at least as long as asked for; how much longer is the machine's affair.
    assert.ok((due[2] ?? 0) >= 19 && (due[1] ?? 0) < (due[2] ?? 0) && (due[3] ?? 0) >= (due[2] ?? 0));
  });

  test("an abort ends a pause, and a speed out of range is refused at once", async () => {
    const stopper = new AbortController();
    const slow = tw.replay({ speed: 1, signal: stopper.signal });
    await slow.next();
    const rest = collect(slow);
    stopper.abort(new Error("enough"));
    await assert.rejects(rest, /enough/);
    for (const speed of [0, 1_001, Number.NaN]) assert.throws(() => tw.replay({ speed }), RangeError);
  });
});
