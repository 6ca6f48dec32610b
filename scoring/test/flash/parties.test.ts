/** What an item means for each party that it names, and what a trader would sign of the rest. */
import assert from "node:assert/strict";
import test from "node:test";
import { readText } from "../../src/flash/cues/cues.ts";
import { flash } from "../../src/flash/flash.ts";
import type { LinkedSymbol } from "../../src/types.ts";
import { artifact } from "../fixtures.ts";

const linked = (name: string, at: number): LinkedSymbol => ({
  symbol: name,
  exchange: "TEST",
  short_symbol: `C${at}`,
  logoid: null,
  name,
  country: null,
  type: "stock",
  method: "alias",
  relevance: at === 0 ? 90 : 50,
  primary: at === 0,
});
const judge = (title: string, names: readonly string[] = []) => flash(artifact(title), names.map(linked));

type Case = readonly [title: string, signs: Readonly<Record<string, number>>];
const parties: readonly Case[] = [
  ["US Supreme Court sides with Veldric in opioid case", { Veldric: 1 }],
  ["UK top court largely sides with lenders in motor-finance case", { Veldric: 1 }],
  ["Veldric to supply Norvik with processors; Norvik gets 160 million warrants", { Veldric: 1 }],
  [
    "Veldric quarterly sales down 5% like-for-like, a smaller drop than the 9.4% analysts feared",
    { Veldric: 1 },
  ],
  ["Norvik walks away from bid for Veldric", { Norvik: 1, Veldric: -1 }],
  ["Norvik drops takeover bid for Veldric", { Norvik: 1, Veldric: -1 }],
  ["Norvik gives up pursuit of Veldric", { Norvik: 1, Veldric: -1 }],
  ["Norvik and Veldric terminate merger agreement", { Norvik: -1, Veldric: -1 }],
  ["Jury orders Norvik to pay Veldric $300 million", { Norvik: -1, Veldric: 1 }],
  ["Jury orders Norvik to pay Veldric $300 million", { Veldric: 1, Norvik: -1 }],
  ["Court orders Norvik to pay $80 mln in damages to Veldric", { Norvik: -1, Veldric: 1 }],
  ["Jury awards Veldric $300 million in patent case against Norvik", { Veldric: 1, Norvik: -1 }],
  ["Plaintiffs awarded $120 million in suit against Norvik", { Norvik: -1 }],
  ["Jury awards plaintiffs $2.1 billion in Norvik talc case", { Norvik: -1 }],
  ["Norvik loses contract with Veldric", { Norvik: -1, Veldric: 0 }],
  ["Norvik loses $400 mln contract with Veldric", { Veldric: 0, Norvik: -1 }],
  ["Norvik loses $400 mln contract to Veldric", { Norvik: -1, Veldric: 1 }],
  ["US sanctions Norvik supplier Veldric", { Veldric: -1, Norvik: -1 }],
  ["Norvik supplier Veldric added to US entity list", { Veldric: -1, Norvik: -1 }],
  ["US imposes sanctions on Veldric", { Veldric: -1 }],
  ["Norvik workers end strike", { Norvik: 1 }],
  ["Dockworkers end strike at Norvik", { Norvik: 1 }],
  ["Profit warning at Norvik", { Norvik: -1 }],
  ["Guidance cut again at Norvik", { Norvik: -1 }],
  ["Workers at Norvik reject contract offer, strike", { Norvik: -1 }],
  ["Acme (NYSE: ACM) price target raised to $50 at Baird", { Acme: 1 }],
  ["Norvik terminates merger agreement with Veldric", { Veldric: -1, Norvik: 0 }],
  ["Shareholders of Norvik vote down Veldric takeover", { Norvik: -1, Veldric: 0 }],
  ["Norvik shareholders reject merger with Veldric", { Norvik: -1, Veldric: 0 }],
  ["UK sanctions Norvik in push for peace", { Norvik: -1 }],
  ["Brantley soars as Norvik raises bid to $10 billion", { Norvik: -1 }],
  ["Brantley surges after Norvik agrees to buy it for $9.2 billion", { Norvik: 0 }],
  ["Norvik tumbles despite drug meeting main goal", { Norvik: -1 }],
  ["Norvik slides 9% after pill meets main goal in late-stage trial", { Norvik: -1 }],
  ["Norvik pill meets main goal in late-stage trial", { Norvik: 1 }],
  ["S&P downgrades Norvik supplier Wexcombe Aero to B-", { Norvik: 0 }],
  ["S&P downgrades Norvik to B-", { Norvik: -1 }],
  ["Norvik gains as rival Kettleman goes into liquidation", { Norvik: 1 }],
  ["Norvik exits deal to buy Veldric", { Norvik: 1, Veldric: -1 }],
  ["Norvik abandons Veldric takeover after FTC challenge", { Norvik: 1, Veldric: -1 }],
  ["Veldric shares slump after Norvik walks away from takeover", { Veldric: -1, Norvik: 1 }],
  ["Shares of rival slide as Norvik wins $2 billion order", { Norvik: 1 }],
  ["Shares of rival Veldric slide as Norvik wins contract", { Norvik: 1, Veldric: -1 }],
  ["Norvik wins navy contract, sending shares of rival Veldric lower", { Norvik: 1, Veldric: -1 }],
  ["Veldric stock sinks while Norvik beats estimates", { Norvik: 1, Veldric: -1 }],
  ["Norvik shares slide as rival Veldric wins contract", { Norvik: -1, Veldric: 1 }],
  ["Norvik denies it is considering a bid for Veldric", { Norvik: 0, Veldric: -1 }],
  ["Norvik denies it is in talks to buy Veldric", { Norvik: 0, Veldric: -1 }],
  ["DOJ sues to stop Norvik buying Veldric", { Norvik: 0, Veldric: -1 }],
  ["Norvik says it is not in talks to acquire Veldric", { Norvik: 0, Veldric: -1 }],
  ["Veldric denies it is considering an offer from Norvik", { Veldric: -1, Norvik: 0 }],
  ["Norvik confirms it is considering a bid for Veldric", { Norvik: 0, Veldric: 1 }],
  ["FTC sues to block Norvik's acquisition of Veldric", { Norvik: 0, Veldric: -1 }],
  ["Judge blocks Norvik's merger with Veldric", { Norvik: 0, Veldric: -1 }],
  ["Norvik holders approve sale to Veldric", { Norvik: 1, Veldric: 0 }],
  ["Veldric: Berkshire discloses purchase of another 2.6 million shares", { Veldric: 1, Berkshire: 0 }],
  ["Berkshire sells another 10 million Norvik shares", { Norvik: -1 }],
  ["KeyBanc downgrades Norvik, upgrades Veldric", { Norvik: -1, Veldric: 1 }],
  ["Norvik to join S&P 500, replacing Veldric", { Norvik: 1, Veldric: -1 }],
  ["Norvik to join S&P 500. It replaces Veldric on Monday.", { Norvik: 1, Veldric: -1 }],
  ["Norvik blocked from buying Veldric", { Norvik: 0, Veldric: -1 }],
  ["Regulator prohibits Norvik buying Veldric", { Norvik: 0, Veldric: -1 }],
  ["Norvik pilots reject tentative agreement", { Norvik: -1 }],
  ["Union votes to reject Norvik's final pay offer", { Norvik: -1 }],
  ["Norvik union members reject contract offer, strike looms", { Norvik: -1 }],
  ["New tariffs hit Norvik exports to US", { Norvik: -1 }],
  ["US slaps anti-dumping duties on Norvik solar panels", { Norvik: -1 }],
  ["Tariff exemption for Norvik expires", { Norvik: -1 }],
  ["US ends tariff exemption for Norvik", { Norvik: -1 }],
  ["US court strikes down tariffs; Norvik seen as winner", { Norvik: 1 }],
  ["UBS lifts Acme (ACM.N) price target to $120", { Acme: 1 }],
  ["Norvik sued for up to $2 billion", { Norvik: -1 }],
  ["Norvik doubles legal reserves to $1 billion", { Norvik: -1 }],
  ["Norvik's liabilities have doubled to $3 billion", { Norvik: -1 }],
  ["Norvik's fine doubled on appeal", { Norvik: -1 }],
  ["Acme must regain compliance with Nasdaq minimum bid rule", { Acme: -1 }],
  ["Norvik in advanced talks to acquire Veldric", { Norvik: -1, Veldric: 1 }],
  ["Advanced talks under way for Norvik to buy Veldric", { Norvik: -1, Veldric: 1 }],
  ["Veldric in late-stage talks to be acquired by Norvik", { Veldric: 1, Norvik: -1 }],
  ["Veldric in advanced takeover talks with Norvik", { Veldric: 1, Norvik: -1 }],
  ["Norvik nears deal to buy Veldric for $18 billion", { Norvik: -1, Veldric: 1 }],
  ["Norvik close to acquiring Veldric, sources say", { Norvik: -1 }],
  ["UBS raises price target on Norvik rival Veldric", { Norvik: 0, Veldric: 1 }],
  ["Norvik announces proposed private offering of convertible senior notes", { Norvik: -1 }],
  ["Convertible notes offering announced by Norvik", { Norvik: -1 }],
  ["Norvik sets aside $41 million for price-fixing settlement", { Norvik: -1 }],
  ["Jury orders Norvik rival Veldric to pay $150 million", { Veldric: -1, Norvik: 0 }],
  ["Jury finds Veldric infringed Norvik patents", { Veldric: -1, Norvik: 1 }],
  ["Jury finds Norvik rival Veldric infringed patents", { Veldric: -1, Norvik: 0 }],
  ["Jury orders Norvik to pay Veldric $300 million in patent case", { Norvik: -1, Veldric: 1 }],
  ["Norvik partner Veldric raises full-year revenue forecast", { Veldric: 1, Norvik: 0 }],
  ["Norvik's biggest supplier Veldric cuts full-year outlook", { Veldric: -1, Norvik: 0 }],
  ["Norvik rival Veldric wins $2 billion navy contract", { Veldric: 1, Norvik: -1 }],
  ["Norvik rival Veldric wins approval for obesity pill", { Veldric: 1, Norvik: -1 }],
  ["Norvik-backed Veldric sees revenue below estimates", { Veldric: -1, Norvik: 0 }],
  ["Norvik rival Veldric sinks after results", { Veldric: -1, Norvik: 0 }],
  ["Jury says Veldric must pay Norvik in vaccine patent fight", { Veldric: -1, Norvik: 1 }],
  [
    "US sues to block Norvik Connections' takeover of Veldric Norvik Systems",
    { "Norvik Connections": 0, "Veldric Systems": -1 },
  ],
  ["Norvik drops Veldric for Brantley chips", { Norvik: 0, Veldric: -1, Brantley: 1 }],
  ["Norvik switches cloud provider from Veldric to Brantley", { Norvik: 0, Veldric: -1, Brantley: 1 }],
  ["Norvik signs a deal to buy fuel cells from Veldric", { Norvik: 0, Veldric: 1 }],
  ["Norvik signs contract to buy 500,000 tons of steel from Veldric", { Norvik: 0, Veldric: 1 }],
  ["Norvik signs deal to supply fuel cells to Veldric", { Norvik: 1, Veldric: 0 }],
  ["Norvik agrees to buy chip business from Veldric for $2 billion", { Norvik: -1, Veldric: 1 }],
  ["Norvik announces restructuring, 900 jobs to go", { Norvik: -1 }],
  // As papers write names that are registered otherwise.
  ["Amazon supplier Veldric added to US entity list", { Veldric: -1, "Amazon.com": -1 }],
  ["Jury finds Google infringed Veldric patents", { Alphabet: -1, Veldric: 1 }],
  ["US bars Norvik from selling AI chips to China", { NORVIK: -1 }],
  ["NorvikSteel cleared by US to sell chips to China", { "Norvik Steel": 1 }],
];
for (const [title, signs] of parties)
  test(`${title}, for ${Object.keys(signs).join(" and ")}`, () => {
    const { symbols } = judge(title, Object.keys(signs));
    assert.deepEqual(
      Object.fromEntries(
        symbols.map(({ symbol, sentiment_short }) => [symbol, Math.sign(sentiment_short ?? 0)]),
      ),
      signs,
    );
  });

const roles: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>])[] = [
  ["Regulator blocks purchase by Norvik", ["Norvik"], { Norvik: "acquirer" }],
  [
    "FTC blocks acquisition of Veldric by Norvik",
    ["Norvik", "Veldric"],
    { Norvik: "acquirer", Veldric: "target" },
  ],
  [
    "Regulator blocks Norvik purchase of Veldric",
    ["Norvik", "Veldric"],
    { Norvik: "acquirer", Veldric: "target" },
  ],
  [
    "Norvik supplier Veldric added to US entity list",
    ["Norvik", "Veldric"],
    { Norvik: "customer", Veldric: "subject" },
  ],
  ["Norvik fined up to $30 million", ["Norvik"], { Norvik: "subject" }],
  [
    "Regulator blocks sale of Veldric to Norvik",
    ["Norvik", "Veldric"],
    { Norvik: "acquirer", Veldric: "target" },
  ],
  [
    "Court blocks Norvik from acquiring Veldric",
    ["Norvik", "Veldric"],
    { Norvik: "acquirer", Veldric: "target" },
  ],
  ["Norvik upgraded to Overweight from Underweight", ["Norvik"], { Norvik: "subject" }],
  [
    "Morgan Stanley maintains Norvik (NYSE:NVK) Overweight, raises price target to $75",
    ["Norvik"],
    { Norvik: "subject" },
  ],
  ["Veldric stock falls as Norvik raises guidance", ["Norvik", "Veldric"], { Norvik: "subject" }],
  ["Norvik falls after Veldric files for bankruptcy", ["Norvik", "Veldric"], { Veldric: "subject" }],
];
for (const [title, names, expected] of roles)
  test(`who is who: ${title}`, () => {
    const { event, events } = judge(title, names);
    const told = events.filter(({ name }) => name === event);
    assert.deepEqual(Object.fromEntries(told.map(({ symbol, role }) => [symbol ?? "", role])), expected);
  });

const markets: readonly (readonly [string, number])[] = [
  ["ECB raises rates by 25 bp", -1],
  ["ECB raises rates by 25 basis points", -1],
  ["Fed cuts rates by 25 basis points", 1],
  ["Fed cuts rates 50bp in surprise move", 1],
  ["US imposes 25% tariffs on steel imports", -1],
  ["China retaliates with 34% tariffs on US goods", -1],
  ["US lifts tariffs on steel imports", 1],
  ["US pauses tariffs on Canadian goods for 90 days", 1],
  ["EU suspends retaliatory tariffs on US goods", 1],
  ["Washington revokes tariff exemptions for small parcels", -1],
  ["In surprise move, ECB cuts rates", 1],
  ["Markets stunned by surprise Fed cut", 1],
  ["Bank of England surprises markets by cutting rates to 3.5%", 1],
  ["Bank of Japan surprises with rate increase", -1],
];
for (const [title, sign] of markets)
  test(`${title}: acted on, and ${sign > 0 ? "good" : "bad"} for the market`, () => {
    const { sentiment, actionability } = judge(title);
    assert.equal(Math.sign(sentiment?.shortDirection ?? 0), sign, sentiment?.comment);
    assert.ok((sentiment?.conviction ?? 0) >= 60);
    assert.equal(actionability.actionable, true);
  });

test("a surprise cut weighs more than a cut", () => {
  const sizeOf = (title: string): number => judge(title).sentiment?.shortDirection ?? 0;
  assert.ok(sizeOf("Fed cuts rates 50bp in surprise move") > sizeOf("Fed cuts rates by 25 basis points"));
});

for (const title of [
  "Baird raises price target on Acme (NYSE: ACM) to $50",
  "Baird raises Acme (NYSE: ACM) price target to $50",
  "Acme reaffirms full-year sales guidance",
  "Acme director sells $2.1 million in stock under Rule 10b5-1 trading plan",
  "Acme grants underwriters 30-day option to purchase up to 900,000 additional shares",
  "Acme (ACM) price target raised to $50 from $45 at Baird",
  "UBS lifts Acme (ACM.N) price target to $120",
  "Underwriters of Acme offering buy additional shares under greenshoe",
  "Acme CFO sold $3.4 million of stock in pre-arranged 10b5-1 sale",
  "Acme: guidance for 2026 reaffirmed",
])
  test(`nothing to act on: ${title}`, () => {
    const { event, actionability } = judge(title, ["Acme"]);
    assert.equal(actionability.actionable, false, actionability.comment);
    assert.ok(event !== null && event !== "buyback_announced" && event !== "sales_beat");
  });

for (const title of [
  "Acme upgraded to Overweight from Underweight at Morgan Stanley",
  "Morgan Stanley upgrades Acme from Underweight to Equal Weight",
  "Acme to buy back up to $500 million of shares",
  "Acme regains compliance with Nasdaq listing rule",
  "Acme workers end strike",
])
  test(`no false reason against it: ${title}`, () => {
    assert.ok(!(judge(title, ["Acme"]).sentiment?.comment ?? "").includes("in spite of"));
  });

test("the share of a rival is not the company's, up to a bound is no rise, and twice the liability is bad", () => {
  const cues = (text: string): readonly number[] =>
    readText(text, "").cues.map(({ weight }) => Math.sign(weight));
  assert.deepEqual(cues("Norvik opens chain, shares of rival slide"), []);
  assert.ok(!cues("Acme fined up to $30 million").includes(1));
  assert.deepEqual(cues("Acme gives up pursuit of Veldric"), []);
  assert.deepEqual(cues("Acme says litigation liability doubled to $600 million"), [-1]);
  assert.ok(cues("Acme sales up to $95 million from $80 million").includes(1));
  assert.ok(!cues("Airlines climb as oil slips").includes(-1));
  assert.deepEqual(cues("Acme recalls underweight packs of rice"), [-1]);
  assert.deepEqual(cues("Children found underweight in Acme study"), []);
  assert.ok(cues("Goldman stays underweight Acme stock").includes(-1));
});

test("a word that tells nothing by itself is no reason", () => {
  for (const title of ["Norvik's boxes have gone", "Norvik says up to 10% of its people are there"]) {
    const { sentiment } = judge(title, ["Norvik"]);
    assert.doesNotMatch(sentiment?.comment ?? "", /^Wording as in \w+ news \('(?:have|up|up to|are|of)'\)/);
  }
});

test("each statement of a sentence has its own proof", () => {
  const names = (title: string): readonly string[] => judge(title).events.map(({ name }) => name);
  assert.ok(!names("Shares of rival slide as Norvik wins contract").includes("contract_delayed"));
  assert.ok(!names("Stocks rise on Wall Street as oil slips").includes("index_down"));
  assert.ok(names("Norvik names Jane Roe as chief executive").includes("ceo_appointed"));
});

test("news that nobody acts on is small; a market wrap with cheaper oil delays no project", () => {
  const small = judge("Acme price target raised to $50 from $45 at Baird", ["Acme"]);
  assert.ok(Math.abs(small.sentiment?.shortDirection ?? 0) <= 1);
  const { events } = judge("Stocks rise on Wall Street as oil slips");
  assert.ok(!events.some(({ name }) => name === "project_delayed"));
});

for (const title of [
  "Norvik fined $50 million by FCA over safety lapses",
  "Norvik fined a record $50 mln over lapses",
  "FCA fined Norvik $50 million for safety lapses",
])
  test(`${title}: the fined company is the subject`, () => {
    const found = judge(title).events.find(({ name }) => name === "fine_imposed");
    assert.equal(found?.role, "subject");
  });
