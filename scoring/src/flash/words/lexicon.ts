/** The words the rules read. Written for this project by hand; no published word list went into it. */
import { union, verbsOf, wordsOf } from "./word-forms.ts";

/** Moves up and down. The strong ones also give a size. */
const strongUp = union(
  verbsOf(
    "soar surge skyrocket rocket spike double triple quadruple leap jump rally zoom balloon vault swell",
  ),
  wordsOf("leapt sharply-higher two-fold threefold twofold fivefold"),
);
const weakUp = union(
  verbsOf(
    "rise climb gain grow increase advance expand improve strengthen accelerate edge-up rebound recover uptick inch",
    "bounce pop widen firm inflate",
  ),
  wordsOf("rose risen grew grown up higher upward upbeat"),
);
const strongDown = union(
  verbsOf("plunge plummet tumble slump crash collapse crater nosedive tank sink crumble halve dive slide"),
  wordsOf("sank sunk slid dove freefall rout"),
);
const weakDown = union(
  verbsOf("fall drop decline decrease slip dip ease weaken shrink narrow retreat soften slow dwindle shed"),
  wordsOf("fell fallen contracted contracting shrank shrunk down lower downward dipping fewer"),
);

/** Measures that are good to have more of, by kind. */
const goodKinds: Readonly<Record<string, ReadonlySet<string>>> = {
  profit: wordsOf(
    "profit profits earnings income ebitda ebit ebita eps margin margins pat pbt profitability result results nii",
    "ebitdar opm npm nopat ffo affo cashflow returns",
  ),
  sales: wordsOf("revenue revenues sales turnover topline receipts aum premium nav collections gmv"),
  demand: wordsOf(
    "order orders demand shipments backlog bookings output production deliveries subscribers users customers traffic",
    "volume volumes orderbook occupancy exports consumption spending registrations visitors passengers loans deposits",
    "advances units share-count installations capacity clicks downloads arrivals throughput",
  ),
  payout: wordsOf("dividend payout guidance outlook forecast yield-payout"),
  price: wordsOf(
    "share shares stock stocks futures scrip prices price market markets index sensex nifty dow adr nasdaq ftse dax",
    "nikkei indices indexes equities s&p counter scrips benchmark bourses kospi rupee gold silver oil crude bitcoin copper",
    "yen euro dollar sterling ether ethereum commodities midcaps",
  ),
  macro: wordsOf(
    "growth optimism confidence inflows hiring jobs employment wages gdp economy sentiment activity cash net liquidity",
    "reserves payrolls pmi housing rating value ratings stake efficiency",
  ),
};
/** Measures that are bad to have more of, by kind. */
const badKinds: Readonly<Record<string, ReadonlySet<string>>> = {
  loss: wordsOf("loss losses deficit shortfall"),
  cost: wordsOf("cost costs expense expenses provision provisions tariffs tariff taxes"),
  debt: wordsOf(
    "debt debts defaults default arrears npas npa leverage delinquencies insolvencies bankruptcies foreclosures",
    "gnpa nnpa liability liabilities",
  ),
  harm: wordsOf(
    "unemployment claims churn impairment impairments layoffs complaints writedowns writedown risk risks shortage",
    "inventories inventory cases deaths delays volatility outflows jobless charge-offs recalls cancellations burn",
    "fears concerns worries tensions uncertainty attrition redemptions inflation slippages vacancy shrinkage crashes",
    "fines penalty penalties damages",
  ),
};

/** Words that are good or bad by themselves. */
const goodWords: ReadonlyMap<string, number> = new Map([
  ...[
    ...verbsOf("outperform rally boost win secure award approve upgrade thrive excel beat impress"),
    ...wordsOf(
      "won wins winner winners bullish breakthrough upside milestone robust stellar blockbuster profitable record-high",
      "optimistic optimism buoyant buoyed upbeat outperforms successful successfully success favorable favourable",
      "strong stronger strongest solid best breakout undervalued attractive momentum beats tops topped topping bull",
      "bulls overweight accretive reinstated cheers cheer brightens bright boosted lifts lifted boosts rosy boom booming",
      "promising favourably favorably positively oversubscribed recovery recoveries revival comeback hopes gainer gainers green accumulate outpaces outpaced healthy resilient",
    ),
  ].map((word) => [word, 1] as const),
]);
const badWords: ReadonlyMap<string, number> = new Map([
  ...[
    ...verbsOf(
      "miss downgrade warn sue disappoint struggle suffer hurt halt suspend recall fail underperform default",
    ),
    ...wordsOf(
      "bearish downside bankruptcy bankrupt insolvency insolvent fraud probe lawsuit investigation scandal breach",
      "hack hacked outage shortfall recession crisis weak weaker weakest weakness worse worst worsening subdued dismal",
      "sluggish disappointing gloomy fears fear worries worry concerns jitters selloff sell-off loser losers",
      "bear bears underweight overvalued layoffs writedown impairment fined penalty bleak delisting delisted loses lost",
      "fraudulent turmoil slowdown downturn drag dragged drags slashed plagued troubled threat threatens risky",
      "resigns ousted accuses accused allegations alleges illegal strike strikes shutdown shutdowns bubble gloom dump",
      "dumping adverse unprofitable dilution stall stalls stalled deteriorating deteriorates",
      "deteriorated difficult tougher challenging headwind poor poorer poorly pressure pressured pressures negative losing setback setbacks trouble troubles scare scares postponed postpones delay delays delayed rejects rejected cautious woes",
    ),
  ].map((word) => [word, 1] as const),
]);

const negations = wordsOf(
  "not no never without neither nor cannot can't won't doesn't didn't isn't wasn't don't hasn't haven't",
  "fail fails failed failing lack lacks lacked denies denied deny unlikely",
);
const hedges = wordsOf(
  "may might could possibly reportedly rumored rumoured considering considers mulls weighs explores seeks talks",
  "speculation potential potentially proposed likely expects expected plans if whether should aims sources said",
);
/** The clause after these counts less: "rises despite weak demand". */
const concessions = wordsOf("despite although though notwithstanding");
const clauseBreaks = wordsOf("but while however whereas as after amid despite although though on");

export type NounKind =
  | "profit"
  | "sales"
  | "demand"
  | "payout"
  | "price"
  | "macro"
  | "loss"
  | "cost"
  | "debt"
  | "harm"
  | "";

/** All that the rules know of a word, so that each word of a text is looked up once. */
export interface WordInfo {
  /** Signed: 1.4 is a move, 2 a strong one. */
  readonly move: number;
  /** +1 for a noun that is good to have more of, -1 for a bad one, 0 for other words. */
  readonly noun: number;
  readonly kind: NounKind;
  /** Signed strength of a word that is good or bad by itself. */
  readonly tone: number;
  readonly negation: boolean;
  readonly hedge: boolean;
  readonly concession: boolean;
  readonly clauseBreak: boolean;
}

const isKind = (name: string): name is NounKind => name in goodKinds || name in badKinds;

function kindOf(word: string): NounKind {
  const found = [...Object.entries(goodKinds), ...Object.entries(badKinds)].find(([, set]) => set.has(word));
  return found !== undefined && isKind(found[0]) ? found[0] : "";
}

function moveOf(word: string): number {
  if (strongUp.has(word)) return 2;
  if (weakUp.has(word)) return 1.4;
  if (strongDown.has(word)) return -2;
  return weakDown.has(word) ? -1.4 : 0;
}

function infoOf(word: string): WordInfo {
  const kind = kindOf(word);
  return {
    move: moveOf(word),
    noun: kind === "" ? 0 : kind in goodKinds ? 1 : -1,
    kind,
    tone: goodWords.get(word) ?? -(badWords.get(word) ?? 0),
    negation: negations.has(word),
    hedge: hedges.has(word),
    concession: concessions.has(word),
    clauseBreak: clauseBreaks.has(word),
  };
}

const sets: readonly Iterable<string>[] = [
  strongUp,
  weakUp,
  strongDown,
  weakDown,
  ...Object.values(goodKinds),
  ...Object.values(badKinds),
  goodWords.keys(),
  badWords.keys(),
  negations,
  hedges,
  concessions,
  clauseBreaks,
];

export const lexicon: ReadonlyMap<string, WordInfo> = new Map(
  sets.flatMap((set) => [...set].map((word) => [word, infoOf(word)] as const)),
);
