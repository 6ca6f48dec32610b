import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { StreamClosed, Tapewire, UnsupportedByTransport } from "tapewire";
import { anyEngine } from "../../server/test/support/db.ts";
import { until } from "../../server/test/support/receiver.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { notice, notices } from "../../server/test/support/stream-connect.ts";
import { collect, isItem, take, titlesOf } from "./support/collect.ts";

const marked = (symbol: string) => ({ filters: { symbols: [symbol] } });

for (const transport of ["websocket", "sse"] as const)
  describe(`stream by ${transport}`, () => {
    let service: Service;
    let tw: Tapewire;
    before(async () => {
      service = await startService(anyEngine);
      tw = new Tapewire({ baseUrl: service.url, key: (await service.key("enterprise")).key });
    });
    after(() => service[Symbol.asyncDispose]());
    const isAlone = async () => {
      const text = await (await service.admin("GET", "/metrics")).text();
      const open = [...text.matchAll(/^tapewire_stream_connections\{[^}]*\} (\d+)/gm)];
      return open.length > 0 && open.every(([, count]) => count === "0");
    };

    test("a snapshot, then live items; the cursor of what was handled resumes", async () => {
      const [a, b, c, d] = [notice(), notice(), notice(), notice()];
      await service.push(a);
      await service.push(b);
      await using stream = tw.stream({ snapshot: 2, transport });
      assert.equal(stream.cursor, null);
      const snapshot = await take(stream, 2);
      assert.deepEqual(titlesOf(snapshot), [a.title, b.title]);
      assert.ok(snapshot.filter(isItem).every((event) => event.snapshot && event.latency !== null));
      await service.push(c, d);
      const [first] = await take(stream, 1);
      const before = stream.cursor;
      await take(stream, 1);
      assert.equal(
        stream.cursor,
        first?.type === "item" ? first.cursor : "",
        "handled when more is asked for",
      );
      assert.notEqual(stream.cursor, before);
      const again = await collect(tw.stream({ after: stream.cursor, transport }), 1);
      assert.deepEqual(titlesOf(again), [d.title]);
    });

    test("leaving the loop, an abort and close end the connection", async () => {
      await service.push(notice());
      for await (const event of tw.stream({ snapshot: 1, transport })) if (isItem(event)) break;
      await until(isAlone, "the loop that was left closed its connection");

      const stopper = new AbortController();
      const aborted = tw.stream({ transport, states: true, signal: stopper.signal });
      const ended = collect(aborted);
      await until(() => aborted.state === "live", "live");
      stopper.abort(new Error("enough"));
      await assert.rejects(ended, /enough/);
      await until(isAlone, "the abort closed its connection");
      await assert.rejects(tw.stream({ transport, signal: stopper.signal }).next(), /enough/);

      const closed = tw.stream({ transport });
      const rest = collect(closed);
      await until(() => closed.state === "live", "live");
      await closed.close();
      assert.deepEqual([await rest, closed.state], [[], "closed"]);
      await until(isAlone, "close closed its connection");
    });

    test("update replaces the filters; filters that are refused leave the old ones", async () => {
      await using stream = tw.stream({ ...marked("DEMO:AA"), transport });
      const first = take(stream, 1);
      await until(() => stream.state === "live", "live");
      const [a, b, c] = [
        notice({ symbols: ["DEMO:AA"] }),
        notice({ symbols: ["DEMO:BB"] }),
        notice({ symbols: ["DEMO:BB"] }),
      ];
      await service.push(b, a);
      assert.deepEqual(titlesOf(await first), [a.title]);
      await stream.update({ symbols: ["DEMO:BB"] });
      await assert.rejects(stream.update({ tags: { market: ["nope"] } }), StreamClosed);
      const second = take(stream, 1);
      await service.push(notice({ symbols: ["DEMO:AA"] }), c);
      assert.deepEqual(titlesOf(await second), [c.title]);
    });

    test("filters that change before the connection is there are in force when update says so", async () => {
      await using stream = tw.stream({ ...marked("DEMO:AA"), transport, states: true });
      await take(stream, 1);
      assert.equal(stream.state, "connecting");
      await stream.update({ symbols: ["DEMO:CC"] });
      const wanted = notice({ symbols: ["DEMO:CC"] });
      await service.push(notice({ symbols: ["DEMO:AA"] }), wanted);
      let event = await stream.next();
      while (event.value?.type === "state") event = await stream.next();
      assert.deepEqual(titlesOf(event.value ? [event.value] : []), [wanted.title]);
    });

    test("a stream that has ended refuses new filters", async () => {
      const stream = tw.stream({ transport });
      await stream.close();
      await assert.rejects(stream.update({}), { name: "StreamClosed", code: 1000 });
    });

    test("what the service refuses for good ends the stream with its code", async () => {
      const wrong = tw.stream({ filters: { tags: { market: ["nope"] } }, transport });
      const code = transport === "sse" ? 400 : "invalid_frame";
      await assert.rejects(wrong.next(), { name: "StreamClosed", code });
      assert.deepEqual([(await wrong.next()).done, wrong.state], [true, "closed"]);
      const stranger = new Tapewire({ baseUrl: service.url, key: "tw_live_nobody" });
      await assert.rejects(stranger.stream({ transport }).next(), { code: 401 });
    });

    test("a key that was refused is replaced once", async () => {
      const { key } = await service.key("enterprise");
      const asked: boolean[] = [];
      const renewing = (refused?: string) => {
        asked.push(refused !== undefined);
        return asked.includes(true) ? key : "tw_live_old";
      };
      const other = new Tapewire({ baseUrl: service.url, key: renewing });
      await using stream = other.stream({ transport, snapshot: 1 });
      await take(stream, 1);
      assert.equal(asked.filter(Boolean).length, 1);
    });

    test("a cursor of another log is a gap, which the list fills", async () => {
      const told = [notice({ symbols: ["DEMO:GG"] }), notice({ symbols: ["DEMO:GG"] })];
      await service.push(...told);
      const at = { after: "elsewhere.7", ...marked("DEMO:GG"), transport };
      await using stream = tw.stream({ ...at, fill: { since: new Date(Date.now() - 60_000) } });
      const [gap, ...filled] = await take(stream, 3);
      assert.ok(gap?.type === "gap");
      assert.deepEqual([gap.from, gap.reason, gap.filled], ["elsewhere.7", "cursor_unknown", true]);
      assert.deepEqual(
        titlesOf(filled),
        told.map(({ title }) => title),
      );
      assert.equal(stream.cursor, "elsewhere.7", "an unfinished gap is met again");
      const live = notice({ symbols: ["DEMO:GG"] });
      const next = take(stream, 1);
      await service.push(live);
      assert.deepEqual(titlesOf(await next), [live.title]);
      assert.equal(stream.cursor, gap.to);
      const unfilled = await collect(tw.stream({ ...at, fill: true }), 1);
      assert.equal(unfilled[0]?.type === "gap" && unfilled[0].filled, false);
    });

    test("a checkpoint is loaded at the begin and saved at the end", async () => {
      const saved: string[] = [];
      const checkpoint = { load: () => saved.at(-1), save: (cursor: string) => void saved.push(cursor) };
      const [a, b] = [notice(), notice()];
      const stream = tw.stream({ checkpoint, transport });
      const both = take(stream, 2);
      await until(() => stream.state === "live", "live");
      await service.push(a, b);
      assert.deepEqual(titlesOf(await both), [a.title, b.title]);
      await stream.close();
      assert.equal(saved.at(-1), stream.cursor);
      const again = await collect(tw.stream({ checkpoint, transport }), 1);
      assert.deepEqual(titlesOf(again), [b.title], "the one that was not known to be handled");
      const stopper = new AbortController();
      const aborted = tw.stream({ checkpoint, transport, signal: stopper.signal });
      const [last] = await take(aborted, 1);
      const next = aborted.next();
      await until(() => last?.type === "item" && aborted.cursor === last.cursor, "it is handled");
      stopper.abort(new Error("enough"));
      await assert.rejects(next, /enough/);
      assert.equal(saved.at(-1), aborted.cursor, "what an abort ends is saved too");
    });

    test("what a checkpoint throws ends the stream", async () => {
      const fails = () => {
        throw new Error("disk full");
      };
      const unread = tw.stream({ checkpoint: { load: fails, save: () => {} }, transport });
      await assert.rejects(unread.next(), /disk full/);
      assert.equal((await unread.next()).done, true);
      const unsaved = tw.stream({ checkpoint: { load: () => null, save: fails }, transport });
      await assert.rejects(collect(unsaved), /disk full/);
    });

    test("a consumer that takes nothing for a while loses nothing, and may change the filters meanwhile", async () => {
      const sent: string[] = [];
      class Noting extends WebSocket {
        override send(text: string): void {
          sent.push(JSON.parse(text).type);
          super.send(text);
        }
      }
      let blocks = 0;
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          blocks += Buffer.from(chunk).toString("latin1").split("\n\n").length - 1;
          controller.enqueue(chunk);
        },
      });
      const noting = async (...args: Parameters<typeof fetch>) => {
        const response = await fetch(...args);
        return blocks > 0 ? response : new Response(response.body?.pipeThrough(counting), response);
      };
      const { key } = await service.key("enterprise");
      const noted = new Tapewire({ baseUrl: service.url, key, WebSocket: Noting, fetch: noting });
      await using stream = noted.stream({ ...marked("DEMO:SLOW"), transport });
      const first = take(stream, 1);
      await until(() => stream.state === "live", "live");
      const many = notices(3_000, { symbols: ["DEMO:SLOW"] });
      const batches = Array.from({ length: 6 }, (_, n) => many.slice(500 * n, 500 * (n + 1)));
      for (const batch of batches) await service.push(...batch);
      const events = await first;
      // What fits are a thousand items, and before them come a greeting and an answer.
      await until(() => sent.includes("unsubscribe") || blocks > 1_002, "delivery was stopped");
      await stream.update({ symbols: ["DEMO:SLOW", "DEMO:LATE"] });
      events.push(...(await take(stream, 2_999)));
      const late = notice({ symbols: ["DEMO:LATE"] });
      await service.push(late);
      events.push(...(await take(stream, 1)));
      assert.deepEqual(
        titlesOf(events),
        [...many, late].map(({ title }) => title),
      );
    });
  });

test("filters that server-sent events do not have are refused, not left out", async () => {
  const tw = new Tapewire({ baseUrl: "http://127.0.0.1:1", key: "k" });
  const many = Array.from({ length: 51 }, (_, n) => `S${n}`);
  for (const filters of [{ providers: ["p"] }, { symbols: many }, { aggregators: ["a,b"] }])
    assert.throws(() => tw.stream({ filters, transport: "sse" }), UnsupportedByTransport);
  tw.stream({ filters: { providers: ["p"] } });
  tw.stream({ filters: { providers: [], symbols: null }, transport: "sse" });
});
