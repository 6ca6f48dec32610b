import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  allowedTagValues,
  type TagDimension,
  tagDictionary,
  tagDimensions,
} from "@tapewire/contract/tags.ts";
import { growsLinearly } from "../../../server/test/support/growth.ts";
import { precision, recall, scoreTags } from "../../eval/tags.ts";
import { corporatePhrases } from "../../src/tags/corporate.ts";
import { economicPhrases } from "../../src/tags/economic.ts";
import { marketPhrases } from "../../src/tags/market.ts";
import { tagItem } from "../../src/tags/tags.ts";
import type { Artifact } from "../../src/types.ts";
import { artifact, filing, link } from "../fixtures.ts";

const dictionary = tagDictionary.parse(
  JSON.parse(readFileSync(new URL("../../../config/tags.json", import.meta.url), "utf8")),
);
const tagsOf = (item: Artifact, dimension: TagDimension): readonly string[] =>
  tagItem(item, link(item.title, item.body))[dimension] ?? [];

const positives: Readonly<
  Record<Exclude<TagDimension, "market_country">, Readonly<Record<string, Artifact>>>
> = {
  corp_activity: {
    ipo: artifact("Orbitex Robotics prices initial public offering at $18"),
    earnings: artifact("Orbitex Robotics reports fourth-quarter results"),
    earnings_calls: artifact("Orbitex Robotics to host conference call to discuss results"),
    dividends: artifact("Brightwick Foods raises quarterly dividend by 8%"),
    share_buybacks: artifact("Brightwick Foods announces share repurchase program"),
    strategy_business_products: artifact("Quantara Semiconductors unveils new chip"),
    mergers_and_acquisitions: artifact("Brightwick Foods to acquire snack maker"),
    management: artifact("Veritarn Software appoints new chief financial officer"),
    insider_trading: filing("4", [], "4 - Orbitex Robotics (Issuer)"),
    ownership_changes: filing("SC 13D", [], "SC 13D - Orbitex Robotics (Subject)"),
    esg: artifact("Dravenport Motors sued over emissions"),
    recommendation: artifact("Orbitex Robotics upgraded to buy"),
    credit_ratings: artifact("Moody's downgrades Marrowdale Bancorp to Ba1"),
  },
  market: {
    stock: artifact("Orbitex Robotics shares rise"),
    etf: artifact("New ETF tracks robotics makers"),
    crypto: artifact("Bitcoin slips below support"),
    forex: artifact("EUR/USD steady before data"),
    index: artifact("S&P 500 adds two members"),
    futures: artifact("Crude futures climb on supply fears"),
    bond: artifact("Treasury yields slip after auction"),
    corp_bond: artifact("Ferrowyn Steel prices $500 million senior notes"),
    economic: artifact("U.S. GDP grows 2.1% in second quarter"),
  },
  economic_category: {
    gdp: artifact("Japan GDP shrinks in third quarter"),
    labor: artifact("U.S. nonfarm payrolls rise by 180,000"),
    prices: artifact("UK inflation slows to 2.9%"),
    health: artifact("Measles outbreak spreads in Texas"),
    money: artifact("Federal Reserve holds interest rates"),
    trade: artifact("China exports fall as tariffs bite"),
    government: artifact("Congress passes budget"),
    business: artifact("German manufacturing PMI improves"),
    consumer: artifact("U.S. retail sales beat forecasts"),
    housing: artifact("U.S. housing starts drop"),
    taxes: artifact("Senate debates corporate tax rate"),
  },
};

for (const dimension of ["corp_activity", "market", "economic_category"] as const)
  for (const { value } of dictionary[dimension].values)
    test(`${dimension}: ${value} is given`, () => {
      const item = positives[dimension][value];
      assert.ok(item !== undefined, "no example for this value");
      assert.ok(tagsOf(item, dimension).includes(value), tagsOf(item, dimension).join());
    });

const negatives: readonly (readonly [string, TagDimension, string])[] = [
  ["U.S. retail sales beat forecasts", "corp_activity", "earnings"],
  ["Moody's downgrades Marrowdale Bancorp to Ba1", "corp_activity", "recommendation"],
  ["Orbitex Robotics upgraded to buy", "corp_activity", "credit_ratings"],
  ["Best stocks to buy now", "corp_activity", "mergers_and_acquisitions"],
  ["Orbitex Robotics exports rise", "economic_category", "trade"],
  ["German consumer price index rises", "market", "index"],
  ["Import prices rise 0.3%", "economic_category", "trade"],
  ["Case-Shiller home price index rises", "economic_category", "prices"],
  ["Brightwick Foods raises quarterly dividend by 8%", "corp_activity", "share_buybacks"],
  ["Orbitex Robotics shares rise", "market", "etf"],
  ["Halvorn Biotech trial results please investors", "corp_activity", "earnings"],
  ["Orbitex Robotics wins supply contract", "market", "futures"],
];
for (const [title, dimension, value] of negatives)
  test(`"${title}" is not ${value}`, () => {
    assert.ok(!tagsOf(artifact(title), dimension).includes(value));
  });

test("the country is that of the listing, or of the economy that a macro item names", () => {
  assert.deepEqual(tagsOf(artifact("Output report (ASX: BHP)"), "market_country"), ["AU", "US"]);
  assert.deepEqual(tagsOf(artifact("Japan GDP shrinks in third quarter"), "market_country"), ["JP"]);
  assert.deepEqual(tagsOf(artifact("U.S. nonfarm payrolls rise"), "market_country"), ["US"]);
  assert.deepEqual(tagsOf(artifact("Orbitex Robotics wins order"), "market_country"), []);
  assert.deepEqual(tagsOf(artifact("Tell us what you think"), "market_country"), []);
});

test("filings are tagged by form and 8-K item", () => {
  const of = (form: string, items: readonly string[]) => tagsOf(filing(form, items, form), "corp_activity");
  assert.deepEqual(of("8-K", ["2.02", "9.01"]), ["earnings"]);
  assert.deepEqual(of("8-K", ["5.02"]), ["management"]);
  assert.deepEqual(of("8-K", ["2.01"]), ["mergers_and_acquisitions"]);
  assert.deepEqual(of("144", []), ["insider_trading"]);
  assert.deepEqual(of("SC 13G/A", []), ["ownership_changes"]);
  assert.deepEqual(of("SC TO-T", []), ["mergers_and_acquisitions"]);
  assert.deepEqual(of("SC TO-I/A", []), ["share_buybacks"]);
  assert.deepEqual(of("8-A12B", []), ["ipo"]);
  assert.deepEqual(of("DFAN14A", []), ["esg", "ownership_changes"]);
  assert.deepEqual(of("25-NSE", []), ["esg"]);
  assert.deepEqual(of("40-F", []), ["earnings"]);
  assert.deepEqual(of("40-17G", []), []);
  assert.deepEqual(of("8-K/A", [" 5.02", "7.01", "2.01"]), ["management", "mergers_and_acquisitions"]);
  assert.deepEqual(of("10-Q", ["5.02"]), ["earnings"], "items count for an 8-K alone");
});

test("a filing is tagged by its form, not by the words of its filer's name", () => {
  const item = filing("S-8", [], "S-8 - Thornbury Acquisition Corp (0001234567) (Filer)");
  assert.deepEqual(tagItem(item, []), { market: ["stock"] });
});

test("a fund's report is about no listed company, and a pricing supplement is a bank's note", () => {
  assert.deepEqual(tagItem(filing("N-CSR", [], "N-CSR - Brackenridge Funds Trust"), []), {});
  assert.deepEqual(tagItem(filing("424B2", [], "424B2 - Marrowdale Bancorp"), []), { market: ["corp_bond"] });
});

test("the lead is read where the headline names nothing", () => {
  const tags = tagItem(artifact("Orbitex Robotics", "Orbitex Robotics reports fourth-quarter results."), []);
  assert.deepEqual(tags.corp_activity, ["earnings"]);
});

test("only values of the dictionary are ever given", () => {
  const items = [...Object.values(positives).flatMap((byValue) => Object.values(byValue)), artifact("x")];
  for (const item of items) {
    const tags = tagItem(item, link(item.title));
    for (const dimension of tagDimensions)
      for (const value of tags[dimension] ?? [])
        assert.ok(allowedTagValues(dictionary, dimension).has(value), `${dimension} ${value}`);
  }
});

test("there are phrases for every value of the dictionary, and for no other", () => {
  const lists = {
    corp_activity: corporatePhrases,
    market: marketPhrases,
    economic_category: economicPhrases,
  } as const;
  for (const dimension of ["corp_activity", "market", "economic_category"] as const) {
    // An item is put into the economy by its economic categories, not by wording of its own.
    const written = [...Object.keys(lists[dimension]), ...(dimension === "market" ? ["economic"] : [])];
    assert.deepEqual(written.toSorted(), [...allowedTagValues(dictionary, dimension)].toSorted());
  }
});

for (const [name, leastPrecision, leastRecall] of [
  ["tags.tsv", 0.98, 0.98],
  ["tags-heldout.tsv", 0.98, 0.98],
  ["tags-traps.tsv", 0.97, 0.97],
  ["tags-variants.tsv", 0.97, 0.97],
] as const)
  test(`${name}: precision ${leastPrecision} and recall ${leastRecall} or more over all values`, () => {
    const { counts, differences } = scoreTags(name);
    const all = counts.get("all");
    assert.ok(all !== undefined);
    assert.ok(precision(all) >= leastPrecision, differences.join("\n"));
    assert.ok(recall(all) >= leastRecall, differences.join("\n"));
  });

test("the same item always gets the same tags, in the same order", () => {
  const item = artifact("Fed holds rates as U.S. inflation slows; S&P 500 and Treasury yields rise");
  assert.deepEqual(tagItem(item, []), tagItem(item, []));
  assert.deepEqual(tagItem(item, []), {
    market: ["index", "bond", "economic"],
    market_country: ["US"],
    economic_category: ["prices", "money"],
  });
});

test("hostile text is tagged in time that grows no faster than it", () => {
  for (const unit of [
    "a",
    "cuts ",
    "appoints a b ",
    "prices x ",
    "U.S",
    "U.S. ",
    "net profit ",
    "sells a a a a unit ",
    "Georgia ",
    "$A ",
  ]) {
    assert.ok(
      growsLinearly((text) => tagItem(artifact(text, text), []), unit),
      unit,
    );
  }
});

test("a headline that a good's price opens is tagged for the good beside the company that it names, and a ban on its exports is", () => {
  for (const [title, markets] of [
    ["Copper climbs to record high as Orbitex Robotics halts its mine", ["stock", "futures"]],
    ["Oil prices jump after Orbitex Robotics shuts field", ["stock", "futures"]],
    ["Orbitex Robotics raises forecast as copper climbs", ["stock"]],
    ["Russia bans uranium exports", ["futures", "economic"]],
  ] as const)
    assert.deepEqual(tagsOf(artifact(title), "market").toSorted(), [...markets].toSorted(), title);
});
