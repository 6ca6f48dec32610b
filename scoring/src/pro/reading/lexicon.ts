/** What words and phrases mean for their subject. Weights: 1 is a plain good or bad sentence, 4 the gravest news. */

export interface Phrase {
  readonly words: readonly string[];
  readonly weight: number;
  readonly label: string;
  readonly lasting: boolean;
  readonly alarm: boolean;
}

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

export const rising =
  set(`rose rise rises rising risen increased increases increase increasing grew grows grow growing grown
  climbed climbs climb jumped jumps jump surged surges surge soared soars advanced expanded expands expanding expansion
  improved improves improving improvement accelerated accelerates accelerating strengthened doubled tripled quadrupled
  higher up rebounded recovered gained growth uptick`);
export const dropping =
  set(`fell falls fall falling fallen declined declines decline declining decreased decreases decrease
  decreasing dropped drops drop slipped slips slid slides slumped slumps slump tumbled tumbles plunged plunges plunge sank
  sinks shrank shrinks contracted contraction weakened weakening deteriorated deteriorating deterioration lower down dipped
  dips slowed slowing slowdown narrowed narrows halved eroded erosion reduction reduced`);
export const goodNouns =
  set(`revenue revenues sales profit profits income earnings margin margins ebitda demand bookings
  backlog orders subscribers users customers traffic volumes volume shipments production output productivity turnover
  liquidity profitability occupancy deposits returns cash eps deliveries royalties market-share memberships`);
export const badNouns =
  set(`loss losses cost costs expense expenses debt churn defaults delinquencies impairments
  cancellations provisions attrition claims write-downs writedowns write-offs outages complaints vacancies
  shortfall deficit turnover-rate charge-offs`);
/** A company's share price is not its business: moves have happened, and soon fade. */
export const priceNouns = set("shares share stock stocks units adrs");

export const raising =
  set(`raised raises raising raise lifted lifts lifting boosted boosts boosting upped hiked hikes
  increased increases increasing upgraded`);
export const cutting =
  set(`cut cuts cutting lowered lowers lowering reduced reduces reducing slashed slashes trimmed trims
  withdrew withdraws withdrawn withdrawing suspended suspends suspending scrapped pulled eliminated`);
export const promises: ReadonlyMap<string, readonly [name: string, weight: number]> = new Map([
  ["guidance", ["Guidance", 2.4]],
  ["outlook", ["Guidance", 2.4]],
  ["forecast", ["Guidance", 2.2]],
  ["forecasts", ["Guidance", 2.2]],
  ["dividend", ["Dividend", 1.6]],
  ["dividends", ["Dividend", 1.6]],
  ["distribution", ["Dividend", 1.4]],
]);

export const beats = set(
  "beat beats beating topped tops topping exceeded exceeds exceeding surpassed surpasses above ahead",
);
export const misses = set("missed misses missing below trailed lagged short undershot");
export const expectations = set("expectations estimates estimate consensus forecasts forecast views");

export const negations = set(
  "no not never without neither nor none cannot didn't doesn't don't isn't wasn't weren't hasn't won't",
);
export const hedges = set(
  "may might could would if should potential potentially possible possibly unless hypothetical whether can",
);
/** Words that end an alarm. */
export const relief = set(
  "alleviated remediated regained resolved dismissed cured lifted withdrawn rescinded overturned waived waiver remediation eliminated",
);

export const strong = set(
  "sharply significantly substantially strongly dramatically steeply considerably markedly",
);
export const faint = set("slightly modestly marginally somewhat roughly little narrowly");

interface Kind {
  readonly lasting?: boolean;
  readonly alarm?: boolean;
}

const group = (
  label: string,
  weight: number,
  phrases: string,
  { lasting = false, alarm = false }: Kind = {},
): readonly Phrase[] =>
  phrases.split("|").map((phrase) => ({ words: phrase.trim().split(" "), weight, label, lasting, alarm }));

const lasting = { lasting: true };
const alarm = { lasting: true, alarm: true };

const phrases: readonly Phrase[] = [
  ...group(
    "Doubt of going on",
    -4.5,
    "substantial doubt|cease operations|unable to continue as a going concern",
    alarm,
  ),
  ...group(
    "Insolvency",
    -4.5,
    "filed for bankruptcy|files for bankruptcy|chapter 11|chapter 7|voluntary petition|insolvent|insolvency|receivership",
    alarm,
  ),
  ...group(
    "Accounts not to be relied on",
    -3.6,
    "no longer be relied|should not be relied|non-reliance",
    alarm,
  ),
  ...group(
    "Accounts restated",
    -2,
    "restatement of previously|restate its|restate our|restated its|restated previously",
    alarm,
  ),
  ...group(
    "Weak controls",
    -1.8,
    "material weakness|material weaknesses|were not effective|was not effective|not effective",
    alarm,
  ),
  ...group(
    "Default",
    -2.6,
    "event of default|events of default|in default|defaulted on|default on|covenant breach|breach of covenant|breached a covenant|not in compliance with the covenant|failed to pay|missed payment|missed an interest",
    alarm,
  ),
  ...group("Delisting", -2.4, "delisted|delisting|minimum bid price|listing rule", alarm),
  ...group(
    "Fraud",
    -2.6,
    "fraud|fraudulent|embezzlement|misappropriated|wells notice|criminal charges|indicted",
    alarm,
  ),
  ...group(
    "Investigation",
    -1.6,
    "subpoena|subpoenas|under investigation|formal investigation|civil investigative demand|sec investigation|is investigating|opened an investigation",
    alarm,
  ),
  ...group(
    "Impairment",
    -1.3,
    "impairment charge|impairment charges|goodwill impairment|asset impairment|write-down of|wrote down|inventory write-down",
    lasting,
  ),
  ...group(
    "Cyber incident",
    -1.5,
    "data breach|cybersecurity incident|unauthorized access|ransomware",
    alarm,
  ),
  ...group(
    "Trial failed",
    -3.5,
    "did not meet its primary|did not meet the primary|failed to meet its primary|failed to meet the primary|did not achieve its primary|did not achieve the primary|missed its primary",
    lasting,
  ),
  ...group(
    "Trial met its goal",
    3,
    "met its primary endpoint|met the primary endpoint|met its primary|achieved its primary endpoint|met both primary|met all primary|achieved the primary endpoint",
    lasting,
  ),
  ...group("Approval refused", -3.4, "complete response letter|refuse to file|refusal to file", lasting),
  ...group("Trial held", -2.8, "clinical hold", lasting),
  ...group(
    "Approval",
    2.6,
    "fda approval of|received fda approval|received approval|granted approval|approved by the fda|fda approved|marketing authorization for|fda has approved|granted accelerated approval|received clearance|510k clearance",
    lasting,
  ),
  ...group(
    "Trial result",
    1.4,
    "statistically significant improvement|statistically significant reduction|statistically significant",
    lasting,
  ),
  ...group(
    "Record",
    1.3,
    "record revenue|record revenues|record sales|record quarter|record profit|record earnings|record orders|record bookings|record backlog|record results|all-time high",
  ),
  ...group(
    "Strength",
    1,
    "strong demand|robust demand|strong growth|strong performance|strong results|strong quarter|solid demand|growing demand|tailwinds|pricing power",
  ),
  ...group(
    "Weakness",
    -1.1,
    "weak demand|soft demand|softer demand|weaker demand|lower demand|softness|headwinds|challenging environment|supply constraints|shortages|sluggish|weaker than expected|excess inventory|pricing pressure",
  ),
  ...group(
    "Buyback",
    1.3,
    "share repurchase program|stock repurchase program|share buyback|buyback program|repurchase up to|accelerated share repurchase",
  ),
  ...group(
    "Contract won",
    1.6,
    "awarded a contract|won a contract|wins contract|wins a contract|was awarded|were awarded|secured a contract|secured an order|contract valued at|selected by",
    lasting,
  ),
  ...group(
    "Contract lost",
    -1.7,
    "lost a contract|lost its largest|lost its biggest|lost its main|loss of a customer|loss of its largest|terminated the agreement|terminated its agreement|termination of the agreement|contract was terminated|terminated its contract|cancelled the contract|canceled the contract|cancelled its order|canceled its order",
    lasting,
  ),
  ...group("Lawsuit", -1.2, "class action|lawsuit|lawsuits|sued by|was sued|patent infringement|antitrust"),
  ...group("Settled", 0.5, "settled the lawsuit|lawsuit was dismissed|dismissed the lawsuit|ruled in favor"),
  ...group(
    "Jobs cut",
    -0.7,
    "layoffs|job cuts|workforce reduction|reduction in force|restructuring plan|plant closure|closing its",
  ),
  ...group(
    "Share offering",
    -1.7,
    "offering of common stock|public offering of|registered direct|at-the-market offering|convertible senior notes|shares of common stock at a price",
    lasting,
  ),
  ...group(
    "Sudden departure",
    -2.6,
    "resigned with immediate effect|resigned effective immediately|stepped down with immediate effect",
  ),
  ...group("Departure", -0.7, "resigned|stepping down|abrupt departure|terminated for cause|resignation of"),
  ...group(
    "Turned to profit",
    2,
    "returned to profitability|return to profitability|swung to a profit|turned profitable|first profitable|achieved profitability",
    lasting,
  ),
  ...group(
    "Turned to loss",
    -2.2,
    "swung to a loss|swung to a net|unexpected loss|surprise loss|wider loss|widening loss|wider net loss|loss widened",
    lasting,
  ),
  ...group(
    "Delay",
    -1,
    "delayed|delays|postponed|behind schedule|production halt|halted production|suspended production|shut down|recall of|recalled|recalls",
  ),
  ...group("Warning", -1.6, "profit warning|warned that|warns of|warned of|cautioned that"),
  ...group("Rating raised", 1.3, "upgraded to|upgraded by|outlook to positive"),
  ...group("Rating lowered", -1.4, "downgraded to|downgraded by|outlook to negative|downgraded"),
  ...group(
    "Takeover",
    2.2,
    "to be acquired|will be acquired|agreed to be acquired|acquired by|takeover offer|tender offer for|per share in cash|premium of",
  ),
  ...group(
    "Deal ended",
    -1.8,
    "terminated the merger|termination of the merger|walked away|called off|deal collapsed",
    lasting,
  ),
];

/** By first word, longest first. */
export const phrasesByFirst: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  phrases.toSorted((a, b) => b.words.length - a.words.length),
  ({ words }) => words[0] ?? "",
);
