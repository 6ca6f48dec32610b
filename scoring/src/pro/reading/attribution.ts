import type { LinkedSymbol } from "../../types.ts";
import { type Mention, MentionFinder } from "./mentions.ts";
import type { Sentence } from "./sentence.ts";

/** The companies that the words of a sentence are about. */
export interface Owners {
  readonly mentions: readonly Mention[];
  /** Indexes of symbols listed with another: "Halvorn and Brackwell rose". */
  readonly inList: readonly number[];
  /** Index of the symbol that a token's statement is about; null when unknown. */
  readonly of: (token: number) => number | null;
  /** The same with all companies of a list: "Halvorn and Brackwell rose" is about both. */
  readonly together: (token: number) => readonly (number | null)[];
}

/** A company after these words is only a standard of comparison: "than Brackwell", "unlike Brackwell". */
const aside = /^(?:than|unlike|against|versus|vs|like|rivals?|competitors?|peers?)$/;
const behindBy = /^(?:to|with)$/;
const measured = /^(?:compared|relative|similar)$/;
/** For how many sentences without a name the last subject stays the subject. */
const reach = 4;

function isAside({ tokens }: Sentence, { first }: Mention): boolean {
  const before = tokens[first - 1]?.word ?? "";
  return (
    (/^(?:than|unlike|against|versus|vs|like)$/.test(before) && aside.test(before)) ||
    (behindBy.test(before) && measured.test(tokens[first - 2]?.word ?? ""))
  );
}

const clauseWord = /^(?:while|whereas|but|although|though|however)$/;

/** First token of the clause around a token; only a contrast ends the clauses of names. */
function clauseOf({ tokens }: Sentence, token: number): number {
  for (let at = token; at > 0; at -= 1) if (clauseWord.test(tokens[at]?.word ?? "")) return at;
  return 0;
}

/**
 * Follows the subject of a text, sentence by sentence in order. In filings "we" and sentences without a name are about the
 * filer; elsewhere the last company named as a subject stays the subject. One per reading.
 */
export class Attribution {
  readonly #finder: MentionFinder;
  readonly #fallback: number | null;
  #subject: number | null = null;
  #subjectAt = 0;

  constructor(symbols: readonly LinkedSymbol[], isFiling: boolean) {
    this.#finder = new MentionFinder(symbols);
    const companies = new Set(symbols.map(({ name }) => name)).size;
    this.#fallback = symbols.length > 0 && (isFiling || companies === 1) ? 0 : null;
  }

  read(sentence: Sentence): Owners {
    const mentions = this.#finder.find(sentence);
    const subjects = mentions.filter((mention) => !isAside(sentence, mention));
    const isNear = sentence.index - this.#subjectAt <= reach;
    const rest = this.#fallback ?? (isNear ? this.#subject : null);
    const [first] = subjects;
    if (first !== undefined) [this.#subject, this.#subjectAt] = [first.owner, sentence.index];
    const of = (token: number) => ownerOf(sentence, subjects, token)?.owner ?? rest;
    const together = (token: number) => {
      const owner = ownerOf(sentence, subjects, token);
      return owner === null ? [rest] : listed(sentence, subjects, owner);
    };
    const inList = subjects.flatMap((mention, at) =>
      isListed(sentence, subjects[at - 1], mention) || isListed(sentence, mention, subjects[at + 1])
        ? [mention.owner]
        : [],
    );
    return { mentions, inList, of, together };
  }
}

/** The name before it in its clause, else the next one after it there, else the last one before it in the sentence. */
function ownerOf(sentence: Sentence, subjects: readonly Mention[], token: number): Mention | null {
  if (subjects.length === 0) return null;
  const clause = clauseOf(sentence, token);
  const before = subjects.findLast(({ first }) => first <= token && first >= clause);
  if (before !== undefined) return before;
  const behind = subjects.find(
    ({ first }) => first > token && first - token <= 10 && clauseOf(sentence, first) === clause,
  );
  return behind ?? subjects.findLast(({ first }) => first <= token) ?? subjects[0] ?? null;
}

/** Whether only a comma or "and" separates two names. */
function isListed(sentence: Sentence, from: Mention | undefined, to: Mention | undefined): boolean {
  if (from === undefined || to === undefined || to.first - from.after > 1) return false;
  return to.first === from.after || /^(?:and|or|as)$/.test(sentence.tokens[from.after]?.word ?? "");
}

/** Longer lists are no subject. */
const mostListed = 8;

function listed(sentence: Sentence, subjects: readonly Mention[], owner: Mention): readonly number[] {
  const at = subjects.indexOf(owner);
  let [from, to] = [at, at];
  while (to - from < mostListed && isListed(sentence, subjects[from - 1], subjects[from])) from -= 1;
  while (to - from < mostListed && isListed(sentence, subjects[to], subjects[to + 1])) to += 1;
  return [...new Set(subjects.slice(from, to + 1).map((mention) => mention.owner))];
}
