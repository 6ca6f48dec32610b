/**
 * What kind of news a headline is. `lift` is how often such headlines came with an abnormal move, relative to any
 * headline on a liquid U.S. stock (78,669 headlines, 2015-2017): 1 is average, 2 twice as often.
 */
export interface EventType {
  readonly name: string;
  readonly lift: number;
  /** Reports of what the price already did: moved often, and nothing left to act on. */
  readonly echo: boolean;
  readonly pattern: RegExp;
}

const event = (name: string, lift: number, source: string, echo = false): EventType => ({
  name,
  lift,
  echo,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, "iu"),
});

const gap = (most: number): string => `(?:[^\\s.;:]{1,24} ){0,${most}}`;
const moves =
  "(?:rise|rises|rose|rising|fall|falls|fell|falling|jump|jumps|jumped|surge|surges|surged|surging|soar|soars|soared|slide|slides|slid|slip|slips|slipped|drop|drops|dropped|tumble|tumbles|tumbled|plunge|plunges|plunged|gain|gains|gained|climb|climbs|climbed|rally|rallies|rallied|sink|sinks|sank|dip|dips|dipped|slump|slumps|up|down|higher|lower|trading)";

/** In order: the first that fits names the item, so what echoes comes first and what is plain comes last. */
export const eventTypes: readonly EventType[] = [
  event(
    "market wrap",
    2.0,
    "stock market (?:today|news|update)|wall street|market (?:wrap|movers|close|update|talk)|(?:premarket|pre-market|midday|after-hours|biggest|top) (?:movers|gainers|losers)|stocks? to watch|stocks? (?:open|close|end)s?|(?:dow|s&p 500|nasdaq|sensex|nifty|ftse|dax|nikkei|hang seng|futures) (?:closes?|ends?|opens?|rises?|falls?|jumps?|drops?|slips?|gains?|up|down|higher|lower)|european shares|asian shares|u\\.?s\\.? stocks",
    true,
  ),
  event(
    "law-firm notice",
    0.3,
    "investor alert|shareholder alert|deadline alert|lead plaintiff|law firm|class action (?:deadline|reminder)|on behalf of (?:investors|shareholders)|reminds? (?:investors|shareholders)",
  ),
  event(
    "share move",
    2.6,
    `(?:shares|stock|scrip) (?:is |are )?${moves}|${moves} (?:\\d[\\d.]*(?:%| per ?cent| pct|pc)) (?:today|premarket|pre-market|on|after)|52[- ]week (?:high|low)|why \\S{1,24} (?:shares|stock)|unusual (?:options|volume)|trading halt|hits? (?:new|fresh|all-time|record) (?:high|low)`,
    true,
  ),
  event(
    "earnings call",
    0.5,
    "transcript|(?:earnings|results) (?:conference )?(?:call|webcast)|(?:to|will) (?:report|announce|host|release) (?:\\S{1,14} ){0,5}(?:results|earnings|call)|results on",
  ),
  event(
    "guidance up",
    2.1,
    `(?:rais(?:es|ed)|lifts?|lifted|boosts?|hikes?|increases?|ups) ${gap(5)}(?:guidance|outlook|forecast)|(?:guidance|outlook|forecast) (?:raised|lifted|boosted)`,
  ),
  event(
    "guidance down",
    1.8,
    `(?:cuts?|lowers?|lowered|slashe?[sd]|trims?|reduces|withdraws?|suspends?) ${gap(5)}(?:guidance|outlook|forecast)|profit warning|(?:guidance|outlook|forecast) (?:cut|lowered|slashed)`,
  ),
  event(
    "guidance",
    1.9,
    "guidance|outlook|forecasts? (?:q[1-4]|full[- ]year|revenue|sales|profit)|sees (?:q[1-4]|fy)|guides",
  ),
  event(
    "earnings",
    2.2,
    "earnings|results|eps|q[1-4]|(?:first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter|quarterly (?:profit|loss|revenue|sales)|net (?:profit|loss|income)|full[- ]year|half[- ]year|profit(?:s)? (?:rises?|falls?|up|down|jumps?)|(?:beats?|misse[sd]|tops?|topped) (?:[^\\s.;:]{1,24} ){0,4}(?:estimates|expectations|consensus|views)",
  ),
  // Before the deals: "upgraded to buy" buys nothing.
  event("rating", 0.6, "(?:double[- ])?(?:upgrad|downgrad)\\w{1,4}|credit ratings?|(?:cut|lowered) to junk"),
  event("buyback", 1.7, "buybacks?|repurchases?"),
  event("dividend", 0.67, "dividends?|distribution|payout"),
  event(
    "deal target",
    0.9,
    "to be (?:acquired|bought|taken private)|(?:takeover|buyout|acquisition) (?:bid|offer|proposal|approach)|tender offer",
  ),
  event(
    "deal",
    1.0,
    "acquires?|acquired|acquisition|merger|merges?|to (?:acquire|buy|merge)|takeover|buyout|divest\\w{0,6}|spin-?offs?|joint venture|stake sale|sells? \\S{1,20} (?:unit|business|division)",
  ),
  event(
    "offering",
    1.1,
    "offering|rights issue|ipo|share sale|private placement|registered direct|prices \\S{1,20} shares",
  ),
  event(
    "clinical",
    1.06,
    "phase (?:1|2|3|i{1,3})(?:[ab/-]\\S{0,4})?|clinical|trials?|endpoints?|topline|fda|ema approv\\w{1,4}|complete response",
  ),
  event(
    "distress",
    0.9,
    "bankruptcy|chapter (?:11|7)|default(?:s|ed)?|miss(?:es|ed)? (?:an? |its )?(?:interest|coupon|bond|debt) payments?|going concern|insolven\\w{1,4}|delist\\w{1,4}|restat\\w{1,6}|non-reliance|can no longer be relied",
  ),
  event(
    "layoffs",
    1.1,
    `layoffs?|job cuts|(?:cuts?|cutting|slash(?:es)?|lays? off) ${gap(4)}(?:jobs|workers|employees|staff|workforce)`,
  ),
  event(
    "rating",
    0.6,
    "upgrad\\w{1,4}|downgrad\\w{1,4}|price targets?|target price|initiat\\w{1,4} (?:at|with|coverage)|overweight|underweight|outperform|underperform|analysts?",
  ),
  event("stake", 0.67, "activist|stake|13d|13g|hedge fund"),
  event(
    "legal",
    0.5,
    "lawsuits?|sues?|sued|court|judge|antitrust|probes?|probing|investigat\\w{1,6}|fined|settle\\w{0,6}|subpoena\\w{0,2}|recall(?:s|ed|ing)?|patent",
  ),
  event(
    "contract",
    0.62,
    "contracts?|wins? order|awarded|agreement|partnership|partners? with|deal with|supply",
  ),
  event(
    "management",
    0.6,
    "ceo|cfo|chief \\S{1,12} officer|appoints?|names?|resigns?|steps down|board of directors|chairman",
  ),
  event("debt", 0.57, "notes|bonds?|debt|credit facility|loan|refinanc\\w{1,4}"),
  event("sales data", 1.1, "deliveries|same-store sales|comparable sales|monthly sales|shipments|traffic"),
  event("product", 0.52, "launch(?:es|ed)?|unveils?|introduces?|releases?|debuts?|new product"),
  event("other", 0.7, "\\S{0,40}"),
];

export const hasPercentFigure = /\d(?:[\d.,]{0,8})\s?(?:%|per ?cent|pct|pc\b)/i;

/** The kind of news, from the headline alone. */
export function eventOf(title: string): EventType {
  const text = title.slice(0, 400);
  const found = eventTypes.find(({ pattern }) => pattern.test(text));
  return found ?? { name: "other", lift: 0.7, echo: false, pattern: /^/ };
}
