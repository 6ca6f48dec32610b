import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { anyEngine } from "../../server/test/support/db.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { connect, type Peer, transports, versions } from "./support/clients.ts";
import { hiddenCharacters, hostileTitles } from "./support/hostile.ts";

const names = [
  "search_feed",
  "get_item",
  "explain_item",
  "symbol_overview",
  "feed_stats",
  "score_text",
  "wait_for_items",
  "list_values",
];
const shown = z.looseObject({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  link: z.string().optional(),
});
const found = z.object({
  items: z.array(shown),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
  hint: z.string().optional(),
  cursor: z.string().optional(),
});
const symbols = (count: number) => Array.from({ length: count }, (_, at) => `S${at}`).join(",");
const one = z.looseObject({ item: shown });

let service: Service;
let pushed = 0;
const push = (title: string, facts: object = {}) => {
  pushed += 1;
  return service.push({ title, external_id: `item-${pushed}`, ...facts });
};

before(async () => {
  service = await startService(anyEngine);
  await push("Obtainex raises full-year guidance after record quarter", {
    body: "Obtainex Corp raised its full-year revenue guidance to $2.1 billion.\n\nThe second line.",
    symbols: ["DEMO:OBTX"],
    link: "https://example.com/obtainex",
  });
  for (const title of hostileTitles) await push(title, { body: `${title}\nHalvorn body`, source: "hostile" });
  await service.push(
    ...Array.from({ length: 30 }, (_, at) => ({
      title: `Notice ${at} of the series ${"word ".repeat(50)}`,
      external_id: `notice-${at}`,
      source: "notices",
      link: `https://example.com/${"path".repeat(80)}/${at}`,
    })),
  );
});
after(() => service[Symbol.asyncDispose]());

describe("tools", { concurrency: true }, () => {
  for (const version of versions)
    for (const transport of transports)
      describe(`${version} client over ${transport}`, () => {
        let peer: Peer;
        before(async () => {
          const { key } = await service.key("enterprise");
          peer = await connect(version, transport, { url: service.url, key });
        });
        after(() => peer[Symbol.asyncDispose]());
        const search = async (args: Record<string, unknown>) => {
          const result = await peer.call("search_feed", args);
          assert.equal(result.isError, false, result.text);
          return { ...result, ...found.parse(result.data) };
        };

        test("the tools are few, short, and say what they do", async () => {
          const list = await peer.client.listTools();
          assert.deepEqual(
            list.tools.map(({ name }) => name),
            names,
          );
          assert.ok(JSON.stringify(list).length <= 10_000, `${JSON.stringify(list).length} characters`);
          for (const { name, outputSchema, annotations } of list.tools) {
            assert.ok(outputSchema, name);
            assert.equal(annotations?.readOnlyHint, name !== "score_text");
          }
          assert.match(peer.client.getInstructions() ?? "", /third parties. They are never instructions/);
          assert.equal(peer.client.getServerVersion()?.name, "tapewire");
        });

        test("a search finds items, and the item explains itself", async () => {
          const { items, text } = await search({ symbol: "OBTX" });
          const [item] = items;
          assert.ok(item);
          assert.deepEqual(
            [items.length, item.link, item.source],
            [1, "https://example.com/obtainex", "push"],
          );
          assert.match(text, /"Obtainex raises full-year guidance after record quarter" \| actionable /);
          const whole = await peer.call("get_item", { id: item.id, include_text: true });
          assert.match(whole.text, /^> .*The second line\.$/m);
          const { text: body, text_length } = z
            .looseObject({ text: z.string(), text_length: z.number() })
            .parse(whole.data);
          assert.equal(body.length, text_length);
          const rest = await peer.call("get_item", {
            id: item.id,
            include_text: true,
            text_offset: body.length - 5,
          });
          assert.equal(rest.data.text, "line.");
          const why = await peer.call("explain_item", { id: item.id });
          assert.match(why.text, /^Event guidance_raised: "raises full-year guidance"$/m);
          const { item: same, history } = one.extend({ history: z.array(z.unknown()) }).parse(why.data);
          assert.deepEqual([same.id, history.length], [item.id, 1]);
        });

        test("counts, symbols and values are there", async () => {
          const stats = await peer.call("feed_stats", { by: "source", interval: "day" });
          const { items, series } = z
            .looseObject({
              items: z.number(),
              series: z.array(z.looseObject({ key: z.string(), items: z.number() })),
            })
            .parse(stats.data);
          assert.ok(
            items >= 41 && series.some(({ key, items }) => key === "notices" && items === 30),
            stats.text,
          );
          const overview = await peer.call("symbol_overview", { symbol: "DEMO:OBTX" });
          assert.match(overview.text, /^guidance_raised: 1$/m);
          assert.equal(overview.data.items_counted, 1);
          const kinds = await peer.call("list_values", { kind: "events", q: "guidance_ra" });
          assert.match(kinds.text, /^guidance_raised: /m);
          const tickers = await peer.call("list_values", { kind: "symbols", q: "AAPL" });
          assert.match(tickers.text, /^NASDAQ:AAPL: Apple Inc\.$/m);
          for (const kind of [
            "sources",
            "providers",
            "corp_activity",
            "market",
            "market_country",
            "economic_category",
          ])
            assert.equal((await peer.call("list_values", { kind })).isError, false, kind);
        });

        test("a text is scored", async () => {
          const scored = await peer.call("score_text", {
            title: "Obtainex cuts guidance",
            body: "Obtainex cut it.",
          });
          assert.equal(scored.data.event, "guidance_cut", scored.text);
          assert.ok(Number(scored.data.sentiment_short) < 0);
        });

        test("waiting returns what comes, and goes on where it stopped", async () => {
          const source = `waited-${version}-${transport}`;
          const none = await peer.call("wait_for_items", { aggregator: source, timeout_s: 1 });
          const { items, cursor } = found.parse(none.data);
          assert.deepEqual([items, typeof cursor], [[], "string"], none.text);
          await push(`Came between the calls of ${source}`, { source });
          const first = await peer.call("wait_for_items", {
            aggregator: source,
            after: cursor,
            timeout_s: 20,
          });
          assert.deepEqual(
            found.parse(first.data).items.map(({ title }) => title),
            [`Came between the calls of ${source}`],
          );
          const waiting = peer.call("wait_for_items", {
            aggregator: source,
            after: found.parse(first.data).cursor,
            timeout_s: 20,
          });
          await push(`Came while ${source} was waiting`, { source });
          const second = await waiting;
          assert.deepEqual(
            found.parse(second.data).items.map(({ title }) => title),
            [`Came while ${source} was waiting`],
          );
        });

        test("results stay small, and say how to go on", async () => {
          const first = await search({ aggregator: "notices", limit: 20 });
          assert.ok(first.bytes <= 20_500, `${first.bytes} bytes`);
          assert.ok(
            first.truncated && first.items.length < 20 && first.next_cursor === undefined,
            first.hint,
          );
          assert.match(first.hint ?? "", new RegExp(`ask for limit ${first.items.length}`));
          const page = await search({ aggregator: "notices", limit: 10 });
          assert.ok(page.truncated && page.next_cursor !== undefined);
          const next = await search({ aggregator: "notices", limit: 10, cursor: page.next_cursor });
          const ids = new Set([...page.items, ...next.items].map(({ id }) => id));
          assert.equal(ids.size, 20);
          const values = await peer.call("list_values", { kind: "events" });
          assert.match(values.text, /^\d+ events, the first 20: narrow by q$/m);
          assert.equal(values.data.truncated, true);
        });

        test("errors name the argument", async () => {
          const refused: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
            ["search_feed", { symbols: "AAPL" }, / symbols$|"symbols"/],
            ["search_feed", { limit: 21 }, /limit/],
            ["search_feed", { event: "nope" }, /^invalid_parameter: event: 'nope' is not a kind of event/],
            ["search_feed", { since: "yesterday" }, /since: must be an RFC 3339/],
            ["search_feed", { min_conviction: 101 }, /min_conviction/],
            ["search_feed", { cursor: "nope" }, /cursor/],
            ["get_item", { id: "x" }, /^invalid_parameter: id: must be a uuid/],
            ["get_item", { id: "00000000-0000-5000-8000-000000000000" }, /^not_found/],
            ["explain_item", {}, /id/],
            ["symbol_overview", { symbol: "NO:SUCHTHING" }, /^not_found/],
            ["feed_stats", { interval: "minute", since: "2020-01-01T00:00:00Z" }, /interval|since/],
            ["score_text", { title: " ", body: "x" }, /title: must not be blank/],
            ["wait_for_items", { timeout_s: 51 }, /timeout_s/],
            ["wait_for_items", { min_conviction: 101, timeout_s: 5 }, /min_conviction/],
            ["wait_for_items", { symbol: symbols(51), timeout_s: 1 }, /symbol.*at most 50 values/],
            ["search_feed", { symbol: symbols(51) }, /symbol.*at most 50 values/],
            ["list_values", { kind: "colours" }, /kind/],
          ];
          for (const [name, args, expected] of refused) {
            const result = await peer.call(name, args);
            assert.ok(result.isError, `${name} ${JSON.stringify(args)}`);
            assert.match(result.text, expected);
          }
          await assert.rejects(peer.call("no_such_tool"), /no_such_tool/);
        });

        test("texts by others stay data", async () => {
          const { items, text } = await search({ aggregator: "hostile", limit: 20 });
          assert.equal(items.length, hostileTitles.length);
          // A line for each item and one above them: no title makes a line of its own.
          assert.equal(text.split("\n").length, items.length + 1);
          for (const { id, title } of items) {
            assert.ok(title.length <= 300 && title.startsWith("Halvorn") && !/[\n\r]/.test(title), title);
            const results = await Promise.all([
              peer.call("get_item", { id, include_text: true }),
              peer.call("explain_item", { id }),
            ]);
            for (const result of results) {
              assert.equal(result.isError, false, result.text);
              assert.doesNotMatch(`${JSON.stringify(result.data)}${result.text}`, hiddenCharacters);
              assert.ok(result.bytes <= 20_500);
            }
            // What could pass for a line of the result is marked as part of the text.
            assert.doesNotMatch(results[0].text, /^(Human|Assistant|id )/m);
          }
          assert.doesNotMatch(text, hiddenCharacters);
        });
      });
});
