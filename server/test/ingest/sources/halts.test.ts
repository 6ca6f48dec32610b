import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { haltExchange, haltReason } from "../../../src/ingest/sources/halt-codes.ts";
import { haltCategory, haltsAdapter } from "../../../src/ingest/sources/halts.ts";
import { recordedFile, withRecorded } from "../../support/recorded.ts";

const source = sourceConfig.parse({
  name: "halts-x",
  id: "halts-x",
  provider: "nasdaqtrader",
  format: "halts",
  url: "https://halts.example/rss.aspx?feed=tradehalts",
  // Another zone than the list's: it is Eastern all the same.
  zone: "Asia/Tokyo",
});

const usual = {
  HaltDate: "03/02/2026",
  HaltTime: "09:45:10",
  IssueSymbol: "QLLN",
  IssueName: "Quillon Robotics Cm St",
  Market: "NASDAQ",
  ReasonCode: "T1",
  PauseThresholdPrice: "",
  ResumptionDate: "",
  ResumptionQuoteTime: "",
  ResumptionTradeTime: "",
};
function row(changes: Partial<typeof usual> = {}, prefix = "ndaq:"): string {
  const fields = Object.entries({ ...usual, ...changes }).map(([name, value]) =>
    value === "" ? `<${prefix}${name} />` : `<${prefix}${name}>${value}</${prefix}${name}>`,
  );
  return `<item><title>${changes.IssueSymbol ?? usual.IssueSymbol}</title><pubDate>Mon, 02 Mar 2026 05:00:00 GMT</pubDate>${fields.join("")}<description><![CDATA[<table><tr><td>T9</td></tr></table>]]></description></item>`;
}
const list = (rows: string, head = "<ttl>1</ttl>") =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel><title>t</title>${head}${rows}</channel></rss>`;
function parse(body: string, config = source) {
  const response = { url: config.url, headers: {}, body: Buffer.from(body), fetchedAt: new Date(0) };
  return haltsAdapter.parse(response, config);
}
const only = (changes: Partial<typeof usual>) => parse(list(row(changes))).items[0];

test("a halt: its instant is the Eastern one, its symbol names the exchange, and the list's pace is told", () => {
  const page = parse(list(row()));
  assert.deepEqual([page.ttlMs, page.salvaged, page.nextPage], [60_000, false, null]);
  assert.deepEqual(page.items, [
    {
      source: "halts-x",
      providerId: "nasdaqtrader",
      type: "news",
      identity: ["halt:QLLN:2026-03-02T09:45:10:T1"],
      claims: [],
      seenAt: new Date(0),
      title: "QLLN: trading halted (T1, news pending)",
      link: null,
      body: "Trading in Quillon Robotics Cm St (QLLN), listed on NASDAQ, was halted on 2026-03-02 at 09:45:10 ET. Reason T1: news pending.",
      publishedAt: new Date("2026-03-02T14:45:10Z"),
      precision: "second",
      language: "en",
      symbols: ["NASDAQ:QLLN"],
      isins: [],
      ciks: [],
      categories: [haltCategory, "T1"],
      filing: null,
      retracted: false,
    },
  ]);
  assert.equal(only({ HaltDate: "07/02/2026" })?.publishedAt?.toISOString(), "2026-07-02T13:45:10.000Z");
});

test("resumption times change the title and the text of a halt, not its identity", () => {
  const before = only({ ReasonCode: "LUDP", PauseThresholdPrice: "12.34" });
  const after = only({
    ReasonCode: "LUDP",
    PauseThresholdPrice: "12.34",
    ResumptionDate: "03/02/2026",
    ResumptionQuoteTime: "10:10:00",
    ResumptionTradeTime: "10:15:00",
  });
  assert.equal(before?.title, "QLLN: trading paused (LUDP, volatility trading pause)");
  assert.equal(after?.title, "QLLN: trading resumes 10:15 ET (LUDP, volatility trading pause)");
  assert.match(
    after?.body ?? "",
    /was paused on .* Pause threshold price 12\.34\. Quotation resumes on 2026-03-02 at 10:10 ET\. Trading resumes on 2026-03-02 at 10:15 ET\.$/,
  );
  assert.deepEqual(after?.identity, before?.identity);
  assert.deepEqual(after?.publishedAt, before?.publishedAt);
});

test("what is told of a resumption that is not yet complete, or on another day", () => {
  const title = (changes: Partial<typeof usual>) => only(changes)?.title;
  assert.equal(
    title({ ResumptionDate: "03/02/2026", ResumptionQuoteTime: "10:10:05" }),
    "QLLN: quotation resumes 10:10:05 ET (T1, news pending)",
  );
  assert.equal(
    title({ ResumptionDate: "03/03/2026", ResumptionTradeTime: "09:30:00" }),
    "QLLN: trading resumes 2026-03-03 09:30 ET (T1, news pending)",
  );
  assert.equal(
    title({ ResumptionDate: "03/03/2026" }),
    "QLLN: trading resumes 2026-03-03 (T1, news pending)",
  );
  assert.equal(title({ ReasonCode: "C3" }), "QLLN: trading to resume (C3, no news from the issuer)");
  assert.equal(title({ ReasonCode: "IPO1" }), "QLLN: not yet trading (IPO1, new issue)");
});

test("a code that is not in the table is shown as it is, and a halt without a code is still one", () => {
  const unknown = only({ ReasonCode: "ZZ9" });
  assert.deepEqual(
    [unknown?.title, unknown?.categories],
    ["QLLN: trading halted (ZZ9)", [haltCategory, "ZZ9"]],
  );
  const none = only({ ReasonCode: "" });
  assert.deepEqual(
    [none?.title, none?.identity, none?.categories],
    ["QLLN: trading halted", ["halt:QLLN:2026-03-02T09:45:10:none"], [haltCategory]],
  );
  assert.equal(haltReason("constructor"), null);
  assert.equal(haltExchange("constructor"), null);
});

test("times with a fraction, set apart by blanks or not, are the same halt", () => {
  const identities = ["09:45:10", "09:45:10.636", "9:45:10", "09:45:10                      .590"].map(
    (HaltTime) => only({ HaltTime })?.identity[0],
  );
  assert.deepEqual(new Set(identities), new Set(["halt:QLLN:2026-03-02T09:45:10:T1"]));
});

test("the market column names the exchange; of an unknown one the ticker alone is kept", () => {
  const markets: readonly (readonly [market: string, symbol: string])[] = [
    ["NASDAQ", "NASDAQ:QLLN"],
    ["Q", "NASDAQ:QLLN"],
    ["NYSE", "NYSE:QLLN"],
    ["NYSE American", "AMEX:QLLN"],
    ["NYSE MKT", "AMEX:QLLN"],
    ["NYSE Arca", "AMEX:QLLN"],
    ["BATS", "CBOE:QLLN"],
    ["Other-OTC", "OTC:QLLN"],
    ["Tidal Board", "QLLN"],
    ["", "QLLN"],
  ];
  for (const [Market, symbol] of markets) assert.deepEqual(only({ Market })?.symbols, [symbol], Market);
});

test("every code the exchanges document has a plain label", () => {
  const documented =
    "T1 T2 T3 T5 T6 T7 T8 T12 H4 H9 H10 H11 O1 LUDP LUDS M MWC0 MWC1 MWC2 MWC3 MWCQ IPO1 IPOQ IPOE M1 M2 D R1 R2 R4 R9 C3 C4 C9 C11";
  for (const code of documented.split(" "))
    assert.match(haltReason(code)?.label ?? "", /^[A-Za-z][\w -]+/, code);
});

test("any prefix of the namespace will do", () => {
  const [item] = parse(list(row({}, "n0:"))).items;
  assert.equal(item?.title, "QLLN: trading halted (T1, news pending)");
});

test("a cut list gives its complete rows; a row without symbol, date or time is left out, and both are told", () => {
  const whole = list(row() + row({ IssueSymbol: "HPKE" }));
  const cut = parse(whole.slice(0, whole.indexOf("HPKE") + 300));
  assert.deepEqual([cut.items.length, cut.salvaged], [1, true]);
  for (const broken of [
    { IssueSymbol: "" },
    { HaltDate: "02/31/2026" },
    { HaltTime: "25:00:00" },
    { HaltTime: "soon" },
  ]) {
    const page = parse(list(row(broken) + row({ IssueSymbol: "HPKE" })));
    assert.deepEqual([page.items.length, page.salvaged], [1, true], JSON.stringify(broken));
  }
  assert.throws(() => parse(list(row({ IssueSymbol: "" }))), ParseError);
});

test("a list without a halt is empty; what is no list is refused", () => {
  const quiet = parse(list("", "<ttl>99999999</ttl>"));
  assert.deepEqual([quiet.items, quiet.salvaged, quiet.ttlMs], [[], false, null]);
  for (const answer of ["", "<html><body>Access Denied</body></html>", '{"halts":[]}', "no list"])
    assert.throws(() => parse(answer), ParseError, answer);
});

test("hostile lists are bounded: deep nesting is refused, endless rows and long fields are cut", () => {
  assert.throws(() => parse(list(`${"<a>".repeat(50_000)}`)), ParseError);
  const long = only({ IssueName: "A".repeat(2_000_000) });
  assert.ok((long?.body.length ?? 0) < 2_000);
  assert.equal(parse(list(row().repeat(3_000))).items.length, 3_000);
  const endless = parse(list(row().repeat(20_000)));
  assert.deepEqual([endless.items.length, endless.cut !== null], [5_000, true]);
});

test("the recorded list: fourteen halts at their Eastern times", withRecorded, () => {
  const response = {
    url: source.url,
    headers: {},
    body: recordedFile("feeds/nasdaq_trade_halts_2023-06-19.xml"),
    fetchedAt: new Date(0),
  };
  const { items, ttlMs, salvaged } = haltsAdapter.parse(response, source);
  assert.deepEqual([items.length, ttlMs, salvaged], [14, 60_000, false]);
  assert.equal(items[0]?.publishedAt?.toISOString(), "2023-06-16T23:50:01.000Z");
  assert.equal(items.at(-1)?.publishedAt?.toISOString(), "2019-02-22T21:02:01.000Z");
  for (const { title, identity, symbols } of items) {
    assert.match(title ?? "", /^[A-Z]{2,5}: trading halted \(T12, additional information requested\)$/);
    assert.match(identity[0], /^halt:[A-Z]{2,5}:20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d:T12$/);
    assert.match(symbols[0] ?? "", /^NASDAQ:[A-Z]{2,5}$/);
  }
});
