import assert from "node:assert/strict";
import test from "node:test";
import { linkingTable } from "../../eval/linking.ts";
import { finiteVerb, plainVerb } from "../../src/linking/names/verbs.ts";
import { linkSymbols } from "../../src/linking/symbols.ts";

const table = linkingTable();
const link = (title: string, body = ""): readonly string[] =>
  linkSymbols(table, { title, body }, { symbols: [], isins: [], ciks: [] }).map(({ symbol }) => symbol);

/** @param cases headline and the symbol that leads; "" for none */
const leads = (cases: readonly (readonly [string, string])[]): void => {
  for (const [title, symbol] of cases) assert.equal(link(title)[0] ?? "", symbol, title);
};

test("a short name links before any verb of business, in every style of headline", () => {
  leads([
    ["Lockheed Lands $12.5bn order", "NYSE:LMT"],
    ["Ford calls back 1.4 million F-150s", "NYSE:F"],
    ["Ford now sees adjusted EBIT of $6 billion", "NYSE:F"],
    ["Strategy scoops up another 8,178 bitcoins", "NASDAQ:MSTR"],
    ["Novo sweetens its offer for Metsera", "NYSE:NVO"],
    ["MARVELL ERASES LOSS, UP 6% POSTMARKET", "NASDAQ:MRVL"],
    ["Shell under pressure from activist", "NYSE:SHEL"],
    ["Apple, Visa in talks over card", "NASDAQ:AAPL"],
    ["Block to lay off 900", "NYSE:XYZ"],
    ["Vertex pain drug gets wider cover", "NASDAQ:VRTX"],
  ]);
});

test("a short name links as the object of what brokers, bidders and regulators do", () => {
  leads([
    ["Wedbush Moves Snowflake to Sidelines", "NYSE:SNOW"],
    ["Judge clears Tempur Sealy to close deal", "NYSE:SGI"],
    ["FDA labels Baxter pump correction a recall", "NYSE:BAX"],
    ["Texas clears Constellation's Calpine purchase", "NASDAQ:CEG"],
    ["Goldman Names Delta a Top Pick", "NYSE:DAL"],
    ["Novelis fire will cost Ford up to $2 bln", "NYSE:F"],
  ]);
  assert.deepEqual(link("WBD rebuffs third Paramount approach"), ["NASDAQ:WBD", "NASDAQ:PSKY"]);
});

test("a short name links before the notation of results", () => {
  leads([
    ["Whirlpool 3Q Adj EPS $2.09 Vs. $1.41 View", "NYSE:WHR"],
    ["*SNOWFLAKE 3Q PRODUCT REV. $1.16B, EST. $1.12B", "NYSE:SNOW"],
    ["Ross comps leap 7%", "NASDAQ:ROST"],
    ["Emcor lifts outlook", "NYSE:EME"],
  ]);
});

test("a large company's ticker is a name where it acts; initials and words in capitals are not", () => {
  leads([
    ["HOOD +4% after-hours; SEC drops case", "NASDAQ:HOOD"],
    ["MRNA: FDA panel votes 11-3 in favor of shot", "NASDAQ:MRNA"],
    ["NVDA CEO done selling shares", "NASDAQ:NVDA"],
    ["SNAP benefits lapse for millions", ""],
    ["LIVE: president addresses Congress", ""],
    ["BIO urges Congress to act on vouchers", ""],
  ]);
});

test("a short name that the rest of the text writes in full means that company", () => {
  const title = "Vertex Announces Phase 2 Results of VX-993";
  assert.equal(link(title, "Vertex Pharmaceuticals Incorporated today announced results.")[0], "NASDAQ:VRTX");
  assert.equal(
    link("Target hearing moved to May", "The retailer Target Corporation said on Monday.")[0],
    "NYSE:TGT",
  );
});

test("a short name of several companies means the one whose field the text tells of, or none", () => {
  leads([
    ["Viking obesity shot misses goal; shares tumble", "NASDAQ:VKTX"],
    ["Viking lifts outlook on river bookings", "NYSE:VIK"],
    ["United woos flyers with free Starlink", "NASDAQ:UAL"],
    ["United Nations warns of famine", ""],
    ["Norwegian government wins confidence vote", ""],
    ["Norwegian cuts yield outlook, following Royal Caribbean", "NYSE:NCLH"],
  ]);
});

test("words, persons and places do not link because a verb follows them", () => {
  for (const title of [
    "Whirlpool swallows three boats",
    "Gap widens between rich and poor",
    "Principal suspended after assault",
    "Strategy to fight drug cartels unveiled",
    "Tyson returns to ring at 59",
    "Abbott signs Texas map into law",
    "Brady opens museum in Boston",
    "Cleveland names new police chief",
    "USS Gerald R. Ford enters Caribbean Sea",
    "Eaton fire survivors sue utility",
    "Free Cash Flow Target Lifted to $3 Billion by Utility",
    "Orange juice prices surge",
    "Fires in Amazon rage on",
  ])
    assert.deepEqual(link(title), [], title);
});

test("where somebody worked before is no party, unless the former employer was wronged", () => {
  for (const title of [
    "Startup works with ex-Ralph Lauren executive on handbags",
    "Former Tesla manager starts battery recycler",
    "Startup led by Tesla alumni raises $300 million",
    "One-time Amazon executive to lead Postal Service",
  ])
    assert.deepEqual(link(title), [], title);
  leads([["Ex-Google engineer convicted of stealing AI secrets", "NASDAQ:GOOGL"]]);
});

test("who counted what the news is about is no party; who is told of itself is", () => {
  for (const title of [
    "ADP: Private Employers Shed 32,000 Jobs",
    "Companies added 42,000 jobs in October, ADP says",
    "Euro-zone factory activity stalls, S&P Global survey shows",
    "Zillow: Typical Rent Up 2.3% From Year Ago",
    "Adobe: Cyber Monday Sales Hit $14.25 Billion",
    "PC Shipments Rise 8% in Third Quarter, Gartner Says",
  ])
    assert.deepEqual(link(title), [], title);
  leads([
    ["ADP lifts dividend as profit rises", "NASDAQ:ADP"],
    ["Zillow cuts jobs", "NASDAQ:ZG"],
    ["Adobe lifts outlook", "NASDAQ:ADBE"],
  ]);
});

test("a coin with the name of a thing is met only in texts of coins", () => {
  assert.deepEqual(link("Cosmos mission returns asteroid dust"), []);
  assert.deepEqual(link("Avalanche rises 5% as crypto rebounds"), ["CRYPTO:AVAXUSD"]);
});

test("the forms of verbs are those of English", () => {
  for (const form of ["scoops", "rebuffs", "scrapped", "sought", "woos", "launches", "denies", "axed", "cut"])
    assert.notEqual(finiteVerb(form), null, form);
  for (const word of ["shares", "plants", "rules", "agree", "talks"])
    assert.equal(finiteVerb(word), null, word);
  assert.equal(plainVerb("agree"), "deed");
});
