import type { ReadText } from "../cues/cues.ts";
import { financeFeatures } from "./features.ts";
import { type HeadInput, numbered } from "./linear.ts";
import { gramsOf, leadGramsOf } from "./ngrams.ts";

export type { HeadInput } from "./linear.ts";

/** Sentences of the body that the heads read: the lead. */
const leadSentences = 4;

/** What the heads read of a text, for training and for judging alike. */
export function headInputOf(title: string, read: ReadText): HeadInput {
  const lead = read.sentences
    .filter(({ inTitle }) => !inTitle)
    .slice(0, leadSentences)
    .flatMap(({ words }) => words);
  const features = financeFeatures(title, read);
  return {
    title: gramsOf(title, read.titleWords),
    lead: lead.length === 0 ? null : leadGramsOf(lead),
    features,
    numbered: numbered(features),
  };
}
