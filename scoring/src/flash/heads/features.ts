import type { ReadText } from "../cues/cues.ts";
import type { Cue } from "../cues/types.ts";
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
  const name = `${negated ? "not " : ""}${feature}${sign}`;
  add(features, name, place);
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

/** The shape of the headline. */
function addShape(features: Features, title: string, words: number): void {
  if (/\?\s*$/.test(title)) features.set("question", 1);
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
  addShape(features, title.slice(0, 400), titleWords.length);
  for (const { type } of events) features.set(`event ${type.feature ?? type.name}`, 1);
  return features;
}
