import type { FilingFacts } from "@tapewire/contract/filings.ts";

/** A value of the dictionary and the wording that earns it; `unless` names what looks alike and is not it. */
export interface TagRule {
  readonly value: string;
  readonly pattern: RegExp;
  readonly unless: RegExp | null;
}

const wording = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, "iu");
const rule = (value: string, source: string, unless: string | null = null): TagRule => ({
  value,
  pattern: wording(source),
  unless: unless === null ? null : wording(unless),
});
const gap = (most: number): string => `(?:[^\\s.;:]{1,24} ){0,${most}}`;

export const corporateRules: readonly TagRule[] = [
  rule(
    "ipo",
    "ipos?|initial public offering|direct listing|goes? public|going public|(?:begins|starts|first day of) trading on|debuts? on (?:nasdaq|nyse|the)|spac",
  ),
  rule(
    "earnings",
    "earnings(?! calls?| conference)|results for the|(?:quarter(?:ly)?|q[1-4]|full[- ]year|half[- ]year|annual|interim|financial|fiscal) (?:\\S{1,14} ){0,3}(?:results|profit|loss|net|revenue|sales|eps)|(?:guidance|outlook)|eps|profit warning|net (?:profit|loss|income)|(?:beats?|miss(?:es)?|tops?) (?:\\S{1,14} ){0,3}(?:estimates|expectations|consensus)|(?:profit|revenue|sales) (?:rises?|rose|falls?|fell|up|down|jumps?|drops?|beats?|miss(?:es)?)",
    "retail sales|home sales|trial results|study results|economic outlook|rating outlook|outlook (?:to|revised to|at) (?:stable|negative|positive)",
  ),
  rule(
    "earnings_calls",
    "earnings (?:conference )?call|(?:results|earnings) (?:webcast|conference call)|call transcript|conference call (?:to discuss|for|on)|to (?:host|hold) (?:\\S{1,14} ){0,5}(?:call|webcast)",
  ),
  rule("dividends", "dividends?|distribution per (?:unit|share)|cash distributions?|ex-date"),
  rule(
    "share_buybacks",
    "buybacks?|buy-?back|share repurchases?|stock repurchases?|repurchase (?:program(?:me)?|plan|authori[sz]ation|up to)|repurchases? (?:\\S{1,14} ){0,4}(?:shares|stock)|issuer tender offer|normal course issuer bid",
  ),
  rule(
    "strategy_business_products",
    `contracts?|partnership|partners? with|collaborat\\w{1,6}|strategic alliance|launch(?:es|ed)?|unveils?|introduces?|new product|clinical|phase (?:1|2|3|i{1,3})|endpoints?|fda (?:approv\\w{1,4}|clear\\w{1,5}|grants?)|(?:opens?|builds?|expands?|closes?|closing) ${gap(3)}(?:plant|factory|store|stores|facility)|restructur\\w{1,6}|layoffs?|job cuts|(?:cuts?|cut|slashes) ${gap(3)}(?:jobs|workforce)|expansion|awarded|wins? ${gap(3)}(?:order|tender)|supply (?:deal|agreement)|rollout|roadmap`,
    "contract expires|futures contracts?",
  ),
  rule(
    "mergers_and_acquisitions",
    "acquires?|acquired|acquisitions?|acquiring|mergers?|merges?|to (?:acquire|buy|merge)(?! back)|takeover|buyout|divest\\w{0,8}|spin-?offs?|spins off|joint venture|tender offer|sells? (?:its )?(?:\\S{1,20} ){0,2}(?:unit|business|division|subsidiary)|bid for|strategic alternatives",
    "to buy (?:now|today|on dips)|stocks? to buy",
  ),
  rule(
    "management",
    `(?:ceo|cfo|coo|cto|chair(?:man|woman|person)?|president|chief \\S{1,14} officer|chief executive|board)(?:'s)? (?:\\S{1,14} ){0,4}(?:resign\\w{0,3}|retire\\w{0,4}|steps? down|departs?|departure|quits|ousted|fired|appoint\\w{0,5}|succeed\\w{0,2}|leaves)|(?:appoints?|appointed|names?|named|hires|elects?|promotes?) ${gap(6)}(?:ceo|cfo|coo|cto|chief|president|chair(?:man|woman)?|director|board|officer|vice)|executive (?:pay|compensation)|appointment of|succession`,
  ),
  rule(
    "insider_trading",
    "insider (?:buying|selling|trading|purchase|sale|transactions?)|(?:director|officer|ceo|cfo|insider|chairman) (?:buys|sells|bought|sold|purchases|purchased) (?:\\S{1,14} ){0,3}(?:shares|stock)|form (?:3|4|5|144)|director/pdmr|pdmr",
  ),
  rule(
    "ownership_changes",
    "13d|13g|13f|tr-1|(?:takes?|took|raises?|cuts?|trims?|discloses?|reveals?|builds?|boosts?|holds?|increases?|acquires?) (?:\\S{1,14} ){0,4}stake|activist|major (?:shareholding|holdings)|holdings? in company|beneficial ownership",
  ),
  rule(
    "esg",
    "lawsuits?|sues?|sued|class action|litigation|antitrust|subpoena|probe|probes|investigat\\w{1,6}|fined|fines|penalty|settle(?:s|d|ment)|recall(?:s|ed|ing)?|sustainab\\w{1,7}|esg|emissions?|climate|carbon|governance|regulators?|regulatory|whistleblower|sanction(?:s|ed)|data breach|diversity",
    "regulatory approval|recalls? earnings",
  ),
  rule(
    "recommendation",
    "upgrad(?:es?|ed)|downgrad(?:es?|ed)|price targets?|target price|(?:initiat|reiterat|maintain|resum)\\w{1,4} (?:\\S{1,14} ){0,4}(?:buy|sell|hold|neutral|overweight|underweight|outperform|coverage|at)|overweight|underweight|outperform|underperform|analysts?|buy rating|sell rating",
    "(?:moody's|s&p|fitch|dbrs|kbra|am best)|credit rating|issuer rating",
  ),
  rule(
    "credit_ratings",
    "credit rating|(?:moody's|fitch|s&p|s&p global ratings|dbrs|kbra|am best|crisil|icra) (?:\\S{1,14} ){0,3}(?:upgrad\\w{1,4}|downgrad\\w{1,4}|affirm\\w{0,3}|cuts?|raises?|revis\\w{1,4}|assigns?|places?|outlook|rating|ratings|rates)|rating outlook|issuer default rating|investment[- ]grade rating|junk status|outlook (?:to|revised to) (?:stable|negative|positive)|(?:upgraded|downgraded) by (?:moody's|fitch|s&p)",
  ),
];

export const marketRules: readonly TagRule[] = [
  rule("stock", "stocks?|shares|equit(?:y|ies)|wall street", "stockpil\\w{0,4}"),
  rule("etf", "etfs?|etns?|exchange[- ]traded (?:fund|funds|note|notes|product)"),
  rule(
    "crypto",
    "crypto\\w{0,10}|bitcoin|ethereum|stablecoins?|blockchain|defi|altcoins?|tokens?|dogecoin|web3|nfts?",
    "token of",
  ),
  rule(
    "forex",
    "forex|fx|currenc(?:y|ies)|exchange rates?|(?:dollar|euro|yen|sterling|pound|rupee|yuan|franc|peso|lira|ruble|won|krona) (?:rises?|falls?|gains?|slips?|weakens?|strengthens?|firms?|steadies|jumps?|drops?|hits|against|index|ends|closes|edges|holds)|(?:eur|usd|gbp|aud|nzd)/?(?:usd|jpy|chf|cad|gbp|eur)",
  ),
  rule(
    "index",
    "index(?:es)?|indices|s&p 500|dow jones|nasdaq (?:100|composite)|sensex|nifty|ftse|nikkei|dax|cac 40|hang seng|russell 2000|vix|stoxx",
    "(?:price|prices|sentiment|confidence|climate|manufacturing|managers'?|consumer price|producer price) index",
  ),
  rule(
    "futures",
    "futures|crude|brent|wti|oil prices?|natural gas prices?|gold prices?|silver prices?|copper prices?|commodit(?:y|ies)|opec\\+?|bullion|soybeans?|corn prices|wheat prices",
    "crude (?:joke|attempt)",
  ),
  rule(
    "bond",
    "treasur(?:y|ies) (?:\\S{1,12} )?(?:yields?|notes?|bonds?|auction|bills?)|treasuries|government bonds?|sovereign (?:bonds?|debt)|gilts?|bunds?|municipal bonds?|\\d{1,2}-year (?:yield|note|bond)|bond (?:yields?|auction)|t-bills?|jgbs?",
  ),
  rule(
    "corp_bond",
    "senior (?:secured |unsecured |convertible )?notes|convertible notes|corporate bonds?|high[- ]yield (?:bonds?|notes)|junk bonds?|notes (?:offering|due)|debentures?|bond (?:offering|sale|issue)|prices (?:\\S{1,14} ){0,4}notes|redemption of (?:\\S{1,14} ){0,4}notes|credit spreads?",
  ),
  rule(
    "economic",
    "gdp|inflation|cpi|ppi|payrolls|unemployment|jobless claims|central bank|federal reserve|the fed|ecb|boj|boe|interest rates?|rate (?:hike|cut|decision)|tariffs?|trade (?:deficit|balance|war)|retail sales|pmi|fiscal|recession|economy|economic growth|housing starts|consumer confidence",
  ),
];

/** Wording that makes an item macro although a company is named in it. */
export const macroContext = wording(
  "gdp|inflation|cpi|ppi|payrolls|unemployment rate|jobless claims|federal reserve|fomc|ecb|central bank|tariffs?|housing starts|retail sales|pmi",
);

export const economicRules: readonly TagRule[] = [
  rule(
    "gdp",
    "gdp|gross domestic product|economic growth|economy (?:grows?|grew|expands?|expanded|shrinks?|shrank|contracts?|contracted)|recession|industrial production|industrial output",
  ),
  rule(
    "labor",
    "payrolls?|unemployment|jobless|job (?:openings|growth|market|gains)|labou?r (?:market|force|costs?)|employment|wage growth|wages|jolts|jobs report|participation rate|strike",
  ),
  rule(
    "prices",
    "inflation|deflation|cpi|ppi|pce|consumer prices?|producer prices?|wholesale prices?|import prices?|price index|wpi|cost of living",
    "house price index|home price index",
  ),
  rule(
    "health",
    "epidemics?|pandemics?|outbreaks?|covid(?:-19)?|coronavirus|influenza|hospital(?:s|i[sz]ations?)? (?:capacity|beds|rise|fall|admissions)|hospitali[sz]ations|public health|vaccination|measles|bird flu|world health organi[sz]ation|cdc",
  ),
  rule(
    "money",
    "federal reserve|the fed|fed|fomc|ecb|european central bank|bank of (?:england|japan|canada)|boj|boe|rbi|pboc|central banks?|policy rate|interest rates?|rate (?:hikes?|cuts?|decision)|money supply|repo rate|foreign (?:exchange )?reserves|monetary policy|quantitative (?:easing|tightening)|powell|lagarde",
  ),
  rule(
    "trade",
    "tariffs?|trade (?:deficit|surplus|balance|war|deal|talks|gap|agreement)|exports?|imports?|export controls?|customs duties|wto|trade sanctions|sanctions on",
    "import prices?",
  ),
  rule(
    "government",
    "budget|fiscal|government (?:debt|spending|shutdown|bonds?)|debt ceiling|elections?|congress|senate|parliament|legislation|public spending|stimulus|executive order|treasury auction|national debt|white house|bailout",
  ),
  rule(
    "business",
    "pmi|purchasing managers|ism|factory (?:orders|activity|output)|durable goods|business (?:confidence|climate|activity|inventories|sentiment)|ifo|tankan|manufacturing (?:activity|output|index|survey)|inventories|bankruptcies|services activity|empire state|machine orders|zew",
    "home inventories|crude inventories|oil inventories",
  ),
  rule(
    "consumer",
    "retail sales|consumer (?:confidence|sentiment|spending|credit)|household spending|personal (?:spending|income|consumption)|michigan sentiment|credit card (?:debt|spending)",
  ),
  rule(
    "housing",
    "housing (?:starts|market|permits)|building permits|(?:new|existing|pending) home sales|home (?:sales|prices|builder confidence)|house prices?|mortgage (?:rates?|applications)|construction (?:spending|output)|case-shiller|homebuilder sentiment",
  ),
  rule(
    "taxes",
    "tax (?:cuts?|hikes?|rates?|reform|bill|policy|increases?|breaks?|credit|credits|plan)|income tax|corporate tax|vat|gst|sales tax|taxation|windfall tax|wealth tax|capital gains tax|levy",
  ),
];

const itemTags: ReadonlyMap<string, readonly string[]> = new Map([
  ["1.01", ["strategy_business_products"]],
  ["1.02", ["strategy_business_products"]],
  ["1.03", ["esg"]],
  ["1.05", ["esg"]],
  ["2.01", ["mergers_and_acquisitions"]],
  ["2.02", ["earnings"]],
  ["2.05", ["strategy_business_products"]],
  ["2.06", ["earnings"]],
  ["3.01", ["esg"]],
  ["4.01", ["esg"]],
  ["4.02", ["esg", "earnings"]],
  ["5.01", ["ownership_changes"]],
  ["5.02", ["management"]],
  ["5.05", ["esg"]],
  ["5.07", ["esg"]],
]);

const formTags: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:3|4|5|144)(?:\/A)?$/, ["insider_trading"]],
  [/^(?:SC 13[DG]|SCHEDULE 13[DG]|13F)/, ["ownership_changes"]],
  [/^(?:SC TO-I)/, ["share_buybacks"]],
  [/^(?:SC TO-T|SC TO-C|SC 14D9|425|S-4|F-4|DEFM14A|PREM14A)/, ["mergers_and_acquisitions"]],
  [/^(?:10-K|10-Q|20-F|40-F|NT 10)/, ["earnings"]],
  [/^(?:S-1|F-1|424B4|S-11)/, ["ipo"]],
  [/^(?:DEF 14A|DEFA14A|PRE 14A)/, ["esg"]],
];

/** What a filing is about by its form and, for an 8-K, its items. */
export function filingTags({ form, items }: FilingFacts): readonly string[] {
  const name = form
    .toUpperCase()
    .replace(/^FORM\s+/, "")
    .trim();
  const byForm = formTags.filter(([pattern]) => pattern.test(name)).flatMap(([, tags]) => tags);
  const byItem = name.startsWith("8-K") ? items.flatMap((item) => itemTags.get(item.trim()) ?? []) : [];
  return [...new Set([...byForm, ...byItem])];
}
