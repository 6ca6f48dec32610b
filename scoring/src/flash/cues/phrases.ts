import { PhraseIndex } from "../words/phrase-index.ts";
import type { PhraseRule } from "./phrase-rules.ts";
import { business, capital, deals, states } from "./rules-company.ts";
import { expectations, notices, ratings, results } from "./rules-results.ts";
import { courts, distress, medicine, pressure } from "./rules-trouble.ts";

/** Earlier rules win where phrases overlap: words that only look like motion, notices and analysts (whose "target" is no guidance), then rare, plain ones. */
const entries = [
  ...states,
  ...notices,
  ...ratings,
  ...medicine,
  ...distress,
  ...expectations,
  ...results,
  ...capital,
  ...deals,
  ...courts,
  ...business,
  ...pressure,
];

export const phraseRules = new PhraseIndex<PhraseRule>(entries);
