/** What the words around a proof say of it: denied, hoped for, long ago, still to come, a law firm's notice, told again. */
import type { Word } from "../words/scan.ts";
import { type Context, contexts, type EventKind, saidPhrases } from "./table.ts";

/** A denial or a condition reaches this many words forward. */
const reach = 8;
/** "The report was denied": words after the proof. */
const reachBack = 4;

const ofMonth = new Set("in of for since by from last early late mid until to this next".split(" "));

const monthly = new Set(
  "sales revenue comparable same-store same comps traffic deliveries orders production shipments output volume volumes registrations exports imports bookings billings figures data cpi ppi payrolls retail".split(
    " ",
  ),
);

/** "Output fell in May", "May comparable sales rise": a month, no doubt. */
function isMonth(words: readonly Word[], at: number): boolean {
  if (words[at]?.word !== "may") return false;
  const next = words[at + 1];
  return (
    ofMonth.has(words[at - 1]?.word ?? "") ||
    next === undefined ||
    next.digits ||
    next.gap > 0 ||
    monthly.has(next.word)
  );
}

interface Mention {
  readonly context: Context | "denied_after";
  readonly from: number;
  readonly to: number;
}

const isOneClause = (words: readonly Word[], from: number, to: number): boolean => {
  for (let at = from; at <= to; at += 1) if ((words[at]?.gap ?? 0) >= 2) return false;
  return true;
};

function holds(mention: Mention, words: readonly Word[], from: number, to: number): boolean {
  switch (mention.context) {
    case "hypothetical":
      // "Costs may rise": inside the proof.
      if (mention.from >= from && mention.to <= to) return true;
      return mention.to <= from && from - mention.to <= reach && isOneClause(words, mention.to, from);
    case "denied":
      return mention.to <= from && from - mention.to <= reach && isOneClause(words, mention.to, from);
    case "denied_after":
      return mention.from >= to && mention.from - to <= reachBack && isOneClause(words, to, mention.from);
    default:
      return true;
  }
}

/** The contexts of a sentence's proofs; asked for once a sentence. */
export class SentenceContext {
  readonly #words: readonly Word[];
  readonly #mentions: readonly Mention[];
  readonly #ruledOut: EventKind[] = [];
  readonly #needed: EventKind[] = [];

  /** @param kinds that may be ruled out */
  constructor(words: readonly Word[], kinds: readonly EventKind[]) {
    this.#words = words;
    const mentions: Mention[] = [];
    for (const { value, from, to } of saidPhrases.matches(
      words,
      (said) => typeof said === "string" || kinds.includes(said.kind),
    ))
      if (typeof value !== "string") (value.by === "void" ? this.#ruledOut : this.#needed).push(value.kind);
      else if (!isMonth(words, from)) mentions.push({ context: value, from, to });
    this.#mentions = mentions;
  }

  /** Whether the sentence has words that rule a kind out, or none of those that it needs. */
  isVoid(kind: EventKind): boolean {
    return this.#ruledOut.includes(kind) || (kind.needs && !this.#needed.includes(kind));
  }

  /** What is said of the words [from, to), the strongest first. */
  of(from: number, to: number): readonly Context[] {
    if (this.#mentions.length === 0) return [];
    const said = new Set<Context>();
    for (const mention of this.#mentions)
      if (holds(mention, this.#words, from, to))
        said.add(mention.context === "denied_after" ? "denied" : mention.context);
    return contexts.filter((context) => said.has(context));
  }
}
