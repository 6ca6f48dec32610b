import assert from "node:assert/strict";
import test from "node:test";
import type { TagDimension } from "@tapewire/contract/tags.ts";
import { tagItem } from "../../src/tags/tags.ts";
import { artifact } from "../fixtures.ts";

interface Examples {
  readonly is: readonly string[];
  /** What looks alike and is not it. */
  readonly not: readonly string[];
}

const corporate: Readonly<Record<string, Examples>> = {
  ipo: {
    is: [
      "Pennywhistle prices initial public offering at $18 a share",
      "Quillpay makes Nasdaq debut after raising $300 million",
      "Marchwell files for London listing",
    ],
    not: [
      "Corrowby takes Tumblecrisp private for $2 billion",
      "Orbitex Robotics prices public offering of notes",
    ],
  },
  earnings: {
    is: [
      "Orbitex Robotics reports fourth-quarter results",
      "Brightwick Foods cuts full-year outlook",
      "Veritarn Software Q2 EPS $0.41 tops estimates",
    ],
    not: ["U.S. retail sales beat forecasts", "Halvorn Biotech trial results please investors"],
  },
  earnings_calls: {
    is: [
      "Orbitex Robotics to host conference call to discuss results",
      "Quantara Semiconductors Q3 2026 earnings call transcript",
      "Nordhamn AB invites to presentation of interim report",
    ],
    not: [
      "Barrowfield sells covered call options on Orbitex",
      "Orbitex Robotics reports fourth-quarter results",
    ],
  },
  dividends: {
    is: [
      "Brightwick Foods raises quarterly dividend by 8%",
      "Lakehead Royalty Trust declares monthly cash distribution",
      "Sjövik Energi ASA: ex dividend today",
    ],
    not: [
      "Brightwick Foods opens distribution centre",
      "Brightwick Foods announces share repurchase program",
    ],
  },
  share_buybacks: {
    is: [
      "Brightwick Foods announces share repurchase program",
      "Lambrook Group plc: Transaction in Own Shares",
      "Veritarn Software to buy back up to $500 million of stock",
    ],
    not: [
      "Orbitex Robotics completes buyback of convertible notes",
      "Fed expands repurchase agreement operations",
    ],
  },
  strategy_business_products: {
    is: [
      "Quantara Semiconductors unveils new chip",
      "Orbitex Robotics wins $400 million Navy contract",
      "Halvorn Biotech says phase 3 trial met primary endpoint",
    ],
    not: ["Regulator launches probe of Pennywhistle", "Wheat contract expires with little trading"],
  },
  mergers_and_acquisitions: {
    is: [
      "Brightwick Foods to acquire snack maker",
      "Veritarn Software to spin off security unit",
      "Ferrowyn Steel rejects takeover bid",
    ],
    not: ["Best stocks to buy now", "Thornbury Acquisition Corp names auditor"],
  },
  management: {
    is: [
      "Veritarn Software appoints new chief financial officer",
      "Brightwick Foods plc chairman retires after 20 years",
      "Lambrook Group plc: Directorate Change",
    ],
    not: ["Brightwick Foods appoints auditor", "Analysts name Orbitex their top pick"],
  },
  insider_trading: {
    is: [
      "Orbitex Robotics director buys 50,000 shares",
      "Marchwell plc: Director/PDMR Shareholding",
      "Kallavesi Oyj: Managers' transactions",
    ],
    not: ["Insider tips for first-time home buyers", "Orbitex Robotics director resigns"],
  },
  ownership_changes: {
    is: [
      "Activist investor Wexcombe takes 6% stake in Ferrowyn Steel",
      "Lambrook Group plc: Holding(s) in Company",
      "Corrowby discloses new position in Halvorn Biotech in 13F",
    ],
    not: ["Brightwick Foods to buy majority stake in rival", "Climate activists protest outside refinery"],
  },
  esg: {
    is: [
      "Dravenport Motors recalls 120,000 trucks",
      "Shareholders sue Veritarn Software over data breach",
      "Brightwick Foods publishes sustainability report",
    ],
    not: ["Veteran founder recalls that first sale", "Oil settlement price rises"],
  },
  recommendation: {
    is: [
      "Orbitex Robotics upgraded to buy",
      "Barrowfield lifts Quantara price target to $90",
      "Wexcombe initiates coverage of Halvorn Biotech",
    ],
    not: ["Moody's downgrades Marrowdale Bancorp to Ba1", "Quillpay upgrades its network infrastructure"],
  },
  credit_ratings: {
    is: [
      "Moody's downgrades Marrowdale Bancorp to Ba1",
      "Fitch affirms Brightwick Foods at 'BBB'; outlook stable",
      "AM Best assigns credit rating to Marrowdale Insurance",
    ],
    not: ["Orbitex Robotics upgraded to buy", "S&P 500 futures raise hopes of a rebound"],
  },
};

const market: Readonly<Record<string, Examples>> = {
  stock: {
    is: ["Tech stocks rally", "Wall Street closes higher", "European shares slip"],
    not: ["Crude oil stocks fall by 3 million barrels", "Treasury yields climb"],
  },
  etf: {
    is: [
      "New ETF tracks robotics makers",
      "Brackenridge to close two exchange-traded funds",
      "UCITS fund lists in Milan",
    ],
    not: ["Pension fund cuts fees", "Orbitex Robotics exchange offer ends"],
  },
  crypto: {
    is: [
      "Bitcoin slips below support",
      "Stablecoin issuer wins licence",
      "Cryptocurrencies rally on inflows",
    ],
    not: ["Mayor unveils token of appreciation", "Cryptography textbook wins award"],
  },
  forex: {
    is: [
      "EUR/USD steady before data",
      "Yen weakens past 155 per dollar",
      "Emerging currencies under pressure",
    ],
    not: ["Million dollar homes sell out", "Team won 3-1 against rivals"],
  },
  index: {
    is: ["S&P 500 adds two members", "Nikkei tumbles 3%", "FTSE 100 closes at record high"],
    not: ["German consumer price index rises", "Index of household terms"],
  },
  futures: {
    is: ["Crude slips on supply fears", "Gold prices hit record high", "Wheat futures drop"],
    not: ["Olive oil prices surge", "Swimmer takes gold medal"],
  },
  bond: {
    is: ["Treasury yields slip after auction", "German Bund yields fall", "Italy sells 10-year bonds"],
    not: ["Ferrowyn Steel prices senior notes", "Treasury chest found by divers"],
  },
  corp_bond: {
    is: [
      "Ferrowyn Steel prices $500 million senior notes",
      "Junk bond spreads widen",
      "Longshan defaults on offshore bonds",
    ],
    not: ["Italy sells government bonds", "Analyst notes strong demand"],
  },
  economic: {
    is: ["U.S. GDP grows 2.1%", "ECB leaves rates unchanged", "UK unemployment rate rises"],
    not: ["Bitcoin slips below support", "Brightwick Foods appoints auditor"],
  },
};

const economic: Readonly<Record<string, Examples>> = {
  gdp: {
    is: ["Japan GDP shrinks", "China's economy grows 4.8%", "German industrial production drops"],
    not: ["Loan growth slows at lenders", "Subscriber growth rate slows at Quillpay"],
  },
  labor: {
    is: ["U.S. nonfarm payrolls rise by 180,000", "Weekly jobless claims fall", "Australia adds 40,000 jobs"],
    not: ["Veritarn signs employment agreement with new chief", "How to land a better job"],
  },
  prices: {
    is: ["UK inflation slows to 2.9%", "China producer prices fall", "Import prices rise 0.3%"],
    not: ["UK house price index rises", "Share price of Orbitex slides"],
  },
  health: {
    is: ["Measles outbreak spreads in Texas", "WHO declares end to emergency", "Covid hospitalizations rise"],
    not: ["Outbreak of violence in border town", "Who wins the next round"],
  },
  money: {
    is: [
      "Federal Reserve holds interest rates",
      "Norges Bank leaves key rate at 4%",
      "RBI keeps repo rate unchanged",
    ],
    not: ["Senate debates corporate tax rate", "Bank of America lifts target"],
  },
  trade: {
    is: ["China exports fall", "U.S. trade deficit widens", "Canada imposes tariffs on steel"],
    not: ["Import prices rise 0.3%", "Electricity tariff raised for households"],
  },
  government: {
    is: ["Congress passes budget", "Chile heads to presidential election", "Japan cabinet approves stimulus"],
    not: ["Best budget smartphone of the year", "Mobile World Congress opens"],
  },
  business: {
    is: [
      "ISM manufacturing PMI slips to 48.7",
      "German Ifo climate index rises",
      "Durable goods orders drop",
    ],
    not: ["Crude inventories fall", "Schism in the party widens"],
  },
  consumer: {
    is: ["U.S. retail sales beat forecasts", "UK consumer confidence rises", "Household spending falls 1.9%"],
    not: ["Consumer products maker names chief", "Retail investors pile in"],
  },
  housing: {
    is: ["U.S. housing starts drop", "Existing home sales rise 2.1%", "UK house prices fall"],
    not: ["House votes on farm bill", "Chip maker starts shipments"],
  },
  taxes: {
    is: [
      "UK to raise capital gains tax",
      "Japan weighs consumption tax cut",
      "India trims GST on small cars",
    ],
    not: ["Duty free shops expand", "Pre-tax profit rises at Marchwell"],
  },
};

const dimensions: readonly (readonly [TagDimension, Readonly<Record<string, Examples>>])[] = [
  ["corp_activity", corporate],
  ["market", market],
  ["economic_category", economic],
];

for (const [dimension, examples] of dimensions)
  for (const [value, { is, not }] of Object.entries(examples))
    test(`${dimension}: ${value} is given where it is meant, and not where it only sounds like it`, () => {
      const given = (title: string): boolean =>
        tagItem(artifact(title), [])[dimension]?.includes(value) ?? false;
      assert.deepEqual(
        is.filter((title) => !given(title)),
        [],
        "missed",
      );
      assert.deepEqual(not.filter(given), [], "wrongly given");
    });
