/** The words the rules read. Written for this project by hand; no published word list went into it. */

const words = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.trim().split(/\s+/)));

/** rise -> rise rises rose ...: regular English forms of each base; irregular forms are listed beside them. */
function forms(base: string): readonly string[] {
  const stem = base.endsWith("e") ? base.slice(0, -1) : base;
  if (/[^aeiou]y$/.test(base)) {
    const cut = base.slice(0, -1);
    return [base, `${cut}ies`, `${cut}ied`, `${base}ing`];
  }
  const third = /(?:s|x|z|ch|sh)$/.test(base) ? `${base}es` : `${base}s`;
  const doubled = /^[^aeiou]*[aeiou][bdgmnprt]$/.test(base) ? base + base.slice(-1) : stem;
  return [base, third, `${doubled}ed`, `${doubled}ing`, `${stem}ing`];
}

const verbs = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set([...words(...lines)].flatMap(forms));

const union = (...sets: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set(sets.flatMap((set) => [...set]));

/** Moves up and down. The strong ones say how far as well. */
export const strongUp = union(
  verbs("soar surge skyrocket rocket spike double triple quadruple leap jump rally zoom balloon vault swell"),
  words("leapt sharply-higher two-fold threefold twofold fivefold"),
);
export const weakUp = union(
  verbs(
    "rise climb gain grow increase advance expand improve strengthen accelerate edge-up rebound recover uptick inch",
    "bounce pop widen firm inflate extend",
  ),
  words("rose risen grew grown up higher upward upbeat"),
);
export const strongDown = union(
  verbs("plunge plummet tumble slump crash collapse crater nosedive tank sink crumble halve dive slide"),
  words("sank sunk slid dove freefall rout"),
);
export const weakDown = union(
  verbs(
    "fall drop decline decrease slip dip ease weaken shrink narrow contract retreat soften slow dwindle shed",
  ),
  words("fell fallen shrank shrunk down lower downward dipping"),
);

/** What it is good to have more of. */
export const goodNouns = words(
  "profit profits revenue revenues sales earnings income ebitda ebit eps margin margins order orders demand shipments",
  "backlog bookings output production deliveries subscribers users customers traffic volume volumes turnover cash",
  "net pat growth dividend payout guidance outlook forecast optimism confidence nav returns yield aum inflows exports",
  "share shares stock stocks futures prices price market markets index sensex nifty dow adr gold silver oil crude",
  "bitcoin rupee units premium loans deposits collections occupancy spending hiring jobs employment wages orderbook",
);
/** What it is bad to have more of. */
export const badNouns = words(
  "loss losses debt cost costs expense expenses unemployment claims defaults default churn delinquencies impairment",
  "impairments layoffs deficit complaints npas npa provisions writedowns writedown arrears debts bankruptcies",
  "insolvencies risk risks shortage inventories cases deaths delays shortfall volatility outflows leverage jobless",
  "foreclosures charge-offs tariffs recalls cancellations burn",
);

/** Good or bad by themselves. */
export const goodWords: ReadonlyMap<string, number> = new Map([
  ...[
    ...verbs(
      "outperform rally boost win secure award approve upgrade thrive excel beat exceed surpass impress",
    ),
    ...words(
      "won wins winner winners bullish breakthrough upside milestone robust stellar blockbuster profitable record-high",
      "optimistic optimism buoyant buoyed upbeat outperforms successful successfully success favorable favourable",
      "strong stronger strongest solid best breakout undervalued attractive momentum beats tops topped topping bull",
      "bulls overweight accretive reinstated cheers cheer brightens bright boosted lifts lifted boosts rosy boom booming",
      "promising oversubscribed hopes gainer gainers green accumulate outpaces outpaced healthy resilient",
    ),
  ].map((word) => [word, 1] as const),
]);
export const badWords: ReadonlyMap<string, number> = new Map([
  ...[
    ...verbs(
      "miss downgrade warn sue disappoint struggle suffer hurt halt suspend recall fail underperform default",
    ),
    ...words(
      "bearish downside bankruptcy bankrupt insolvency insolvent fraud probe lawsuit investigation scandal breach",
      "hack hacked outage shortfall recession crisis weak weaker weakest weakness worse worst worsening subdued dismal",
      "sluggish disappointing gloomy fears fear worries worry concern concerns jitters selloff sell-off loser losers",
      "bear bears underweight overvalued layoffs writedown impairment fined penalty bleak delisting delisted loses lost",
      "fraudulent turmoil slowdown downturn drag dragged drags hit slashed plagued troubled threat threatens risky",
      "resigns ousted accuses accused allegations alleges illegal strike strikes shutdown shutdowns bubble gloom dump",
      "dumping short shorts correction adverse unprofitable dilution stall stalls stalled deteriorating deteriorates",
      "deteriorated pressure pressured pressures negative losing delay delays delayed rejects rejected cautious woes",
    ),
  ].map((word) => [word, 1] as const),
]);

export const negations = words(
  "not no never without neither nor cannot can't won't doesn't didn't isn't wasn't don't hasn't haven't",
  "fail fails failed failing lack lacks lacked denies denied deny unlikely",
);
export const hedges = words(
  "may might could possibly reportedly rumored rumoured considering considers mulls weighs explores seeks talks",
  "speculation potential potentially proposed likely expects expected plans if whether should aims sources said",
);
/** After these the clause is the lesser half: "rises despite weak demand". */
export const concessions = words("despite although though notwithstanding");
export const clauseBreaks = words("but while however whereas as after amid despite although though on");
