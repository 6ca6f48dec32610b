import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { FetchError } from "../../../src/ingest/fetch/types.ts";
import { PageReader } from "../../../src/ingest/reading/page-reader.ts";
import { adapters } from "../../../src/ingest/sources/adapters.ts";
import { blank, submission } from "../../support/edgar-filings.ts";

const source = sourceConfig.parse({
  name: "reader",
  id: "reader",
  provider: "reader",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});
const items = Array.from(
  { length: 3_000 },
  (_, n) => `<item><title>Halvorn Biotech ${n}</title><guid>hb-${n}</guid></item>`,
);
const answer = (text: string) => ({
  url: source.url,
  headers: {},
  body: Buffer.from(text),
  fetchedAt: new Date(0),
});
const feed = answer(`<rss version="2.0"><channel><title>t</title>${items.join("")}</channel></rss>`);
const { signal } = new AbortController();
const account = () => ({ source, spent: { readingMs: 0 }, signal });

test("an answer read in a thread gives what it gives when it is read at once", async () => {
  await using inThread = new PageReader(adapters, { onLoopBytes: 0 });
  await using atOnce = new PageReader(adapters, { onLoopBytes: feed.body.byteLength });
  const whose = account();
  assert.deepEqual(await inThread.page(feed, whose), await atOnce.page(feed, account()));
  assert.ok(whose.spent.readingMs > 0, "its time is charged to the source");
  await assert.rejects(inThread.page(answer("<html></html>"), account()), {
    name: "ParseError",
    message: "the answer is an HTML page, not a feed",
  });
});

test("of a source that keeps headlines only no text passes, whatever its format", async () => {
  await using inThread = new PageReader(adapters, { onLoopBytes: 0 });
  await using atOnce = new PageReader(adapters);
  const edgar = { ...source, format: "edgar", headline_only: true } as const;
  const told = answer(
    "<rss version='2.0'><channel><item><title>Halvorn sells a plant</title><description>For $4 million.</description></item><item><description>No headline.</description></item></channel></rss>",
  );
  const report = answer(
    submission("8-K", [
      "<html><body><p>Item 2.02 Results of Operations and Financial Condition.</p><p>Revenue rose.</p></body></html>",
    ]),
  );
  for (const reader of [inThread, atOnce]) {
    const texts = async (of: typeof source, page: typeof told) =>
      (await reader.page(page, { ...account(), source: of })).items.map(({ title, body }) => [title, body]);
    assert.deepEqual(await texts(source, told), [
      ["Halvorn sells a plant", "For $4 million."],
      [null, "No headline."],
    ]);
    assert.deepEqual(await texts({ ...source, headline_only: true }, told), [
      ["Halvorn sells a plant", ""],
      [null, ""],
    ]);
    const read = await reader.withDocuments(blank, [report], { ...account(), source: edgar });
    const whole = await reader.withDocuments(blank, [report], {
      ...account(),
      source: { ...edgar, headline_only: false },
    });
    assert.deepEqual({ ...whole, body: "" }, read);
    assert.deepEqual(read.filing?.items, ["2.02"]);
    assert.match(whole.body, /Revenue rose/);
  }
});

test("an answer that takes too long cannot be read, and its source is charged the deadline", async () => {
  await using reader = new PageReader(adapters, { onLoopBytes: 0, deadlineMs: 1 });
  const whose = account();
  await assert.rejects(reader.page(feed, whose), /takes too long to read/);
  assert.equal(whose.spent.readingMs, 1);
});

test("JSON of brackets alone is refused before it is parsed", async () => {
  await using reader = new PageReader(adapters);
  for (const brackets of [
    "[".repeat(5_000_000),
    `{"version":"https://jsonfeed.org/version/1","x":[${"{},".repeat(3_000_000)}1]}`,
  ])
    await assert.rejects(reader.page(answer(brackets), account()), /more than 1000000 objects and arrays/);
});

test("more large answers than may wait are refused, small ones are not; a closed reader reads nothing", async () => {
  const reader = new PageReader(adapters, { onLoopBytes: 0, largeBytes: 100_000, waitingBytes: 300_000 });
  const first = reader.page(feed, account());
  await assert.rejects(reader.page(feed, account()), (error) => error instanceof FetchError);
  const small = reader.page(
    answer('<rss version="2.0"><channel><item><title>One</title></item></channel></rss>'),
    account(),
  );
  assert.deepEqual([(await first).items.length, (await small).items.length], [3_000, 1]);
  await reader[Symbol.asyncDispose]();
  await assert.rejects(reader.page(feed, account()), (error) => !(error instanceof ParseError));
});
