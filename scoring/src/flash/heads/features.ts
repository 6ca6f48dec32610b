import { joined } from "../../kept-strings.ts";
import type { ReadText } from "../cues/cues.ts";
import type { Cue } from "../cues/types.ts";
import { directionFor, type FoundEvent, leadingRole } from "../events/events.ts";
import { ruleSum } from "../sentiment.ts";

/** Named features of a reading, for the trained heads. The names must not change, since weights are stored under them. */
export type Features = Map<string, number>;

const most = 2;

const add = (features: Features, name: string, value: number): void => {
  features.set(name, Math.min(most, (features.get(name) ?? 0) + value));
};

function addCue(features: Features, cue: Cue): void {
  const { feature, weight, place, hedged, negated } = cue;
  const sign = feature === "compare" || feature.includes(":") ? (weight > 0 ? "+" : "-") : "";
  const name = joined(feature, sign);
  add(features, negated ? joined("not ", name) : name, place);
  if (hedged) add(features, `hedged${weight > 0 ? "+" : weight < 0 ? "-" : ""}`, place);
}

/** The reading as a whole: its sum, both sides of it, and the step of the sum. */
function addSums(features: Features, cues: readonly Cue[]): void {
  const { positive, negative } = ruleSum(cues);
  const sum = positive - negative;
  features.set("sum", Math.max(-2, Math.min(2, sum / 2)));
  features.set("positive", Math.min(2, positive / 2));
  features.set("negative", Math.min(2, negative / 2));
  const size = Math.abs(sum);
  const step = size < 0.55 ? 0 : size < 1.2 ? 1 : size < 2.2 ? 2 : size < 3.2 ? 3 : 4;
  features.set(`step ${sum < 0 && step > 0 ? "-" : ""}${step}`, 1);
  if (positive > 0.5 && negative > 0.5) features.set("both sides", 1);
  if (cues.length === 0) features.set("no cue", 1);
  const strong = cues.find(({ weight }) => Math.abs(weight) > 1);
  if (strong !== undefined) features.set(strong.weight > 0 ? "first strong +" : "first strong -", 1);
}

/** What the events say together, so that a kind seen in no training text still counts. */
function addEvents(features: Features, events: readonly FoundEvent[]): void {
  const [leading] = events;
  if (leading === undefined) {
    features.set("no event", 1);
    return;
  }
  let up = 0;
  let down = 0;
  for (const event of events) {
    const [short] = directionFor(event, leadingRole(event));
    const place = event.inTitle ? 1 : 0.6;
    const group = joined("group ", event.kind.group);
    add(features, joined("event ", event.kind.name), event.strength * place);
    add(features, joined(group, short > 0 ? "+" : short < 0 ? "-" : ""), place);
    if (event.strength < 1) add(features, "weak event", place);
    up += Math.max(0, short * place);
    down += Math.max(0, -short * place);
  }
  const [first] = directionFor(leading, leadingRole(leading));
  features.set(`lead ${Math.round(Math.max(-3, Math.min(3, first)))}`, 1);
  features.set("events +", Math.min(most, up / 3));
  features.set("events -", Math.min(most, down / 3));
  features.set("move", leading.kind.move * leading.strength);
  features.set(leading.inTitle ? "event in title" : "event in body", 1);
  if (leading.kind.echo) features.set("echo", 1);
  if (up === 0 && down === 0) features.set("events neutral", 1);
}

const doubtful =
  /\?\s*$|^(?:why|should|is|are|can|will|could|what|how|here's|here are|\d+ (?:reasons|stocks|things))\b/i;

/** The shape of the headline. */
function addShape(features: Features, title: string, words: number): void {
  if (doubtful.test(title)) features.set("question", 1);
  if (/[.!]\s*$/.test(title)) features.set("full stop", 1);
  if (title.includes("%")) features.set("percent", 1);
  if (/[$€£₹]\s?\d/.test(title)) features.set("money", 1);
  if (/\d/.test(title)) features.set("digits", 1);
  if (title.includes("://")) features.set("link", 1);
  if (/\$[A-Z]{1,5}\b/.test(title)) features.set("cashtag", 1);
  if (title.includes(": ")) features.set("colon", 1);
  features.set("length", Math.min(2, words / 15));
}

export function financeFeatures(title: string, { cues, titleWords, events }: ReadText): Features {
  const features: Features = new Map();
  for (const cue of cues) addCue(features, cue);
  addSums(features, cues);
  addEvents(features, events);
  addShape(features, title.slice(0, 400), titleWords.length);
  return features;
}
