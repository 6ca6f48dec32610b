import type { Artifact, LinkedSymbol } from "../types.ts";
import { economiesIn } from "./economies.ts";
import type { Token } from "./matcher.ts";

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Words of business that are rarely said of anything else. Words that are also figures of speech (stake, dividend, merger,
 * debut, launch, results) are left out on purpose: they are what needs proof.
 */
const businessWords = wordsOf(`
  company companies firm firms maker makers manufacturer startup startups conglomerate subsidiary unicorn
  investor investors investment investments shareholder shareholders stockholder stockholders unitholders shareholding
  stock stocks shares equity equities bank banks lender lenders insurer insurers brokerage broker fund funds fintech
  bond bonds bondholders debt ipo ipos spac offering nasdaq nyse lse bse nse sensex etf etfs
  profit profits revenue revenues sales earnings turnover ebitda eps dividends distribution payout
  quarter quarterly q1 q2 q3 q4 h1 h2 fy fiscal crore lakh billion bn
  ceo cfo coo cto executive boardroom agm egm pdmr 13d 13g 13f 10b5
  regulator regulators watchdog antitrust sec ftc doj sebi securities
  moody fitch s&p dbrs crisil icra kbra 
  strategic restructuring bankruptcy insolvency chapter llp llc carmaker automaker drugmaker chipmaker retailer airline
  supermarket utility miner refiner developer supplier producer bookmaker brewer distiller homebuilder biotech
  pharma ai software semiconductor semiconductors oilfield pipeline fda topline
  acquirer buyout demerger spinoff plaintiff
`);
const companyForms = wordsOf(`
  Inc Corp plc PLC Plc Ltd LTD Limited AG SE SA AB ASA Oyj NV N.V S.A SpA S.p.A GmbH Holdings Bancorp
`);
/** What companies are called by their trade. */
const companyTrades = wordsOf(`
  Partners Capital Pharma Therapeutics Technologies Energy Industries Motors Foods Resources Minerals Mining Pharmaceuticals
`);
/** Words of sport, stage, school and nature. Without a linked symbol they tell that finance is a figure of speech. */
const leisureWords = wordsOf(`
  striker midfielder defender goalkeeper winger bowler bowlers batsman batter batters batting pitcher quarterback lineman
  linebacker footballer cricketer cricketers golfer golfers cyclist sprinter skier skiers boxer jockey athlete athletes
  coach teammate teammates wicket wickets innings cricket rugby football soccer basketball baseball hockey tennis golf
  marathon triathlon ashes olympic olympics medal medals championship championships semifinal semifinals quarterfinal
  quarterfinals playoff playoffs touchdown tournament stadium derby ferrari qualifying podium seed seeds umpire referee
  film films movie movies cinema actor actress singer songwriter rapper band bands album albums novel novels novelist poet
  poets poem poetry playwright theatre theater musical opera ballet choir choirs orchestra concert concerts
  festival sitcom sequel drama comedy comedian comedians thriller documentary museum museums gallery exhibition sculptor
  painter painting paintings sculpture fashion celebrity celebrities wedding bride groom recipe recipes gardener gardeners
  gardening garden chef chefs bakers baking yoga horoscope crossword puzzle puzzles
  pupils pupil headteacher kindergarten classroom students student vicar parish parishes bishop
  church cathedral scouts hikers hiker climber climbers skydiver angler anglers ramblers birdwatchers
  astronomers astronomer galaxies galaxy telescope comet asteroid volcano fossil dinosaur archaeologists
  puppy kitten dog dogs cat cats horse horses hedgehog hedgehogs owl owls whale whales penguin penguins sheepdog
  rookie semi wimbledon cup league squad captain fans supporters hollywood broadway baby babies mum mom couple villagers
  neighbours neighbors pet pets zoo zookeepers orchard hospice charity cathedral curator abbey castle
  runner runners racing steeplechase canine dachshund journalist snowman halloween toddler toddlers grandmother grandfather teenager teenagers
  rovers wanderers lions tigers knitting chess darts snooker karaoke
`);
/** Words that speak of a market even beside a word of leisure. */
const marketWords = wordsOf(`
  ipo stocks investors shareholders nasdaq nyse etf bonds billion revenue inflation gdp tariffs tariff tax vat taxes exports
  imports profit
`);
/** Words of trading, which tell a commodity or a currency from a thing of that name. */
const tradingWords = wordsOf(`
  price prices future futures ounce barrel barrels bushel ton tons tonne tonnes supply supplies demand record high highs low
  lows dollar dollars euro yen fed ecb data week weeks month months rally rallies trade trading market markets traders opec
  session auction yield yields index exchange rate rates intervention stimulus inventories crop harvest weather export exports
  crypto bitcoin crude oil brent gold treasury treasuries bund bunds gilt gilts bank minister
  open opens close closes ends mixed flat higher lower haven outlook forecast forecasts stablecoin ethereum blockchain token
  upgrade developers funds peso rupee won forex currency currencies merger list lists join joins
`);
/** How a price is said to move. */
export const moveWords = wordsOf(`
  rise rises rose fall falls fell gain gains slip slips jump jumps drop drops climb climbs edge edges slide slides rally rallies
  tumble tumbles surge surges slump slumps plunge plunges soar soars sink sinks rebound rebounds ease eases dip dips retreat
  retreats advance advances spike spikes end ends ended close closes closed open opens opened lower higher flat mixed up down
  steady record lift lifts drag drags weigh weighs snap snaps extend extends hit hits near nears top tops cross crosses
  lose loses shed sheds add adds tick ticks inch inches swing swings pare pares index points futures choppy
`);
/** Affairs of states, for which a headline without any tag still gets the country that it opens with. */
const stateWords = wordsOf(`
  missile missiles troops army military navy war ceasefire airstrike airstrikes nuclear coup invasion border drone drones
  president minister government protests protesters ambassador embassy treaty summit hostages offensive rebels militia
`);
/** Institutions and areas that are no country's. */
const areaWords = wordsOf(`
  imf oecd ecb opec eurozone eu wto euro zone global unctad adb ebrd g7 g20 brics asean african european asian
  lagarde fed fomc treasury governor finance
`);

/** What a text is about, beyond its phrases. */
export interface Context {
  /** A company's affairs can be meant: a symbol is linked, or words, sums or the form of a company say so. */
  readonly business: boolean;
  /** An economy can be meant: one is named, or an institution of one. */
  readonly economy: boolean;
  readonly figures: boolean;
  /** Trading can be meant: figures, or words of a market. */
  readonly trading: boolean;
  /** Figures move, or are traded: without one no topic of a macro headline is sure. */
  readonly moving: boolean;
  readonly leisure: boolean;
  readonly states: boolean;
}

const has = (tokens: readonly Token[], words: ReadonlySet<string>): boolean =>
  tokens.some(({ word }) => words.has(word));
const isBusiness = (tokens: readonly Token[]): boolean =>
  tokens.some(({ word, raw }) => businessWords.has(word) || companyForms.has(raw) || companyTrades.has(raw));
const sum = /[$€£¥₹]\s?\d/;
const figure = /%|[$€£¥₹]\s?\d|\d[.,]\d|\d (?:million|billion)/;

const startsName = /^\p{Lu}/u;
/** Words that stand before a company's name in headlines whose every word is capitalised. */
const beforeNames = wordsOf("Of With For And To By In On At From The As Of Against Into Over");
const longestName = 4;
const blank: Token = { raw: "", word: "", possessive: false, stem: "" };

/**
 * Blanks a company's name, told by its form: "Merger Records plc" is no merger, and "Central Bank & Trust Holdings" no central
 * bank. Only names that open a headline or a clause are sure to be names and nothing else.
 */
export function withoutNames(tokens: readonly Token[]): readonly Token[] {
  const form = tokens.findIndex(({ raw }) => companyForms.has(raw));
  if (form === -1) return tokens;
  let from = form;
  while (
    form - from < longestName &&
    startsName.test(tokens[from - 1]?.raw ?? "") &&
    !beforeNames.has(tokens[from - 1]?.raw ?? "")
  )
    from -= 1;
  const opens = /^[.^]$/.test(tokens[from - 1]?.word ?? "");
  return opens && from < form ? tokens.map((token, at) => (at >= from && at < form ? blank : token)) : tokens;
}

/** A linked symbol or a form proves it all. */
const certain: Context = {
  business: true,
  economy: true,
  figures: true,
  moving: true,
  trading: true,
  leisure: false,
  states: false,
};

/** Reads the signs of finance in the headline, and in the lead where the headline shows none. */
export function contextOf(
  { title, filing }: Artifact,
  head: readonly Token[],
  lead: () => readonly Token[],
  symbols: readonly LinkedSymbol[],
): Context {
  if (symbols.length > 0 || filing !== null) return certain;
  const figures = figure.test(title);
  const economy =
    has(head, areaWords) ||
    head.some(({ raw }) => raw === "WHO") ||
    economiesIn(head).length > 0 ||
    economiesIn(lead()).length > 0;
  const worded = isBusiness(head) || has(head, tradingWords);
  const marketed = has(head, marketWords);
  return {
    business: sum.test(title) || isBusiness(head) || isBusiness(lead()),
    economy,
    figures,
    moving: figures || worded || has(head, moveWords),
    trading: economy || figures || worded || marketed,
    leisure: has(head, leisureWords) && !marketed,
    states: has(head, stateWords),
  };
}

const goods = wordsOf(`
  oil crude brent gold silver copper zinc nickel tin lithium cobalt uranium palladium platinum aluminium aluminum ore coal lng gas wheat
  corn soybeans soybean cocoa coffee sugar cotton
`);
const priceWords = wordsOf("price prices futures");

/** "Copper climbs as": the price of a good opens the headline, whatever company it names then. */
export function opensWithGood(title: readonly Token[]): boolean {
  const at = title.slice(0, 2).findLastIndex(({ word }) => goods.has(word));
  const next = priceWords.has(title[at + 1]?.word ?? "") ? at + 2 : at + 1;
  return at >= 0 && moveWords.has(title[next]?.word ?? "");
}

/** Words that open the reason for a move: "Gold rises on Fed hopes" is about gold. "After" tells an event, and is none. */
const reasons = wordsOf("before ahead as on amid awaiting awaits while despite with");

/** The words before the reason that a headline gives; all of them when it gives none. */
export function mainClause(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(({ word }, index) => index > 2 && reasons.has(word));
  return at === -1 ? tokens : tokens.slice(0, at);
}
