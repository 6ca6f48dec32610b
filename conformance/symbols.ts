import assert from "node:assert/strict";
import { planNames } from "@tapewire/contract/plans.ts";
import { symbolDetail, symbolList } from "@tapewire/contract/reference.ts";
import type { Live } from "./live.ts";
import { isServedSvg } from "./providers.ts";
import type { Section } from "./section.ts";

const list = async (live: Live, query: Readonly<Record<string, string | number>> = {}) =>
  (await live.get("/v1/symbols", { query })).read(symbolList).data;
const one = async (live: Live, ticker: string) =>
  (await live.get(`/v1/symbols/${encodeURIComponent(ticker)}`)).read(symbolDetail);

/** The words of a name, without accents. */
const wordsOf = (name: string) =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .match(/[\p{L}\p{N}]+/gu) ?? [];

export const symbols: Section = {
  name: "GET /v1/symbols",
  rules: {
    "200 is {data} of tracked tickers, 500 at most when limit is absent": async (live) => {
      const all = await list(live, { limit: 2000 });
      assert.deepEqual(await list(live), all.slice(0, 500));
      const names = all.map(({ symbol }) => symbol);
      assert.equal(new Set(names).size, names.length);
    },
    "limit 1 to 2000": async (live) => {
      const all = await list(live, { limit: 2000 });
      assert.ok(all.length > 2 && all.length <= 2000);
      for (const limit of [1, 2, 1999]) assert.deepEqual(await list(live, { limit }), all.slice(0, limit));
    },
    "400 for a limit outside 1 to 2000, or not an integer": async (live) => {
      for (const limit of ["0", "-1", "2001", "1.5", "", "x", "1e3", "9".repeat(20)])
        await live.refuses("invalid_parameter", "GET", "/v1/symbols", {
          query: { limit },
          fields: ["limit"],
        });
      await live.refuses("invalid_parameter", "GET", "/v1/symbols", { query: "limit=1&limit=1" });
    },
    "q: at most 20, each with a ticker or word of the name that begins so; first the ticker itself": async (
      live,
    ) => {
      const [largest] = await list(live, { limit: 1 });
      const ticker = largest?.short_symbol ?? "";
      for (const q of [ticker, ticker.toLowerCase(), ticker.slice(0, 1)]) {
        const found = await list(live, { q });
        assert.ok(found.length > 0 && found.length <= 20);
        for (const { short_symbol, name } of found)
          assert.ok(
            [short_symbol, ...wordsOf(name ?? "")].some((word) =>
              word.toLowerCase().startsWith(q.toLowerCase()),
            ),
            `${short_symbol} ${name}`,
          );
      }
      assert.equal((await list(live, { q: ticker }))[0]?.short_symbol, ticker);
      assert.equal((await list(live, { q: ticker.slice(0, 1), limit: 3 })).length, 3);
      assert.deepEqual(await list(live, { q: `zz${live.run}zz` }), []);
    },
    "400 for a q that is blank, too long or given twice": async (live) => {
      for (const q of ["", " ", "x".repeat(65)])
        await live.refuses("invalid_parameter", "GET", "/v1/symbols", { query: { q }, fields: ["q"] });
      await live.refuses("invalid_parameter", "GET", "/v1/symbols", { query: "q=a&q=b", fields: ["q"] });
    },
    "{ticker}: 200 has metadata and the feed count": async (live, items) => {
      const symbol = `${items.exchanges[0]}:${items.tickers[1]}`;
      const own = items.all.filter((item) => item.symbols.some((ref) => ref.symbol === symbol));
      const found = await one(live, items.tickers[1]);
      assert.deepEqual(
        [found.symbol, found.short_symbol, found.exchange, found.feed_count, found.feed_count_24h],
        [symbol, items.tickers[1], items.exchanges[0], own.length, 0],
      );
      assert.equal(found.latest_at, own[0]?.published_at);
    },
    "{ticker}: EXCHANGE:TICKER is the symbol on one exchange": async (live, items) => {
      for (const exchange of items.exchanges) {
        const symbol = `${exchange}:${items.tickers[0]}`;
        const own = items.all.filter((item) => item.symbols.some((ref) => ref.symbol === symbol));
        const found = await one(live, symbol);
        assert.deepEqual([found.symbol, found.feed_count], [symbol, own.length]);
      }
    },
    "{ticker}: a ticker without an exchange has none": async (live, items) => {
      const found = await one(live, items.tickers[2]);
      assert.deepEqual([found.symbol, found.exchange], [items.tickers[2], null]);
      assert.ok(found.feed_count > 0);
    },
    "{ticker}: lines are the symbols with the ticker, with the feed count of each": async (live, items) => {
      const { lines } = await one(live, items.tickers[0]);
      for (const exchange of items.exchanges) {
        const symbol = `${exchange}:${items.tickers[0]}`;
        const own = items.all.filter((item) => item.symbols.some((ref) => ref.symbol === symbol));
        assert.equal(lines.find((line) => line.symbol === symbol)?.feed_count, own.length);
      }
      assert.deepEqual((await one(live, items.tickers[2])).lines, []);
    },
    "{ticker}: upper and lower case are equal": async (live, items) => {
      assert.deepEqual(await one(live, items.tickers[1].toLowerCase()), await one(live, items.tickers[1]));
    },
    "{ticker}: the largest of the list can be read and used as symbol": async (live) => {
      for (const { symbol } of await list(live, { limit: 10 })) {
        assert.equal((await one(live, symbol)).symbol, symbol);
        await live.get("/v1/feeds", { query: { symbol, limit: 1 } });
      }
    },
    "{ticker}: 404 for an unknown symbol": async (live) => {
      for (const ticker of [`NO${live.run}`, `NASDAQ:NO${live.run}`, "%E2%82%AC", "'", ":", "A:B:C"])
        await live.refuses("not_found", "GET", `/v1/symbols/${ticker}`);
    },
    "the service serves the logo": async (live) => {
      for (const { logo } of await list(live, { limit: 3 })) await isServedSvg(live, logo);
    },
    "on every plan": async (live) => {
      for (const plan of planNames)
        await live.get("/v1/symbols", { key: await live.key(plan), query: { limit: 1 } });
    },
  },
};
