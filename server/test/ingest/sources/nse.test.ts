import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { nseAdapter } from "../../../src/ingest/sources/nse.ts";

const source = sourceConfig.parse({
  name: "nse-india",
  id: "nse-announcements",
  provider: "nse-india",
  format: "nse",
  url: "https://archives.example/content/RSS/Online_announcements.xml",
  zone: "Asia/Kolkata",
  language: "en",
});

const attachment = "https://archives.example/corporate/BRACKMILLS_02032026154010_Notice.pdf";
function item(description: string, { title = "Brackwater Mills Limited", link = attachment } = {}): string {
  return `<item><title>${title}</title><link>${link}</link><description><![CDATA[${description}]]></description><pubDate>02-Mar-2026 15:40:12</pubDate></item>`;
}
function parse(items: string, config = source) {
  const body = Buffer.from(
    `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>${items}</channel></rss>`,
  );
  return nseAdapter.parse({ url: config.url, headers: {}, body, fetchedAt: new Date(0) }, config).items;
}

test("the subject follows the company's name in the title; the text keeps what was announced", () => {
  const [found] = parse(
    item(
      "Brackwater Mills Limited has informed the Exchange about Appointment of Ms. Oona V as CFO.|SUBJECT: Change in Management",
    ),
  );
  assert.equal(found?.title, "Brackwater Mills Limited: Change in Management");
  assert.equal(
    found?.body,
    "Brackwater Mills Limited has informed the Exchange about Appointment of Ms. Oona V as CFO.",
  );
  assert.deepEqual(found?.categories, ["Change in Management"]);
  assert.deepEqual([found?.link, found?.symbols], [attachment, ["NSE:BRACKMILLS"]]);
  assert.equal(found?.publishedAt?.toISOString(), "2026-03-02T10:10:12.000Z");
});

test("where the subject says nothing, or there is none, the title tells what the exchange was informed of", () => {
  const title = (text: string) => parse(item(text))[0]?.title;
  const told = "Brackwater Mills Limited: receipt of an order worth Rs. 12 crore";
  assert.equal(
    title(
      "Brackwater Mills Limited has informed the Exchange regarding receipt of an order worth Rs. 12 crore|SUBJECT: General Updates",
    ),
    told,
  );
  assert.equal(
    title(
      "Brackwater Mills Limited has informed the Exchange about receipt of an order worth Rs. 12 crore |SUBJECT: Updates",
    ),
    told,
  );
  assert.equal(title("receipt of an order worth Rs. 12 crore"), told);
  assert.equal(title(""), "Brackwater Mills Limited");
  assert.equal(title("|SUBJECT: Updates"), "Brackwater Mills Limited: Updates");
  const long = title(`has informed the Exchange about ${"tides and tar ".repeat(60)}`);
  assert.ok(long !== undefined && long !== null && long.length <= 251 && long.endsWith("…"));
});

test("the symbol is told by the attachment's name where that is one", () => {
  const symbols = (name: string) =>
    parse(item("x", { link: `https://archives.example/corporate/${name}` }))[0]?.symbols;
  assert.deepEqual(symbols("T%26T_02032026154010_Notice.pdf"), ["NSE:T_T"]);
  assert.deepEqual(symbols("BRACK-AUTO_02032026154010.pdf"), ["NSE:BRACK_AUTO"]);
  assert.deepEqual(symbols("xbrl/BRACKMILLS_02032026154010_CIM_15614_WEB.xml"), ["NSE:BRACKMILLS"]);
  for (const none of [
    "INDAS_117298_1348254_16012025082021.xml",
    "Announcement_02032026154010_154.zip",
    "INTEGRATED_FILING_INDAS_173420_02032026154010_WEB.html",
    "notice.pdf",
    "_02032026154010_Notice.pdf",
  ])
    assert.deepEqual(symbols(none), [], none);
});

test("announcements of one company without attachment are items of their own", () => {
  const nav = (day: string) =>
    item(`has informed the Exchange about declaration of NAV on March ${day}`, { link: "" });
  const identities = parse(nav("01") + nav("02") + nav("01")).map(({ identity }) => identity[0]);
  assert.equal(new Set(identities).size, 2);
  assert.equal(identities[0], identities[2]);
});

test("headline_only keeps the title that the text is needed for", () => {
  const text = "Brackwater Mills Limited has informed the Exchange about a fire.|SUBJECT: Fire at Mill 3";
  const [found] = parse(item(text), { ...source, headline_only: true });
  assert.equal(found?.title, "Brackwater Mills Limited: Fire at Mill 3");
});

test("a cut feed gives its complete items, and a page that is no feed is refused", () => {
  const body = `<rss version="2.0"><channel><title>t</title>${item("one|SUBJECT: One")}${item("two").slice(0, 60)}`;
  const response = { url: source.url, headers: {}, body: Buffer.from(body), fetchedAt: new Date(0) };
  const page = nseAdapter.parse(response, source);
  assert.deepEqual(
    [page.items.map(({ title }) => title), page.salvaged],
    [["Brackwater Mills Limited: One"], true],
  );
  const denied = { ...response, body: Buffer.from("<html><body>Access Denied</body></html>") };
  assert.throws(() => nseAdapter.parse(denied, source), ParseError);
});
