import type { Signal } from "../types.ts";
import type { Mention } from "./mentions.ts";
import type { Sentence } from "./sentence.ts";

/** What one company does to another, and its meaning for each. */
interface Relation {
  readonly verbs: RegExp;
  readonly subject: number;
  readonly object: number;
  readonly label: string;
}

const relations: readonly Relation[] = [
  {
    verbs: /^(?:acquires?|acquired|acquiring|acquisition|buys?|buying|bought|bid|bids|takeover|purchase)$/,
    subject: -0.3,
    object: 2.6,
    label: "Takeover",
  },
  {
    verbs: /^(?:sues?|sued|suing|accuses?|accused|alleges|alleged)$/,
    subject: 0.2,
    object: -1.4,
    label: "Lawsuit",
  },
  {
    verbs: /^(?:overtook|overtakes|outperformed|outsold|outpaced)$/,
    subject: 1,
    object: -1,
    label: "Rivalry",
  },
  { verbs: /^(?:lost|loses)$/, subject: -1.2, object: 1.2, label: "Business lost to a rival" },
  {
    verbs: /^(?:replaces?|replaced|replacing)$/,
    subject: 1,
    object: -1.2,
    label: "Business lost to a rival",
  },
];

const holding: Relation = { verbs: /^$/, subject: 0, object: 1, label: "Holding raised" };

/** In an index one share makes room for another; neither firm has won anything of the other's. */
const ofIndex = /^(?:s&p|index|nasdaq-100|russell|ftse|dax|stoxx|msci|nikkei|dow)$/;
const over =
  /^(?:terminated|terminates|terminate|abandoned|abandons|dropped|drops|rejects|rejected|denies|denied|not|no|never|ended|ends|blocked)$/;
/** "Buys another 5 million Veldric shares", "buys stake in Veldric": a holding, no takeover. */
const ofHolding = /^(?:shares|stake|stakes|holding|holdings)$/;
const whole = /^(?:all|remaining|outstanding|rest|takeover|controlling|majority)$/;
const isHolding = ({ tokens }: Sentence, verb: number, to: Mention): boolean => {
  const words = tokens.slice(verb + 1, to.after + 1).map(({ word }) => word);
  return words.some((word) => ofHolding.test(word)) && !words.some((word) => whole.test(word));
};
/** Most tokens between the two names; further apart they are probably not related. */
const widest = 14;

function between(
  sentence: Sentence,
  from: Mention,
  to: Mention,
): { relation: Relation; at: number; passive: boolean } | null {
  if (to.first - from.after > widest) return null;
  for (let at = from.after; at < to.first; at += 1) {
    const word = sentence.tokens[at]?.word ?? "";
    const relation = relations.find(({ verbs }) => verbs.test(word));
    if (relation !== undefined) {
      const passive = sentence.tokens[at + 1]?.word === "by";
      if (relation.label === "Takeover" && isHolding(sentence, at, to))
        return { relation: holding, at, passive };
      const isLost = relation.verbs.test("lost");
      if (isLost && sentence.tokens[to.first - 1]?.word !== "to") continue;
      if (relation.verbs.test("replaces") && sentence.tokens.some(({ word }) => ofIndex.test(word))) continue;
      return { relation, at, passive };
    }
  }
  return null;
}

/** Statements that follow from who does what to whom: "Halvorn to acquire Brackwell" is good news for Brackwell. */
export function relationSignals(sentence: Sentence, mentions: readonly Mention[]): readonly Signal[] {
  if (mentions.length < 2 || sentence.tokens.some(({ word }) => over.test(word))) return [];
  const found: Signal[] = [];
  for (let index = 1; index < Math.min(mentions.length, 12); index += 1) {
    const [from, to] = [mentions[index - 1], mentions[index]];
    if (from === undefined || to === undefined || from.owner === to.owner) continue;
    const read = between(sentence, from, to);
    if (read === null) continue;
    const { relation, passive } = read;
    const [subject, object] = passive ? [to, from] : [from, to];
    const start = sentence.tokens[from.first]?.start ?? 0;
    const end = sentence.tokens[to.after - 1]?.end ?? 0;
    const part = {
      start,
      end,
      label: relation.label,
      lasting: true,
      hedged: false,
      alarm: false,
      sentence: sentence.index,
    };
    found.push(
      { ...part, weight: relation.subject, owner: subject.owner },
      { ...part, weight: relation.object, owner: object.owner },
    );
  }
  return found;
}
