import type { Section } from "../section.ts";
import type { AliasMatch } from "../types.ts";
import { finiteVerb } from "./verbs.ts";
import { list } from "./word-list.ts";

/** Companies that a text names in passing: where somebody worked before, and who counted what the news is about. */

const persons = list(
  "executive executives exec execs chief chiefs ceo cfo coo cto chairman chairwoman president engineer engineers banker bankers",
  "manager managers researcher researchers trader traders analyst analysts director directors employee employees worker workers",
  "head heads boss bosses designer designers partner partners lawyer economist strategist scientist scientists lobbyist adviser advisor",
  "broker brokers salesman pilot developer developers leader leaders dealmaker dealmakers lieutenant star official treasurer counsel vp officer",
);
const before = list("former ex onetime erstwhile");
const after = list("veteran veterans alum alums alumni alumnus alumna");
/** How far a person's post may be from the company: "former Apple industrial design chief". */
const postWithin = 4;

/** What sets a person against the employer of before, who then is a party. */
const wronged =
  /\b(?:steal\w*|stole|theft|secrets|sues|suing|lawsuit|whistle-?blow\w*|defraud\w*|embezzl\w*)\b/i;

/** "ex-Ralph Lauren executive", "former Apple design chief", "Goldman veteran": a person's employer of another day. */
export function isFormerEmployer(
  { tokens, text }: Section,
  { first, last, possessive }: AliasMatch,
): boolean {
  if (!possessive && after.has((tokens[last]?.word ?? "").replace(/'s$/, ""))) return true;
  const word = tokens[first - 1]?.word ?? "";
  if (!before.has(word) && !(word === "time" && tokens[first - 2]?.word === "one")) return false;
  for (let index = last; index < last + postWithin; index += 1) {
    const post = tokens[index]?.word ?? "";
    if (persons.has(post)) return !wronged.test(text);
    if (finiteVerb(post) === "deed") return false;
  }
  return false;
}

const counters = new Set(
  [
    "adp,s&p global,moody's,factset,redfin,zillow,adobe,mastercard,visa,expedia,booking,manpower,manpowergroup,lseg,nielsen",
    "cargurus,cars.com,paychex,intuit,equifax,transunion,fico,morningstar,gartner,costar,robert half,similarweb,salesforce",
    "freddie mac,fannie mae,verisk,american express,opendoor,lendingtree,yelp,upwork,ziprecruiter,rocket,compass,iqvia,tripadvisor",
    "intercontinental exchange,ice,truecar,shopify,square,experian,thomson reuters,bank of america,bofa,kantar,airbnb",
  ].flatMap((line) => line.split(",")),
);
const counted =
  /\b(?:private (?:employers?|payrolls?|hiring|sector|jobs)|payrolls?|jobless|hiring|pmi|manufacturing|services activity|factory activity|(?:new|existing|pending|typical|median) (?:home|house|rent)\w*|home (?:sales|prices|values|sellers|buyers)|homes|housing|rents?|mortgage (?:rates?|applications)|black friday|cyber (?:monday|week)|prime day|holiday (?:sales|spending|shopping|retail|air ?fares?)|online (?:sales|spending)|shoppers|retail sales|spendingpulse|consumer (?:spending|credit)|card spending|used[- ](?:vehicle|car)s?|car prices|vehicle prices|air ?fares?|earnings growth|s&p 500|companies beat|small[- ]business(?:es)?|wages?|(?:credit|fico) scores?|jobs|shipments|worldwide|delinquenc\w+)\b/i;
/** The company itself is told of. */
const itsOwn =
  /\b(?:profits?|revenues?|eps|results|dividend|buyback|its|ceo|cfo|shares|stock|guidance|outlook|layoffs|acqui\w+|to buy|deal|fined?|fines|sues?|sued|lawsuit|users|quarterly|adj|net income|earnings (?:top|beat|miss)|upgraded|downgraded|merger|partner\w*|board|unit|app|tool|rolls out|launches)\b/i;
const tells = list(
  "says said sees expects estimates predicts projects forecasts finds found reports reported shows showed data survey report index study analytics economists economist",
);

/** "Jobs vanish, ADP says", "PMI slips: S&P Global": the source at the end of a headline. */
function closes({ tokens, text, offset }: Section, first: number, last: number): boolean {
  if (offset > 0 || first < 3 || tokens.length - last > 2) return false;
  if (tokens.length === last) {
    const said = /^(?:says|said|to|from|by)$/.test(tokens[first - 1]?.word ?? "");
    return said || /[-–—:] ?$/.test(text.slice(0, tokens[first]?.start ?? 0));
  }
  return /^(?:says|said|shows|showed|finds|found|reports|estimates|data|survey|index)$/.test(
    tokens.at(-1)?.word ?? "",
  );
}

/** "ADP: private employers shed 32,000 jobs", "PMI falls, S&P Global says": the company counted, and is not what the news is about. */
export function isCounter(section: Section, { first, last, possessive }: AliasMatch, name: string): boolean {
  if (possessive || !counters.has(name)) return false;
  const { tokens } = section;
  const start = tokens[first];
  const sentence = start === undefined ? "" : section.sentenceAt(start);
  if (itsOwn.test(sentence)) return false;
  if (closes(section, first, last)) return true;
  if (!counted.test(sentence)) return false;
  const next = tokens[last]?.word ?? "";
  return tells.has(next) || finiteVerb(next) !== "deed";
}
