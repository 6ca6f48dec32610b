import type { LinkedSymbol } from "../types.ts";
import { type Mention, MentionFinder } from "./mentions.ts";
import type { Sentence } from "./sentence.ts";

/** Whom the words of a sentence are about. */
export interface Owners {
  readonly mentions: readonly Mention[];
  /** Index of the symbol that a token's statement is about; null when it cannot be told. */
  readonly of: (token: number) => number | null;
}

/** A company named behind these is what another is measured by: "than Brackwell", "unlike Brackwell". */
const aside = /^(?:than|unlike|against|versus|vs|like|rivals?|competitors?|peers?)$/;
const behindBy = /^(?:to|with)$/;
const measured = /^(?:compared|relative|similar)$/;
/** A sentence without a name may still be of the one before, this far on. */
const reach = 4;

function isAside({ tokens }: Sentence, { first }: Mention): boolean {
  const before = tokens[first - 1]?.word ?? "";
  return (
    (/^(?:than|unlike|against|versus|vs|like)$/.test(before) && aside.test(before)) ||
    (behindBy.test(before) && measured.test(tokens[first - 2]?.word ?? ""))
  );
}

const clauseWord = /^(?:while|whereas|but|although|though|however)$/;

/** First token of the clause around a token, as far as names reach: a contrast ends them. */
function clauseOf({ tokens }: Sentence, token: number): number {
  for (let at = token; at > 0; at -= 1) if (clauseWord.test(tokens[at]?.word ?? "")) return at;
  return 0;
}

/**
 * Follows whom a text speaks of, sentence by sentence in order. In filings "we" and whatever names nobody is the
 * filer; elsewhere it is the last company named as a subject. One per reading.
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
    return { mentions, of: (token) => ownerOf(sentence, subjects, token) ?? rest };
  }
}

/** The name before it in its clause, else the next one behind in it, else the last before in the sentence. */
function ownerOf(sentence: Sentence, subjects: readonly Mention[], token: number): number | null {
  if (subjects.length === 0) return null;
  const clause = clauseOf(sentence, token);
  const before = subjects.findLast(({ first }) => first <= token && first >= clause);
  if (before !== undefined) return before.owner;
  const behind = subjects.find(
    ({ first }) => first > token && first - token <= 10 && clauseOf(sentence, first) === clause,
  );
  return (
    behind?.owner ?? subjects.findLast(({ first }) => first <= token)?.owner ?? subjects[0]?.owner ?? null
  );
}
