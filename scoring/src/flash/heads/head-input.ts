import type { ReadText } from "../cues/cues.ts";
import type { Word } from "../words/scan.ts";
import { financeFeatures } from "./features.ts";
import { type HeadInput, numbered } from "./linear.ts";
import { gramsOf, leadGramsOf } from "./ngrams.ts";

export type { HeadInput } from "./linear.ts";

/** Sentences of the body that the heads read: the lead. */
const leadSentences = 4;

function leadOf(sentences: ReadText["sentences"]): readonly Word[] {
  const lead: Word[] = [];
  let left = leadSentences;
  for (const { inTitle, words } of sentences) {
    if (inTitle || left === 0) continue;
    for (const word of words) lead.push(word);
    left -= 1;
  }
  return lead;
}

/** What the heads read of a text, for training and for judging alike. */
export function headInputOf(title: string, read: ReadText): HeadInput {
  const lead = leadOf(read.sentences);
  const features = financeFeatures(title, read);
  return {
    title: gramsOf(title, read.titleWords),
    lead: lead.length === 0 ? null : leadGramsOf(lead),
    features,
    numbered: numbered(features),
  };
}
