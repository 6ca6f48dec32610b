import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { type FeedItem, feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import WebSocket from "ws";
import { z } from "zod";
import { anyEngine } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { recordedFile, recordedLines, withRecorded } from "../support/recorded.ts";
import { startService } from "../support/service.ts";
import { type Filing, renderPage } from "../support/tape.ts";

const submissionLine = z.object({
  kind: z.literal("edgar_filing_sgml"),
  file: z.string(),
  accession: z.string(),
  form: z.string(),
  accepted_et: z.string(),
  item_numbers: z.array(z.string()),
  names: z.array(z.string()),
  ciks: z.array(z.string()),
});

const feeds = [
  "feeds/reuters_business_2019.xml",
  "feeds/slashdot.rdf.xml",
  "feeds/theverge.atom.xml",
  "feeds/daringfireball.json",
  "feeds/windows1251.xml",
  "feeds/wire_shapes/globenewswire_public_companies.xml",
  "feeds/notafeed.html",
];

/** The recordings as live sources: feeds, the list of current filings, and documents of some of them. */
function recordedSources(filings: ReadonlyMap<string, string>, current: readonly Filing[]) {
  return listenLocally((request, response) => {
    const url = new URL(request.url ?? "/", "http://recorded");
    const accession = /\/([\d-]+)(?:\.txt|-index\.htm)$/.exec(url.pathname)?.[1];
    const document = accession === undefined ? undefined : filings.get(accession);
    if (document !== undefined) return response.end(recordedFile(document));
    if (url.pathname === "/current") {
      const start = Number(url.searchParams.get("start") ?? 0);
      return response.end(Buffer.from(renderPage(current, start, 100), "latin1"));
    }
    if (url.pathname === "/cgi-bin/browse-edgar") {
      const page = String(url.searchParams.get("start") ?? 0).padStart(4, "0");
      return response.end(recordedFile(`edgar/getcurrent/2025-12-12T180331_all_p${page}.atom`));
    }
    const name = url.pathname.slice(1);
    return feeds.includes(name) ? response.end(recordedFile(name)) : response.writeHead(404).end();
  });
}

/** Filings with a recorded document: the document's file by accession, and their lines in the list of current ones. */
function recordedFilings(): { documents: ReadonlyMap<string, string>; current: readonly Filing[] } {
  const submissions = recordedLines("manifest.jsonl")
    .flatMap((line) => submissionLine.safeParse(line).data ?? [])
    .filter(({ form }) => form === "8-K" || form === "4");
  const current = submissions.map(
    ({ accession, form, accepted_et, item_numbers, names, ciks }): Filing => ({
      accession,
      form,
      accepted: accepted_et,
      filed: accepted_et.slice(0, 10),
      items: item_numbers,
      parties: names.map((name, index) => [
        ciks[index] ?? "0000000001",
        name,
        form === "4" && index > 0 ? "Reporting" : form === "4" ? "Issuer" : "Filer",
      ]),
    }),
  );
  return { documents: new Map(submissions.map(({ accession, file }) => [accession, file])), current };
}

/** The feeds, EDGAR's list with its pages, and EDGAR with the documents. */
function sourcesAt(origin: string) {
  const edgar = {
    name: "sec-edgar",
    provider: "sec",
    format: "edgar",
    type: "filing",
    interval_s: 1,
    requests_per_s: 100,
  };
  return [
    ...feeds.map((path, index) => ({
      id: `feed-${index}`,
      name: `feed-${index}`,
      provider: "recorded",
      format: "feed",
      url: `${origin}/${path}`,
      interval_s: 1,
      requests_per_s: 100,
    })),
    {
      ...edgar,
      id: "edgar-pages",
      url: `${origin}/cgi-bin/browse-edgar?action=getcurrent&count=100&start=0`,
      documents: false,
      max_pages: 3,
    },
    {
      ...edgar,
      id: "edgar-documents",
      url: `${origin}/current?count=100`,
      archives_url: `${origin}/Archives`,
    },
  ];
}

/** A client that takes everything, and the ids of what it was sent. */
async function streamAll(url: string, key: string) {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  const streamed = new Set<string>();
  socket.on("message", (data) => {
    const frame = z
      .looseObject({ type: z.string(), data: z.looseObject({ id: z.string() }).optional() })
      .parse(JSON.parse(data.toString()));
    if (frame.type === "feed" && frame.data !== undefined) streamed.add(frame.data.id);
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "subscribe", filters: {}, snapshot: 500 }));
  return { streamed, socket };
}

test(
  "recorded feeds and EDGAR pages, served as live sources, are read, linked, tagged, scored, listed and streamed",
  withRecorded,
  async (context) => {
    const { documents, current } = recordedFilings();
    await using server = await recordedSources(documents, current);
    using folder = temporaryFolder();
    const sourcesFile = writeSources(folder.path, sourcesAt(server.origin));
    await using service = await startService(anyEngine, { sourcesFile });
    const { key } = await service.key("enterprise");
    const { streamed, socket } = await streamAll(service.app.wsUrl, key);
    const sources = async () =>
      sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json()).data;
    for (;;) {
      const now = await sources();
      const read = now.filter(({ last_ok_at }) => last_ok_at !== null).length;
      const edgar = now.find(({ id }) => id === "edgar-documents");
      const isRead = (edgar?.items ?? 0) >= current.length && edgar?.pending_documents === 0;
      if (read === now.length - 1 && isRead) break;
      await sleep(20);
    }
    assert.match(
      (await sources()).find(({ url }) => url.endsWith("notafeed.html"))?.last_error ?? "",
      /HTML page, not a feed/,
    );

    const items = await everyItem(service, key);
    assertJudged(items);
    const eightK = items.find(({ filing }) => filing?.accession === "0001193125-23-048785");
    assert.ok(eightK !== undefined);
    const detail = feedItemDetail.parse(await (await service.get(`/v1/feeds/${eightK.id}`, key)).json());
    assert.ok((detail.summary ?? "").length > 20, "its documents were read");
    assert.deepEqual(new Set(items.map(({ id }) => id)).size, items.length);
    // What was stored last may still be on its way; what never comes ends in the test's time-out.
    while (!items.every(({ id }) => streamed.has(id))) await sleep(20);
    context.diagnostic(`${items.length} items listed, ${streamed.size} streamed`);
    socket.terminate();
  },
);

/** Linked, tagged and scored, each source as it is known to be. */
function assertJudged(items: readonly FeedItem[]): void {
  const of = (source: string) => items.filter((item) => item.source === source);
  for (const [index, path] of feeds.entries())
    if (!path.endsWith("html")) assert.ok(of(`feed-${index}`).length > 0, path);
  assert.ok(
    items.every(({ scoring, language }) =>
      language === null || language === "en"
        ? scoring.actionability !== null && scoring.sentiment_score !== null
        : scoring.actionability === null && scoring.sentiment_score === null,
    ),
    "every item is scored, but those in a language that no model knows",
  );
  assert.ok(of("feed-4").every(({ language, scoring }) => language === "ru" && scoring.model === null));
  assert.ok(
    of("sec-edgar").filter(({ symbols }) => symbols.length > 0).length > 50,
    "filings are linked by CIK",
  );
  assert.ok(
    of("sec-edgar").filter(({ tags }) => tags.market_country?.includes("US")).length > 50,
    "and tagged",
  );
  assert.deepEqual(
    of("feed-5")[0]?.symbols.map(({ short_symbol }) => short_symbol),
    ["IPS"],
    "a wire's own ticker category links",
  );
  assert.match(of("feed-4")[0]?.title ?? "", /[а-я]/i, "windows-1251 is decoded");
}

async function everyItem(
  service: { get(path: string, key: string): Promise<Response> },
  key: string,
): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = feedList.parse(
      await (
        await service.get(`/v1/feeds?limit=1000${cursor === "" ? "" : `&cursor=${cursor}`}`, key)
      ).json(),
    );
    items.push(...page.data);
    cursor = page.next_cursor;
  }
  return items;
}
