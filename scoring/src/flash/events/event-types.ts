import type { PhraseLists } from "../words/phrase-index.ts";

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
  /** What the trained heads know it as, where they have met it under the name of a wider kind. */
  readonly feature?: string;
}

/** Words that stand for each other, beside those that all phrases know. */
export const eventLists: PhraseLists = {
  moves:
    "rise|rises|rose|rising|fall|falls|fell|falling|jump|jumps|jumped|jumping|surge|surges|surged|surging|soar|soars|soared|soaring|slide|slides|slid|slip|slips|slipped|drop|drops|dropped|dropping|tumble|tumbles|tumbled|plunge|plunges|plunged|plunging|gain|gains|gained|climb|climbs|climbed|rally|rallies|rallied|sink|sinks|sank|sinking|dip|dips|dipped|slump|slumps|slumped|spike|spikes|spiked|pop|pops|popped|crash|crashes|crashed|rebound|rebounds|up|down|higher|lower|trading|moving",
  index: "dow|s&p|nasdaq|sensex|nifty|ftse|dax|nikkei|futures|kospi|index|indices|benchmarks",
  period: "quarter|quarterly|q1|q2|q3|q4|year|annual|half|fy|1q|2q|3q|4q",
};

/** A kind with its phrases, one a line. */
export type EventEntry = readonly [EventType, string];
export const event = (name: string, lift: number, phrases: string, echo = false): EventEntry => [
  { name, lift, echo },
  phrases,
];
/** A kind within a wider one: the heads read it as that. */
export const within = (feature: string, [type, phrases]: EventEntry): EventEntry => [
  { ...type, feature },
  phrases,
];
