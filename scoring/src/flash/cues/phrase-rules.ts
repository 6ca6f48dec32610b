import type { PhraseLists } from "../words/phrase-index.ts";

/** A phrase that decides by itself: what happened, how it bears on the price, what to call it. */
export interface PhraseRule {
  readonly label: string;
  /** -5..+5 for the one it happens to; 0 where the words only must not be read otherwise. */
  readonly weight: number;
  /** The phrase says all there is to its words: verbs and nouns inside are not read again. */
  readonly whole: boolean;
}

/** Words that stand for each other, for the phrases here and the kinds of event. */
export const phraseLists: PhraseLists = {
  guide: "guidance|outlook|forecast|forecasts|projection|projections|targets|estimate|estimates",
  view: "estimate|estimates|expectation|expectations|expected|consensus|view|views|forecast|forecasts|street|est|ests",
  raise: "raise+|lift+|boost+|hike+|increase+|up|ups|upped|upping",
  cut: "cut|cuts|cutting|lower+|slash+|trim+|reduce+|shave+|pare+",
  pt: "pt|pts",
  begin: "start|starts|started|starting|initiate+|resume+|assume+|begin|begins|began|reiterate+|maintain+",
  win: "win|wins|won|winning|bag|bags|bagged|secure+|land|lands|landed|ink|inks|inked|clinch+|receive+|awarded|get|gets|obtain+|snare+|nab|nabs|nabbed|scoop|scoops",
  order: "contract|contracts|order|orders|deal|deals|tender|award|grant|orderbook",
  number: "one|two|three|four|five|six|seven|eight|nine|ten|hundred|hundreds|thousands|#",
  staff: "jobs|workers|employees|staff|positions|workforce|roles|personnel|headcount|people",
  officer: "ceo|cfo|coo|cto|chairman|president|chief|md|director|directors|boss|chair",
  leave: "resign+|depart+|departure|quit|quits|exit|exits|exited|fired|leave|leaves|left|ousted|retire+",
  drugbody: "fda|ema|chmp|regulator|regulators|nmpa|mhra|eu|usfda|cdsco|dcgi|agency",
  payout: "dividend|dividends|distribution|payout",
};

/** A rule with its phrases. */
export type Entry = readonly [PhraseRule, string];
export const rule = (weight: number, label: string, phrases: string, whole = true): Entry => [
  { label, weight, whole },
  phrases,
];
