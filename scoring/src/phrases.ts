/**
 * Phrases that decide an item by themselves: what happened, how it bears on the price, what to call it. Read on
 * lower-case text. Every gap is bounded and no group nests a repetition, so hostile text costs linear time.
 */
export interface PhraseRule {
  readonly pattern: RegExp;
  /** -5..+5 for the one it happens to. */
  readonly weight: number;
  readonly label: string;
  /** The phrase says all there is to its words: verbs and nouns inside are not read again. */
  readonly whole: boolean;
}

const gap = (most: number): string => `(?:[^\\s.;:]{1,24} ){0,${most}}`;
const rule = (weight: number, label: string, source: string, whole = true): PhraseRule => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, "gu"),
  weight,
  label,
  whole,
});

const guide = "(?:guidance|outlook|forecasts?|targets?|expectations|projections?|estimates?)";
const raise =
  "(?:rais(?:e|es|ed|ing)|lift(?:s|ed)?|boost(?:s|ed)?|hikes?|hiked|increas(?:e|es|ed)|ups|upped)";
const cut =
  "(?:cut(?:s|ting)?|lower(?:s|ed|ing)?|slash(?:es|ed)?|trim(?:s|med)?|reduc(?:e|es|ed)|shaves?|pares?|reels in)";

export const phraseRules: readonly PhraseRule[] = [
  // Analysts come first: "target" there is no guidance.
  rule(2, "Price target raised", `(?:price targets?|target price|pt) (?:is |was )?${raise}(?: to)?`),
  rule(-2, "Price target cut", `(?:price targets?|target price|pt) (?:is |was )?${cut}(?: to)?`),
  rule(2, "Price target raised", `${raise} ${gap(3)}(?:price targets?|target price|pt)`),
  rule(-2, "Price target cut", `${cut} ${gap(3)}(?:price targets?|target price|pt)`),
  rule(2.5, "Upgrade", "upgrad(?:es|ed|e)|double upgrade"),
  rule(-2.5, "Downgrade", "downgrad(?:es|ed|e)|double downgrade"),
  rule(
    2,
    "Favourable rating",
    `(?:start(?:s|ed)|initiat(?:es|ed)|resumed?|assum(?:es|ed)|begins?|reiterat(?:es|ed)|maintains?) ${gap(4)}(?:buy|overweight|outperform|strong buy|add)|top picks?|buy rating|is a buy|strong buy|conviction buy|good buy|buy on dips|bullish on`,
  ),
  rule(
    -2,
    "Unfavourable rating",
    `(?:start(?:s|ed)|initiat(?:es|ed)|resumed?|assum(?:es|ed)|begins?|reiterat(?:es|ed)|maintains?) ${gap(4)}(?:sell|underweight|underperform|reduce)|sell rating|is a sell|bearish on|goes short|go short|short seller`,
  ),
  rule(
    0,
    "Neutral rating",
    `(?:start(?:s|ed)|initiat(?:es|ed)|resumes?) ${gap(3)}(?:neutral|hold|equal[- ]weight)`,
  ),
  rule(
    3,
    "Guidance raised",
    `${raise} ${gap(5)}${guide}|${guide} (?:is |was )?(?:raised|lifted|boosted)|guides? (?:\\S{1,12} )?(?:above|higher)`,
  ),
  rule(
    -3,
    "Guidance cut",
    `${cut} ${gap(5)}${guide}|${guide} (?:is |was )?(?:cut|lowered|slashed|trimmed)|guides? (?:\\S{1,12} )?(?:below|lower|down)|profit warnings?|(?:withdraws?|withdrew|withdrawn|pulls?|scraps?|suspends?|suspended) ${gap(4)}(?:guidance|outlook|forecast)`,
  ),
  rule(
    0.8,
    "Guidance kept",
    `(?:reaffirm|reiterat|maintain|back|affirm|confirm)(?:s|e|es|ed) ${gap(5)}(?:guidance|outlook|forecast)`,
  ),
  // Results against what was expected.
  rule(
    2.5,
    "Beat",
    `(?:beat(?:s|ing)?|tops?|topped|topping|exceed(?:s|ed|ing)?|surpass(?:es|ed)?|crush(?:es|ed)?|smash(?:es|ed)?|ahead of|above|better[- ]than) ${gap(5)}(?:estimates?|expectations?|expected|consensus|views?|forecasts?|street)|better[- ]than[- ](?:expected|feared)|beats by|beats? on (?:revs?|revenue)|revenue beats?|earnings beats?|eps beats?|beats earnings`,
  ),
  rule(
    -2.5,
    "Miss",
    `(?:miss(?:es|ed|ing)?|below|short of|shy of|trail(?:s|ed)?|lag(?:s|ged)?|worse[- ]than|weaker[- ]than|lower[- ]than) ${gap(5)}(?:estimates?|expectations?|expected|consensus|views?|forecasts?|street)|worse[- ]than[- ](?:expected|feared)|misses by|misses on (?:revs?|revenue)|revenue misses|earnings miss(?:es)?|eps misses|fall(?:s|ing)? short`,
  ),
  rule(
    0.3,
    "In line",
    "in[- ]line(?: with)?|meets? (?:estimates|expectations|forecasts)|matches (?:estimates|expectations)",
  ),
  // Swings across zero say more than any verb.
  rule(
    2.5,
    "Turned to profit",
    "(?:swings?|swung|turns?|turned|returns?|returned) (?:back )?to (?:\\S{1,12} )?profit(?:ability)?|narrower (?:\\S{1,12} )?loss|(?:narrows?|narrowed|shrinks?|trims?|trimmed|reduces?) (?:\\S{1,14} ){0,2}(?:net )?loss(?:es)?|loss(?:es)? (?:narrow(?:s|ed)?|shr(?:inks|ank))",
  ),
  rule(
    -2.5,
    "Turned to loss",
    "(?:swings?|swung|turns?|turned|slips?|slipped|falls?|fell) (?:in)?to (?:an? )?(?:\\S{1,12} )?loss|wider (?:\\S{1,12} )?loss|widens? (?:\\S{1,14} ){0,2}loss(?:es)?|loss(?:es)? widen(?:s|ed)?",
  ),
  // Deals.
  rule(
    3.5,
    "Takeover target",
    "(?:agrees? |agreed )?to be (?:acquired|bought|taken private)|(?:receives?|received|gets?|confirms?) (?:an? |unsolicited |non-binding |\\S{1,16} ){0,3}(?:takeover|buyout|acquisition) (?:bid|offer|proposal|approach|interest)|takeover target|being acquired by|agrees? to (?:\\S{1,12} )?buyout",
  ),
  rule(
    -2.5,
    "Deal ended",
    `(?:terminat(?:es|ed)|abandons?|abandoned|calls? off|scraps?|walks? away from|blocks?|blocked) ${gap(5)}(?:merger|deal|acquisition|takeover|buyout)|(?:deal|merger|takeover) (?:collapses?|falls through|is off|terminated|blocked)`,
  ),
  rule(
    0.8,
    "Acquisition",
    "(?:to (?:acquire|buy)|acquires?|acquired|completes? (?:\\S{1,14} ){0,2}acquisition(?: of)?|buys)(?= )",
    false,
  ),
  // What the company pays out or asks for.
  rule(
    2,
    "Dividend raised",
    `${raise} ${gap(4)}(?:dividends?|distribution|payout)|dividend (?:increase|hike|raised|increased)|initiates? ${gap(3)}dividend|special dividend|(?:reinstat|resum)(?:e|es|ed) ${gap(3)}dividend`,
  ),
  rule(
    -3,
    "Dividend cut",
    `(?:${cut}|suspend(?:s|ed)?|omits?|eliminates?|scraps?|halts?|cancels?) ${gap(5)}(?:dividends?|distribution|payout)|dividend (?:cut|suspension|suspended|halted)`,
  ),
  rule(
    1.8,
    "Buyback",
    `(?:share|stock)? ?buybacks?|(?:share|stock|unit) repurchase|repurchase (?:program(?:me)?|plan|authori[sz]ation)|to repurchase ${gap(5)}(?:shares|stock)|open[- ]market purchase`,
  ),
  rule(
    -2.2,
    "Share offering",
    `(?:prices?|priced|announces?|launches|closes) ${gap(7)}(?:offering of (?:\\S{1,12} )?(?:common (?:stock|shares)|ordinary shares|american depositary)|(?:public|secondary|follow-on|registered direct|underwritten|stock|share|equity) offering)|at-the-market (?:offering|program)|dilutive|registered direct|rights issue|stock offering|equity raise`,
  ),
  rule(
    0,
    "Debt issue",
    `offering of ${gap(4)}(?:senior |convertible )?notes|prices? ${gap(4)}notes offering`,
  ),
  // Distress and accounts.
  rule(
    -5,
    "Insolvency",
    "(?:files?|filed|filing) (?:for )?(?:\\S{1,16} )?(?:bankruptcy|chapter (?:11|7)|insolvency|administration)|chapter (?:11|7)|goes bankrupt|enters administration|going[- ]concern|liquidation proceedings",
  ),
  rule(
    -4,
    "Default or delisting",
    `defaults? on|missed (?:interest|coupon) payment|(?:delisting|deficiency) (?:notice|notification|letter)|(?:receives?|received) ${gap(4)}delisting|to be delisted|notice of (?:delisting|non-?compliance)`,
  ),
  rule(
    -4,
    "Accounts in doubt",
    "non-reliance|can no longer be relied|to restate|restates?|restatement|accounting (?:irregularities|fraud|probe)|material weakness|auditor resigns",
  ),
  rule(1.5, "Listing rule met", "regains? (?:nasdaq |nyse )?(?:listing )?compliance"),
  // Courts and authorities.
  rule(
    1.8,
    "Case won",
    `(?:wins?|won) ${gap(4)}(?:lawsuit|case|appeal|ruling|verdict)|(?:lawsuit|case|charges|suit) (?:is |was )?(?:dismissed|dropped|thrown out)|cleared of`,
  ),
  rule(
    -2,
    "Legal trouble",
    `(?:sued|sues|files? (?:a )?(?:law)?suit|class action|charged with|indicted|subpoena(?:ed)?|antitrust (?:probe|suit|case|lawsuit)|under investigation|investigat(?:es|ing|ion|ed)|probing|probes|raided|whistleblower)`,
  ),
  rule(
    -1.8,
    "Fined",
    "fined|fines|penalt(?:y|ies) of|to pay (?:\\S{1,12} ){0,3}(?:fine|penalty|settlement)|settlement of",
  ),
  rule(-2.2, "Recall", "recall(?:s|ed|ing)(?! earnings)|product recall"),
  // Medicine.
  rule(
    3.5,
    "Trial met its goal",
    `(?:met|meets|achiev(?:es|ed)|reach(?:es|ed)) ${gap(6)}(?:primary|co-primary|key secondary|main) (?:end ?points?|goals?)|positive (?:\\S{1,14} ){0,4}(?:data|results|readout|trial)|successful (?:\\S{1,14} ){0,2}(?:trial|study)`,
  ),
  rule(
    -4,
    "Trial failed",
    `(?:fail(?:s|ed)?|did not|does not|didn't|misses|missed) ${gap(5)}(?:(?:primary|main|key) (?:end ?points?|goals?)|endpoint)|(?:trial|study|drug) (?:fails|failed|failure)|clinical hold|discontinu(?:es|ed|ing) ${gap(5)}(?:trial|study|program|development)|disappoint(?:s|ing) in \\S{1,14} (?:study|trial)`,
  ),
  rule(
    3.5,
    "Approval",
    `(?:fda|ema|european commission|regulators?|nmpa|mhra|eu) (?:\\S{1,12} )?(?:approv(?:es|ed|al)|clears|cleared|clearance|grants)|(?:wins?|won|receives?|received|gets|secures?|granted|gains) ${gap(5)}(?:approvals?|clearance|nod)|(?:breakthrough|fast[- ]track|orphan drug|priority review) (?:designation|status|therapy)`,
  ),
  rule(
    -4,
    "Approval refused",
    `complete response letter|(?:rejects?|rejected|refuses?|declines? to approve|refusal to file) ${gap(4)}(?:application|drug|approval|nda|bla)|fda reject(?:s|ed|ion)|non-approvable`,
  ),
  // Business.
  rule(
    1.8,
    "Contract won",
    `(?:wins?|won|awarded|bags?|bagged|secures?|secured|lands|inks|clinches|receives?) ${gap(6)}(?:contracts?|orders?|deal|tender|award|grant)`,
  ),
  rule(
    1.2,
    "Partnership or launch",
    `(?:partners? with|partnership with|collaborat(?:es|ion) with|teams up with|strategic (?:partnership|alliance)|to launch|launches|unveils)`,
    false,
  ),
  rule(
    -2,
    "Contract lost",
    `(?:loses?|lost) ${gap(4)}(?:contract|customer|client|licen[cs]e|bid|appeal|case)|contract (?:terminated|cancelled|canceled)`,
  ),
  rule(
    -1.8,
    "Job cuts",
    `(?:cut(?:s|ting)?|slash(?:es)?|eliminat(?:e|es|ing)|shed(?:s|ding)?|axe(?:s)?|lay(?:s|ing)? off) ${gap(5)}(?:jobs|workers|employees|staff|positions|workforce|roles)|layoffs?|job cuts`,
  ),
  rule(1, "Hiring", `(?:add(?:s|ing)?|create|creates|hire|hires) ${gap(3)}jobs`),
  rule(
    -1.8,
    "Plant or service stopped",
    `(?:halt(?:s|ed)?|suspend(?:s|ed)?|stop(?:s|ped)?|shut(?:s|ting)?(?: down)?|clos(?:e|es|ing)) ${gap(4)}(?:production|operations|output|plants?|stores|branches|factory|factories|flights|deliveries|service)|data breach|cyber ?attack|ransomware|outage`,
  ),
  rule(
    -1.5,
    "Departure",
    `(?:ceo|cfo|chief executive|chief financial officer|chairman)(?:'s)? (?:\\S{1,14} ){0,3}(?:resigns?|resigned|departs?|departure|steps? down|ousted|quits|exits?|fired|leaves)|(?:ousts?|fires) (?:\\S{1,14} ){0,3}(?:ceo|cfo|chief)`,
  ),
  // Costs less is good; costs more is bad.
  rule(
    1.2,
    "Costs down",
    `(?:cut(?:s|ting)?|reduc(?:e|es|ed|ing)|lower(?:s|ed)?|slash(?:es|ed)?) ${gap(3)}(?:costs?|debt|expenses)|pays? (?:down|off) ${gap(2)}debt`,
  ),
  rule(
    -1.8,
    "Under pressure",
    "under pressure|takes? a hit|profit[- ]booking|profit[- ]taking|stop[- ]loss|weighs? on|hurt by|hit by|headwinds?|52[- ]week low|record low|\\S{1,8}[- ](?:week|month|year) lows?|all[- ]time low|going[- ]private fails|loses? confidence",
  ),
  rule(
    1.8,
    "High mark",
    "52[- ]week high|record highs?|all[- ]time highs?|\\S{1,8}[- ](?:week|month|year) highs?|record (?:profit|sales|revenue|earnings|results|quarter|orders|demand)|tailwinds?|outperform(?:s|ed)?",
  ),
  rule(
    -0.5,
    "Law-firm notice",
    "investor alert|shareholder alert|deadline alert|lead plaintiff|securities (?:fraud )?class action|law firm|on behalf of (?:investors|shareholders)",
  ),
];

/** Matches where any rule does: one pass that spares most texts the fifty others. */
export const anyPhrase = new RegExp(phraseRules.map(({ pattern }) => pattern.source).join("|"), "u");
