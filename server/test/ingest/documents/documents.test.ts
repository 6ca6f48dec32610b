import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { anyEngine } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { temporaryFolder, writeSources } from "../../support/process.ts";
import { startService } from "../../support/service.ts";
import { type Filing, renderPage } from "../../support/tape.ts";

const filing = (n: number, form: string): Filing => ({
  accession: `0009999999-26-00000${n}`,
  form,
  accepted: "2026-03-02T16:31:54-05:00",
  filed: "2026-03-02",
  items: form === "8-K" ? ["2.02"] : [],
  parties: [["0009999999", "TIDEWANE SHIPPING CORP", "Filer"]],
});

/** The page of a filing that names its documents. */
const indexPage = (accession: string) => `<html><body>
<div id="formHeader"><div id="formName"><strong>Form 8-K</strong> - Current report:</div>
<div id="secNum"><strong>SEC Accession No.</strong> ${accession}</div></div>
<table class="tableFile" summary="Document Format Files">
<tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>
<tr><td>1</td><td>CURRENT REPORT</td><td><a href="/Archives/edgar/data/9999999/tidewane.htm">tidewane.htm</a></td><td>8-K</td><td>4096</td></tr>
</table></body></html>`;
const report = `<html><body><p>Item 2.02 Results of Operations and Financial Condition.</p>
<p>Tidewane Shipping reported quarterly revenue of $84 million, up from $61 million a year earlier.</p></body></html>`;

/** The file of sources of a service that reads EDGAR there. */
const edgarAt = (origin: string, folder: string, more: object = {}): string =>
  writeSources(folder, [
    {
      ...{ id: "edgar", name: "sec-edgar", provider: "sec", format: "edgar", type: "filing" },
      ...{ url: `${origin}/current?count=100`, archives_url: `${origin}/Archives` },
      requests_per_s: 100,
      ...more,
    },
  ]);

test("a filing is in the feed at once, and its document makes a revision of it", async () => {
  const asked: string[] = [];
  await using server = await listenLocally((request, response) => {
    const url = new URL(request.url ?? "/", "http://edgar");
    if (url.pathname === "/current") {
      const page = renderPage([filing(1, "424B2"), filing(2, "8-K"), filing(3, "8-K")], 0, 100);
      return response.end(
        Buffer.from(url.searchParams.get("start") === null ? page : renderPage([], 0, 0), "latin1"),
      );
    }
    if (url.pathname.endsWith("/tidewane.htm")) return response.end(report);
    asked.push(url.pathname);
    // Listed before it can be read, as on EDGAR: the first answer is "not there".
    const there = asked.filter((one) => one === url.pathname).length > 1;
    const accession = /([\d-]+)-index\.htm$/.exec(url.pathname)?.[1] ?? "";
    return there ? response.end(indexPage(accession)) : response.writeHead(404).end();
  });
  using folder = temporaryFolder();
  const sourcesFile = edgarAt(server.origin, folder.path, { interval_s: 1 });
  await using service = await startService(anyEngine, { sourcesFile });
  const { key } = await service.key("pro");
  const listed = async () => feedList.parse(await (await service.get("/v1/feeds", key)).json()).data;
  while ((await listed()).length < 3) await delay(50);
  assert.ok(
    (await listed()).every(({ revision }) => revision === 0),
    "no document was there yet",
  );
  while ((await listed()).filter(({ status }) => status === "revised").length < 2) await delay(50);
  const items = await listed();
  assert.ok(
    items.every(({ published_at, id }, n) => published_at >= (items[n + 1]?.published_at ?? "") && id !== ""),
    "a revision keeps the item's place",
  );
  for (const { id, filing } of items) {
    if (filing?.form !== "8-K") continue;
    const detail = feedItemDetail.parse(await (await service.get(`/v1/feeds/${id}`, key)).json());
    assert.match(detail.summary ?? "", /\$84 million/);
  }
  assert.equal(asked.length, 4, "each document is asked for until it is there, and not by every poll");
});

test("of a submission that is too large, the index page and the first document are read", async () => {
  const asked: string[] = [];
  const statement = "<html><body><p>Sablewood Partners holds 7.4% of Tidewane Shipping.</p></body></html>";
  await using server = await listenLocally((request, response) => {
    const url = new URL(request.url ?? "/", "http://edgar");
    const isList = url.pathname === "/current";
    if (!isList) asked.push(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
    if (isList) {
      const filings = url.searchParams.get("start") === null ? [filing(1, "SC 13D"), filing(2, "8-K")] : [];
      return response.end(Buffer.from(renderPage(filings, 0, filings.length), "latin1"));
    }
    const accession = /([\d-]+)-index\.htm$/.exec(url.pathname)?.[1];
    const isSecond = url.pathname.includes("26000002");
    if (accession !== undefined) {
      const page = indexPage(accession);
      return response.end(isSecond ? page : page.replaceAll("8-K", "SC 13D"));
    }
    if (url.pathname.endsWith("/tidewane.htm") && !isSecond) return response.end(statement);
    // A document and a submission of which only the length is told.
    return response.writeHead(200, { "content-length": 16 * 1024 * 1024 }).flushHeaders();
  });
  using folder = temporaryFolder();
  const sourcesFile = edgarAt(server.origin, folder.path);
  await using service = await startService(anyEngine, { sourcesFile });
  const { key } = await service.key("pro");
  const listed = async () => feedList.parse(await (await service.get("/v1/feeds", key)).json()).data;
  const stake = async () =>
    (await listed()).find(({ filing: of, status }) => of?.form === "SC 13D" && status === "revised");
  for (let tries = 0; (await stake()) === undefined; tries++) {
    assert.ok(tries < 200, "it was not read");
    await delay(50);
  }
  const detail = feedItemDetail.parse(
    await (await service.get(`/v1/feeds/${(await stake())?.id}`, key)).json(),
  );
  assert.match(detail.summary ?? "", /holds 7\.4% of Tidewane/);
  const [first, second] = ["0009999999-26-000001", "0009999999-26-000002"];
  while (asked.length < 5) await delay(50);
  assert.deepEqual(asked.toSorted(), [
    `${first}-index.htm`,
    `${first}.txt`,
    `${second}-index.htm`,
    "tidewane.htm",
    "tidewane.htm",
  ]);
});
