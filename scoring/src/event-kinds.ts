import type { PhraseLists } from "./phrase-index.ts";
import { phraseLists } from "./phrase-rules.ts";

/**
 * What kind of news a headline is. `lift` is how often such headlines came with an abnormal move, relative to any
 * headline on a liquid U.S. stock (78,669 headlines, 2015-2017): 1 is average, 2 twice as often. Kinds for which nothing
 * was published have the lift of their nearest relative.
 */
export interface EventType {
  readonly name: string;
  readonly lift: number;
  /** Reports of what the price already did: moved often, and nothing left to act on. */
  readonly echo: boolean;
}

/** Words that stand for each other. */
export const eventLists: PhraseLists = {
  ...phraseLists,
  moves:
    "rise|rises|rose|rising|fall|falls|fell|falling|jump|jumps|jumped|jumping|surge|surges|surged|surging|soar|soars|soared|soaring|slide|slides|slid|slip|slips|slipped|drop|drops|dropped|dropping|tumble|tumbles|tumbled|plunge|plunges|plunged|plunging|gain|gains|gained|climb|climbs|climbed|rally|rallies|rallied|sink|sinks|sank|sinking|dip|dips|dipped|slump|slumps|slumped|spike|spikes|spiked|pop|pops|popped|crash|crashes|crashed|rebound|rebounds|up|down|higher|lower|trading|moving",
  index: "dow|s&p|nasdaq|sensex|nifty|ftse|dax|nikkei|futures|kospi|index|indices|benchmarks",
  period: "quarter|quarterly|q1|q2|q3|q4|year|annual|half|fy|1q|2q|3q|4q",
};

type Entry = readonly [EventType, string];
const event = (name: string, lift: number, phrases: string, echo = false): Entry => [
  { name, lift, echo },
  phrases,
];

/** What only looks like an event, or echoes one; looked for first. */
const framing: readonly Entry[] = [
  event(
    "trade halt",
    1.6,
    `halt code
     halted ~2 news pending
     trading halt|halted|suspended|suspension|pause|paused
     halts|suspends ~2 trading
     news pending
     regulatory halt`,
  ),
  event(
    "market wrap",
    2.0,
    `stock market today|news|update|wrap
     wall street|st ~1 @moves|ends|closes|opens|mixed|set|flat|braces|awaits|week
     on wall street
     market wrap|movers|close|update|talk|buzz|live
     markets wrap|close|update|open|live
     premarket|midday|biggest|top|hours movers|gainers|losers
     stock|stocks to watch
     stocks open|opens|close|closes|end|ends|finish|@moves
     @index closes|close|ends|end|opens|open|settles|@moves
     hang seng
     s&p 500|# @moves|closes|ends
     european|asian|us|asia|european shares|stocks
     morning|midday|afternoon|mid market|morning update|movers|brief|briefing
     # stocks ~3 moving|watch|buy|@moves
     gainers|losers`,
    true,
  ),
  event(
    "option alert",
    2.8,
    `unusual options|option|volume|activity
     option|options alert|activity|traders|volume|action
     put|call buyers|buying|purchase|purchases|sweep|sweeps
     block trade`,
    true,
  ),
  event(
    "share move",
    2.6,
    `share|shares|stock|scrip|stk is|are|was|were|also ~1 @moves
     share|shares|stock|scrip @moves
     @moves ~2 # ?percent|pct|pc today|premarket|intraday|aftermarket
     share|shares|stock ~3 @moves #
     52 week|wk high|highs|low|lows
     why ~4 shares|stock
     hit|hits|hitting|at|near ~1 new|fresh|all|record|lifetime|multi time|high|low|year
     all|life time high|low|highs|lows
     premarket|midday|session highs|lows
     shares ~2 resume|resumed
     watch ~3 levels
     breakout|breakdown`,
    true,
  ),
  event(
    "law-firm notice",
    0.3,
    `investor|shareholder|deadline|investors|class alert|reminder
     lead plaintiff
     law firm|offices
     class action deadline|reminder|filed|lawsuit|alert
     on behalf of ~1 investors|shareholders
     reminds|encourages|urges ~2 investors|shareholders`,
  ),
  event(
    "earnings date",
    0.5,
    `transcript
     earnings|results ~1 call|webcast|transcript|preview
     to|will report|announce|host|release|hold|discuss|publish ~6 results|earnings|call|webcast
     results on
     earnings scheduled|preview|calendar
     schedules|sets|confirms ~5 results|earnings|call
     earnings to watch
     what to expect
     date of ~4 results|earnings`,
  ),
  event(
    "conference",
    0.4,
    `to|will|set present|participate|speak|attend|exhibit
     to attend|present
     investor|healthcare|technology|annual conference|day|summit
     fireside chat
     annual ~1 meeting
     extraordinary ~1 meeting`,
  ),
  event("exclusive", 0.45, "exclusive\ninterview\nq&a\nopinion\npodcast"),
];

const results: readonly Entry[] = [
  event(
    "guidance up",
    2.1,
    `@raise ~5 guidance|outlook|forecast|forecasts
     guidance|outlook|forecast raised|lifted|boosted
     sees|guides ~5 above|vs
     raises|raised ~2 fy|full`,
  ),
  event(
    "guidance down",
    1.8,
    `@cut ~5 guidance|outlook|forecast|forecasts
     withdraw+|withdraws|withdrew|suspend+|pulls|scraps ~4 guidance|outlook|forecast
     profit|earnings|sales|revenue warning
     warns ~4 profit|earnings|sales|revenue|results
     guidance|outlook|forecast cut|lowered|slashed
     sees|guides ~5 below`,
  ),
  event(
    "preannouncement",
    2.0,
    `preliminary ~4 results|revenue|sales|earnings
     preannounce+
     pre announces|announced
     prelim`,
  ),
  event(
    "guidance",
    1.9,
    `guidance|outlook|guides
     forecasts ~2 @period|revenue|sales|profit
     sees|expects|reaffirms|affirms|backs ~1 q1|q2|q3|q4|fy|full|2015|2016|2017|2018|adj|eps|revenue|sales|#`,
  ),
  event(
    "earnings beat",
    2.2,
    `beat|beats|top|tops|topped|exceeds|exceeded|surpasses ~5 @view
     beat|beats on
     earnings|eps|revenue|profit beat|beats
     better than ~1 expected`,
  ),
  event(
    "earnings miss",
    2.2,
    `miss|misses|missed ~5 @view
     misses on
     earnings|eps|revenue|profit miss|misses
     worse than ~1 expected
     falls|fell|comes short`,
  ),
  event(
    "earnings",
    2.2,
    `earnings
     results
     eps
     q1|q2|q3|q4|1q|2q|3q|4q
     first|second|third|fourth|1st|2nd|3rd|4th|1h|2h quarter|half
     quarterly|annual|interim profit|loss|revenue|sales|report|net
     net profit|loss|income|pat
     operating|pretax profit|loss|income
     full|half year
     profit|profits rise|rises|fall|falls|up|down|jumps|drops|surges|plunges|doubles
     swings to ~1 profit|loss
     reports|posts|posted ~3 profit|loss|revenue`,
  ),
  event(
    "sales data",
    1.1,
    `deliveries|shipments|traffic|bookings
     same|comparable|comp store|sales
     monthly|weekly|retail|vehicle|auto|total sales
     sales ~2 rise|fall|up|down|grow|jump|drop
     passenger|load numbers|factor
     delivered ~2 vehicles|aircraft|planes`,
  ),
];

const capital: readonly Entry[] = [
  event(
    "rating change",
    0.6,
    `upgrade+|upgraded|upgrades
     downgrade+|downgraded|downgrades
     credit rating|ratings
     cut|lowered to junk`,
  ),
  event("buyback", 1.7, "buyback|buybacks|repurchase|repurchases|repurchased\nbuy back\ntender offer ~3 own"),
  event(
    "dividend cut",
    1.2,
    `suspend+|omit|omits|eliminates|scraps|halts|cancels|skips|@cut ~5 dividend|dividends|distribution|payout
     dividend|distribution cut|suspension|suspended|omission`,
  ),
  event("dividend", 0.67, "dividend|dividends|payout\ncash|quarterly distribution"),
  event("stock split", 0.67, "stock|share|reverse split\nbonus issue|shares\nsplit ~2 stock|shares"),
  event(
    "deal target",
    0.9,
    `to be acquired|bought
     be taken private
     agrees ~1 to be
     takeover|buyout|acquisition bid|offer|proposal|approach|target|interest
     tender offer
     goes|going|go private
     unsolicited
     explores|exploring ~2 sale
     strategic alternatives|review`,
  ),
  event(
    "deal ended",
    1.0,
    `terminate+|abandon+|scraps|calls|walks|blocks|rejects ~5 merger|deal|acquisition|takeover|bid
     merger|deal|takeover|talks collapse|collapses|collapsed|terminated|blocked|off|end`,
  ),
  event(
    "divestment",
    0.9,
    `divest+|divestment|divestiture
     spin off|offs
     spinoff
     carve out
     to sell ~5 unit|business|division|stake|operations|assets
     sells|sold ~5 unit|business|division|stake|operations|assets
     stake|asset|unit sale`,
  ),
  event(
    "deal",
    1.0,
    `acquire+|acquisition|acquisitions
     merger|merge|merges|merging
     to buy
     takeover|buyout
     buys ~6 for|stake|unit|maker|firm|company|business
     joint venture`,
  ),
  event(
    "offering",
    1.1,
    `offering|placement
     rights issue
     share|stock|equity sale
     registered direct
     at the market
     prices ~3 shares
     shelf registration
     raise|raises ~4 equity|qip|shares
     convertible notes|bonds`,
  ),
  event("listing", 0.8, "ipo\ninitial public\nto list|debuts on|in|at\nuplist+\ndebut|debuts"),
];

const trouble: readonly Entry[] = [
  event(
    "approval",
    1.06,
    `fda|ema|chmp|usfda
     approval|approved|approves ~4 drug|treatment|therapy|vaccine|device|marketing
     wins|receives|gets|granted ~4 approval|clearance
     complete response
     breakthrough|fast|orphan therapy|track|drug|designation
     advisory committee|panel
     warning letter|letters`,
  ),
  event(
    "clinical",
    1.06,
    `phase 1|2|3|i|ii|iii|1a|1b|2a|2b|3a|3b
     clinical trial|trials|hold|data|study|results
     trial|study results|data|meets|met|fails|failed
     primary endpoint
     endpoint|endpoints|topline
     late|mid|early stage
     trial|trials`,
  ),
  event(
    "insolvency",
    0.9,
    `bankruptcy|bankrupt|insolvency|insolvent|receivership
     chapter 11|7
     going concern
     enters|into administration|liquidation`,
  ),
  event(
    "default",
    0.9,
    `default|defaults|defaulted
     miss|misses|missed ~3 payment|payments
     covenant ~1 breach
     debt restructuring`,
  ),
  event(
    "delisting",
    0.9,
    "delist|delisted|delisting|delists\ndeficiency|noncompliance|compliance notice|letter\nregains compliance\nregain|regains ~2 compliance",
  ),
  event(
    "accounts in doubt",
    0.9,
    `restate+|restatement|restated
     non reliance
     be relied
     accounting ~2 irregularities|fraud|probe|scandal|error|errors
     auditor resigns|resignation|quits
     material weakness
     delays|delay ~3 filing|10`,
  ),
  event(
    "cyber incident",
    0.9,
    "data|security breach\ncyber attack|incident|security\ncyberattack|ransomware|hacked|hackers|hack\noutage|outages",
  ),
  event(
    "layoffs",
    1.1,
    `layoff|layoffs|redundancies
     job|jobs|staff|workforce cut|cuts|reduction|reductions
     @cut|eliminate+|shed|sheds|axes ~4 jobs|workers|employees|staff|workforce|positions
     lay|lays|laying off`,
  ),
  event("short report", 1.0, "short seller|report\nhindenburg|citron|spruce|muddy research|point|waters"),
  event(
    "analyst view",
    0.6,
    `price target|targets
     target price
     pt
     initiate+|starts|resumes ~4 at|with|coverage
     overweight|underweight|outperform|underperform|equal
     analyst|analysts
     buy|sell|hold|neutral rating
     reiterate+|reiterates|maintains ~3 buy|sell|hold|neutral|outperform`,
  ),
  event(
    "insider trade",
    0.6,
    "insider ~1 buying|selling|buys|sells|purchase|sale|trading\nceo|director|cfo|chairman buys|sells|bought|sold ~3 shares|stock",
  ),
  event(
    "stake",
    0.67,
    `activist|activists
     stake|stakes
     13d|13g|13f
     hedge fund|funds
     proxy fight|contest|battle
     discloses ~3 holding|position`,
  ),
  event("recall", 0.5, "recall|recalls|recalled|recalling"),
  event(
    "fine",
    0.5,
    `fined|fines|penalty|penalties
     fine of
     settle+|settlement
     to pay ~5 fine|settle|settlement|damages`,
  ),
  event(
    "legal",
    0.5,
    `lawsuit|lawsuits|sue|sues|sued|suing|court|judge|antitrust|probe|probes|probing|subpoena|subpoenaed|patent|patents|jury|verdict|trial|indicted|whistleblower
     investigate+|investigation|investigations
     class action
     charged with`,
  ),
];

const routine: readonly Entry[] = [
  event(
    "contract",
    0.62,
    `contract|contracts|awarded
     win|wins|won ~4 order|orders|deal|tender
     order ~3 worth|for|from
     receives|received|bags|secures ~3 order|orders`,
  ),
  event(
    "partnership",
    0.62,
    "partnership|partners|partner|collaboration|collaborate|alliance|mou\nagreement\nteams up\ndeal with\nsupply",
  ),
  event(
    "management",
    0.6,
    `ceo|cfo|coo|cto|chairman
     chief ~1 officer
     appoint+|appointment|names|named|resigns|resignation|retires|ousted
     steps|stepping down
     board of directors
     joins ~3 board|as
     elected|elects ~3 board|director`,
  ),
  event(
    "debt",
    0.57,
    "notes|bond|bonds|debt|loan|loans\ncredit facility|line\nrefinance+|refinancing\nterm loan",
  ),
  event(
    "plant",
    0.6,
    "plant|factory|facility|mine|refinery|production|output|capacity\nstrike|strikes|union|walkout",
  ),
  event(
    "index change",
    0.7,
    "to join|replace ~4 s&p|index|nasdaq|russell|dow\nadded|removed|dropped to|from ~2 index|russell|s&p",
  ),
  event(
    "economic data",
    0.7,
    "fed|fomc|ecb|rbi|boe|gdp|cpi|inflation|payrolls|jobless|pmi|opec|rates\ninterest|rate rates|cut|hike\nconsumer confidence|sentiment|prices",
  ),
  event(
    "product",
    0.52,
    "launch|launches|launched|unveil|unveils|unveiled|introduce|introduces|introduced|release|releases|debuts|rollout\nnew product|products|service|app|model|version|website|store|stores\nopens|opened",
  ),
];

/** Earlier kinds name the item where it is of several. */
export const eventKinds: readonly Entry[] = [...framing, ...results, ...capital, ...trouble, ...routine];
