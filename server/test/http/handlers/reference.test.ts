import assert from "node:assert/strict";
import { countryCodes } from "@tapewire/contract/countries.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import {
  provider,
  providerList,
  sourceDetail,
  sourceList,
  symbolDetail,
  symbolEntry,
  symbolList,
  tagDimensionValues,
  tagList,
} from "@tapewire/contract/reference.ts";
import { tagDimensions } from "@tapewire/contract/tags.ts";
import { z } from "zod";
import { Engine } from "../../../src/score/engine.ts";
import { onAnyEngine } from "../../support/db.ts";
import { dictionary } from "../../support/dictionary.ts";
import { startService } from "../../support/service.ts";
import { ahead, clock, hourMs, laterMs, providers, Reader, seed } from "./reference/reader.ts";

onAnyEngine("reference reads", async (context, engine) => {
  ahead.ms = 0;
  await using service = await startService(engine, { clock });
  const { key } = await service.key("enterprise");
  const reader = new Reader(service, key);
  const firstId = await seed(service);

  await context.test("are on every plan, and want a key", async () => {
    const { key: free } = await service.key("free");
    for (const name of ["providers", "providers/sec", "sources", "symbols/AAPL", "tags", "tags/market"]) {
      assert.equal((await service.get(`/v1/${name}`, free)).status, 200, name);
      assert.equal((await service.get(`/v1/${name}`)).status, 401, name);
    }
  });

  await context.test("providers: those configured and those that items name, by name", async () => {
    const { data } = await reader.read("/v1/providers", providerList);
    z.array(provider.strict()).parse(data);
    const ids = data.map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), [...providers.map(({ id }) => id), "harbor-post"].toSorted());
    const names = data.map(({ name }) => name);
    assert.deepEqual(names, names.toSorted(new Intl.Collator("en").compare));
    for (const { id, name, url, kind } of providers) {
      const { name: shown, url: address, kind: sort } = data.find((entry) => entry.id === id) ?? {};
      assert.deepEqual([shown, address, sort], [name, url, kind]);
    }
    for (const entry of data)
      assert.deepEqual(await reader.read(`/v1/providers/${entry.id}`, provider), entry);
  });

  await context.test("a provider that only items name goes by its id", async () => {
    const { logo, latest_at, ...rest } = await reader.read("/v1/providers/harbor-post", provider);
    assert.deepEqual(rest, { id: "harbor-post", name: "harbor-post", url: null, kind: null, feed_count: 2 });
    assert.equal(logo, `${service.url}/logos/harbor-post.svg`);
    assert.ok(latest_at !== null);
    const silent = await reader.read("/v1/providers/sec", provider);
    assert.deepEqual([silent.feed_count, silent.latest_at], [0, null]);
    for (const id of ["nobody", "SEC", "%00", "a%20b"]) await reader.refusal(`/v1/providers/${id}`, 404);
  });

  await context.test(
    "sources: every aggregator name once; the detail counts what the list finds",
    async () => {
      const { data } = await reader.read("/v1/sources", sourceList);
      assert.deepEqual(data, ["brandmoor", "push"]);
      for (const name of data) {
        const detail = await reader.read(`/v1/sources/${name}`, sourceDetail);
        assert.equal(detail.feed_count, await reader.found(`aggregator=${name}`));
      }
      assert.equal((await reader.read("/v1/sources/push", sourceDetail)).feeds_24h, 5);
      await reader.refusal("/v1/sources/nobody", 404);
    },
  );

  await context.test("symbols: 500, or as many as asked for, 1 to 2000", async () => {
    const list = async (query: string) => (await reader.read(`/v1/symbols${query}`, symbolList)).data;
    const most = await list("?limit=2000");
    z.array(symbolEntry.strict()).parse(most);
    assert.equal(most.length, 2_000);
    assert.deepEqual(await list(""), most.slice(0, 500));
    for (const limit of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1_999])
      assert.deepEqual(await list(`?limit=${limit}`), most.slice(0, limit));
    for (const limit of ["0", "2001", "-1", "1.5", "x", "", "1e3"]) {
      const { errors } = await reader.refusal(`/v1/symbols?limit=${limit}`, 400);
      assert.deepEqual(
        errors?.map((error) => [error.in, error.name]),
        [["query", "limit"]],
        limit,
      );
    }
  });

  await context.test(
    "symbols: largest first, a ticker once, and each is read by its short symbol",
    async () => {
      const { data } = await reader.read("/v1/symbols?limit=2000", symbolList);
      assert.equal(new Set(data.map(({ short_symbol }) => short_symbol)).size, data.length);
      const { symbols: table } = new Engine();
      const ranks = data.map(({ symbol }) => table.get(symbol)?.rank ?? Number.NaN);
      assert.deepEqual(
        ranks,
        ranks.toSorted((a, b) => a - b),
      );
      const isShare = data.map(({ symbol }) => /^(stock|dr)$/.test(table.get(symbol)?.type ?? ""));
      for (const [at, share] of isShare.entries())
        assert.ok(!share || ranks[at] !== ranks[at - 1] || isShare[at - 1], data[at]?.symbol);
      for (let at = 0; at < data.length; at += 67) {
        const entry = data[at];
        const path = `/v1/symbols/${encodeURIComponent(entry?.short_symbol ?? "")}`;
        assert.deepEqual(symbolEntry.parse(await reader.read(path, symbolDetail)), entry);
      }
    },
  );

  await context.test("a symbol is found in any case, by ticker or line, percent-encoded or not", async () => {
    const apple = await reader.read("/v1/symbols/AAPL", symbolDetail);
    const { latest_at, logo, lines: _, ...known } = apple;
    assert.deepEqual(known, {
      short_symbol: "AAPL",
      symbol: "NASDAQ:AAPL",
      exchange: "NASDAQ",
      name: "Apple Inc.",
      logoid: "apple",
      country: "US",
      type: "stock",
      sector: "Information Technology",
      cik: "0000320193",
      aliases: ["Apple", "Apple Computer"],
      delisted_on: null,
      feed_count: 2,
      feed_count_24h: 1,
    });
    assert.equal(logo, `${service.url}/logos/apple.svg`);
    const newest = feedList.parse(await (await service.get("/v1/feeds?symbol=AAPL&limit=1", key)).json());
    assert.equal(latest_at, newest.data[0]?.published_at);
    for (const form of ["aapl", "Aapl", "NASDAQ:AAPL", "nasdaq:aapl", "nasdaq%3Aaapl", "%41APL"])
      assert.deepEqual(await reader.read(`/v1/symbols/${form}`, symbolDetail), apple, form);
    for (const form of ["BRK.B", "brk.b", "BRK%2EB", "NYSE%3abrk.b"])
      assert.equal((await reader.read(`/v1/symbols/${form}`, symbolDetail)).symbol, "NYSE:BRK.B", form);
    assert.equal((await reader.read("/v1/symbols/nva%2Fw", symbolDetail)).symbol, "AMEX:NVA/W");
  });

  await context.test("a symbol that only items name is answered with what is known", async () => {
    const unknown = {
      name: null,
      logoid: null,
      country: null,
      type: null,
      sector: null,
      cik: null,
      aliases: [],
      delisted_on: null,
    };
    const cases: [asked: string, symbol: string, exchange: string | null, count: number][] = [
      ["zzqxj", "BAR:ZZQXJ", "BAR", 3],
      ["foo:zzqxj", "FOO:ZZQXJ", "FOO", 1],
      ["QXJZW", "QXJZW", null, 1],
    ];
    for (const [asked, symbol, exchange, count] of cases) {
      const { latest_at, logo, lines: _, ...rest } = await reader.read(`/v1/symbols/${asked}`, symbolDetail);
      const short_symbol = asked.slice(asked.indexOf(":") + 1).toUpperCase();
      const counts = { feed_count: count, feed_count_24h: count };
      assert.deepEqual(rest, { ...unknown, short_symbol, symbol, exchange, ...counts });
      assert.equal(logo, `${service.url}/logos/${short_symbol.toLowerCase()}.svg`);
      assert.ok(latest_at !== null);
    }
    const ended = await reader.read("/v1/symbols/twtr", symbolDetail);
    assert.deepEqual([ended.name, ended.feed_count, ended.feed_count_24h], ["Twitter, Inc.", 1, 0]);
    assert.deepEqual([ended.latest_at, ended.delisted_on], ["2020-03-02T14:30:00.000Z", "2022-10-28"]);
  });

  await context.test("a symbol without items has counts of zero, an unknown one is 404", async () => {
    const silent = await reader.read("/v1/symbols/MSFT", symbolDetail);
    assert.deepEqual([silent.feed_count, silent.feed_count_24h, silent.latest_at], [0, 0, null]);
    assert.equal(silent.symbol, "NASDAQ:MSFT");
    for (const form of [
      "NOSUCHTICKER",
      "NOWHERE:AAPL",
      ":",
      "AAPL:",
      ":AAPL",
      "%00",
      "A_PL",
      "__PL",
      "AAPL%20X",
    ])
      await reader.refusal(`/v1/symbols/${form}`, 404);
  });

  await context.test("a feed count is the number of items that the list finds by the symbol", async () => {
    for (const asked of [
      "AAPL",
      "NASDAQ:AAPL",
      "BRK.B",
      "OBTX",
      "NVA/W",
      "ZZQXJ",
      "BAR:ZZQXJ",
      "TWTR",
      "BHP",
      "ASX:BHP",
    ]) {
      const detail = await reader.read(`/v1/symbols/${encodeURIComponent(asked)}`, symbolDetail);
      assert.ok(detail.feed_count > 0, asked);
      assert.equal(detail.feed_count, await reader.found(`symbol=${encodeURIComponent(asked)}`), asked);
    }
  });

  await context.test(
    "tags: four dimensions in order, with every value of the dictionary, also without items",
    async () => {
      const { data } = await reader.read("/v1/tags", tagList);
      assert.deepEqual(
        data.map(({ dimension }) => dimension),
        tagDimensions,
      );
      for (const entry of data) {
        assert.equal(entry.label, dictionary.tags[entry.dimension].label);
        if (entry.dimension !== "market_country")
          assert.deepEqual(
            entry.values.map(({ count: _, ...value }) => value),
            dictionary.tags[entry.dimension].values,
          );
        assert.deepEqual(await reader.read(`/v1/tags/${entry.dimension}`, tagDimensionValues), entry);
      }
      assert.ok(data[0]?.values.some(({ count }) => count === 0));
    },
  );

  await context.test(
    "tags: a count is the number of items that the list finds, and countries are those with data",
    async () => {
      const { data } = await reader.read("/v1/tags", tagList);
      for (const { dimension, values } of data)
        for (const { value, count } of values)
          if (count > 0) assert.equal(count, await reader.found(`${dimension}=${value}`), value);
      const earnings = data[0]?.values.find(({ value }) => value === "earnings");
      assert.ok((earnings?.count ?? 0) > 0);
      const countries = data.find(({ dimension }) => dimension === "market_country")?.values ?? [];
      assert.ok(countries.every(({ count }) => count > 0));
      assert.equal(countries.find(({ value }) => value === "US")?.label, "United States");
      assert.equal(countries.find(({ value }) => value === "AU")?.label, "Australia");
      const listed = new Set(countries.map(({ value }) => value));
      const others = [...countryCodes].filter((code) => !listed.has(code));
      for (let start = 0; start < others.length; start += 50)
        assert.equal(await reader.found(`market_country=${others.slice(start, start + 50)}`), 0);
    },
  );

  await context.test("an unknown dimension is 400 and names the four", async () => {
    for (const name of ["sector", "MARKET", "%00", "market%20", "__proto__"]) {
      const { errors, detail } = await reader.refusal(`/v1/tags/${name}`, 400);
      assert.deepEqual(
        errors?.map((error) => [error.in, error.name]),
        [["path", "dimension"]],
      );
      for (const dimension of tagDimensions) assert.ok(detail.includes(dimension), detail);
    }
  });

  await context.test(
    "what a revision takes from an item is no longer counted; a withdrawn item still is",
    async () => {
      const revised = {
        title: "Eighth words, corrected",
        symbols: ["DEMO:OBTX"],
        tags: ["ipo"],
        external_id: "8",
      };
      assert.equal((await service.push(revised))[0]?.status, "revised");
      assert.equal((await service.admin("DELETE", `/admin/v1/items/${firstId}`)).status, 200);
      const bhp = await reader.read("/v1/symbols/ASX:BHP", symbolDetail);
      assert.deepEqual([bhp.feed_count, bhp.feed_count_24h, bhp.latest_at], [0, 0, null]);
      assert.equal((await reader.read("/v1/symbols/OBTX", symbolDetail)).feed_count, 2);
      assert.equal(
        (await reader.read("/v1/symbols/AAPL", symbolDetail)).feed_count,
        await reader.found("symbol=AAPL"),
      );
      ahead.ms += laterMs;
      const { values } = await reader.read("/v1/tags/market_country", tagDimensionValues);
      assert.ok(values.every(({ value }) => value !== "AU"));
    },
  );

  await context.test("lists follow the items, and the last day moves on", async () => {
    await service.push({ title: "Ninth words", symbols: ["FX:EURUSD"], provider: "late-post" });
    ahead.ms += laterMs;
    const providersNow = (await reader.read("/v1/providers", providerList)).data;
    assert.equal(providersNow.find(({ id }) => id === "late-post")?.feed_count, 1);
    // Of those of one rank, shares lead, then the one with items.
    const [share, first] = (await reader.read("/v1/symbols?limit=2", symbolList)).data;
    assert.deepEqual([share?.short_symbol, first?.short_symbol], ["NVDA", "EURUSD"]);
    assert.equal((await reader.read("/v1/symbols/OBTX", symbolDetail)).feed_count_24h, 2);
    ahead.ms += 25 * hourMs;
    const { feed_count, feed_count_24h } = await reader.read("/v1/symbols/OBTX", symbolDetail);
    assert.deepEqual([feed_count, feed_count_24h], [2, 0]);
  });
});
