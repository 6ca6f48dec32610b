/**
 * A small phrase language in place of regexes: every token is looked up once, so the time is linear in the text, whatever
 * the number of phrases. One phrase a line, words separated by spaces:
 *
 * - `cut|cuts`     one of these words; words are lower case, without possessive, split at hyphens and slashes
 * - `acquir*`      a word that begins so (four letters or more)
 * - `=WHO|CDC`     one of these words as written, case and all
 * - `#`            a number
 * - `~3 stake`     up to three other words before the next one, in the same sentence
 * - `^ buy`        at the start of the text
 *
 * Three marks may stand first in a line, followed by a space: `-` a phrase that is not what it looks like, whose words count
 * for no other phrase of the value; `--` one that rules the value out; `+` a phrase that is strong evidence by itself.
 */
export type PhraseLists = Readonly<Record<string, string>>;

export interface Token {
  /** As written, without a possessive ending. */
  readonly raw: string;
  /** `raw` in lower case. */
  readonly word: string;
  readonly possessive: boolean;
  /** The first four letters of `word`, by which prefixes are found; empty when it is shorter. */
  readonly stem: string;
}

export interface Found {
  readonly value: string;
  readonly strong: boolean;
}

interface Step {
  readonly words: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  readonly exact: ReadonlySet<string>;
  readonly number: boolean;
  /** Other words allowed before this one. */
  readonly gap: number;
}

type Kind = "plain" | "strong" | "masks" | "vetoes";

interface Phrase {
  readonly value: string;
  readonly kind: Kind;
  readonly steps: readonly Step[];
}

interface Span {
  readonly phrase: Phrase;
  readonly from: number;
  readonly to: number;
}

const boundary = ".";
const start = "^";
const prefixKey = 4;
const mostTokens = 160;
/** A dollar sign stays before a letter, so that a cashtag is no word. */
const tokenPattern =
  /(?:\$(?=\p{L}))?[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.&'’][\p{L}\p{N}]+)*|[.:;|?!\n](?=\s|$)|\n/gu;

const mark = (sign: string): Token => ({ raw: sign, word: sign, possessive: false, stem: "" });

/** "U.S" of "U.S. dollar": the full stop after it ends no sentence. */
const isAbbreviation = (raw: string): boolean => raw.length === 1 || /^\p{L}(?:\.\p{L})+$/u.test(raw);

/** Words of a text in order, with a `.` at the end of each sentence or clause, and a `^` first; at most 160. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [mark(start)];
  for (const raw of text.match(tokenPattern) ?? []) {
    if (tokens.length >= mostTokens) break;
    if (raw.length === 1 && !/[\p{L}\p{N}]/u.test(raw)) {
      if (raw !== "." || !isAbbreviation(tokens.at(-1)?.raw ?? "")) tokens.push(mark(boundary));
    } else {
      const bare = /['’][sS]$/.test(raw) ? raw.slice(0, -2) : raw;
      const word = bare.toLowerCase();
      const stem = word.length < prefixKey ? "" : word.slice(0, prefixKey);
      tokens.push({ raw: bare, word, possessive: bare !== raw, stem });
    }
  }
  return tokens;
}

const kinds: Readonly<Record<string, Kind>> = { "-": "masks", "--": "vetoes", "+": "strong" };

function parseStep(source: string, gap: number): Step {
  const isExact = source.startsWith("=");
  const parts = (isExact ? source.slice(1) : source).split("|");
  return {
    words: new Set(isExact ? [] : parts.filter((part) => !/[*#]/.test(part))),
    prefixes: parts.filter((part) => part.endsWith("*")).map((part) => part.slice(0, -1)),
    exact: new Set(isExact ? parts : []),
    number: parts.includes("#"),
    gap,
  };
}

/** @throws {RangeError} when a prefix is too short to be indexed */
function parsePhrase(value: string, line: string): Phrase {
  const parts = line.split(/\s+/);
  const kind = kinds[parts[0] ?? ""];
  const steps: Step[] = [];
  let gap = 0;
  for (const part of kind === undefined ? parts : parts.slice(1))
    if (part.startsWith("~")) gap = Number(part.slice(1));
    else {
      steps.push(parseStep(part, gap));
      gap = 0;
    }
  if (steps.some(({ prefixes }) => prefixes.some(({ length }) => length < prefixKey)))
    throw new RangeError(`phrase "${line}": a prefix has four letters or more`);
  return { value, kind: kind ?? "plain", steps };
}

const isNumber = (word: string): boolean => word >= "0" && word < ":";

const fits = (step: Step, token: Token): boolean =>
  step.words.has(token.word) ||
  (step.exact.size > 0 && step.exact.has(token.raw)) ||
  (step.number && isNumber(token.word)) ||
  (step.prefixes.length > 0 && step.prefixes.some((prefix) => token.word.startsWith(prefix)));

/** Index after the last word of the phrase, or -1. Gaps are short and few, so the backtracking is bounded. */
function endOf(steps: readonly Step[], tokens: readonly Token[], at: number, from = 1): number {
  const step = steps[from];
  if (step === undefined) return at;
  for (let skipped = 0; skipped <= step.gap; skipped += 1) {
    const token = tokens[at + skipped];
    if (token === undefined) return -1;
    if (fits(step, token)) {
      const end = endOf(steps, tokens, at + skipped + 1, from + 1);
      if (end !== -1) return end;
    }
    if (token.word === boundary) return -1;
  }
  return -1;
}

function addTo(index: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const phrases = index.get(key);
  if (phrases === undefined) index.set(key, [phrase]);
  else if (!phrases.includes(phrase)) phrases.push(phrase);
}

/** Phrases by their first step: a word, a word as written, the first letters of one, or a number. */
class PhraseIndex {
  readonly #byWord = new Map<string, Phrase[]>();
  readonly #byExact = new Map<string, Phrase[]>();
  readonly #byStem = new Map<string, Phrase[]>();
  readonly #byNumber: Phrase[] = [];

  constructor(lists: PhraseLists) {
    for (const [value, list] of Object.entries(lists))
      for (const line of list.split("\n").map((text) => text.trim()))
        if (line !== "") this.#add(parsePhrase(value, line));
  }

  #add(phrase: Phrase): void {
    const first = phrase.steps[0];
    if (first === undefined) return;
    for (const word of first.words) addTo(this.#byWord, word, phrase);
    for (const word of first.exact) addTo(this.#byExact, word, phrase);
    for (const prefix of first.prefixes) addTo(this.#byStem, prefix.slice(0, prefixKey), phrase);
    if (first.number) this.#byNumber.push(phrase);
  }

  spans(tokens: readonly Token[]): readonly Span[] {
    const found: Span[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at];
      if (token === undefined) break;
      collect(this.#byWord.get(token.word), tokens, at, found);
      if (token.raw !== token.word) collect(this.#byExact.get(token.raw), tokens, at, found);
      if (token.stem !== "") collect(this.#byStem.get(token.stem), tokens, at, found);
      if (isNumber(token.word)) collect(this.#byNumber, tokens, at, found);
    }
    return found;
  }
}

function collect(
  phrases: readonly Phrase[] | undefined,
  tokens: readonly Token[],
  at: number,
  found: Span[],
): void {
  if (phrases === undefined) return;
  for (const phrase of phrases) {
    const [first] = phrase.steps;
    const token = tokens[at];
    if (first === undefined || token === undefined || !fits(first, token)) continue;
    const to = endOf(phrase.steps, tokens, at + 1);
    if (to !== -1) found.push({ phrase, from: at, to });
  }
}

/** Whether a span takes another's words, or removes its value from the whole text. */
const refuses = (by: Span, { phrase, from, to }: Span): boolean =>
  by.phrase.value === phrase.value &&
  (by.phrase.kind === "vetoes" || (by.phrase.kind === "masks" && by.from < to && from < by.to));

function judged(spans: readonly Span[]): Map<string, boolean> {
  const values = new Map<string, boolean>();
  for (const span of spans) {
    const { value, kind } = span.phrase;
    if (kind === "masks" || kind === "vetoes") continue;
    if (!spans.some((other) => refuses(other, span)))
      values.set(value, (values.get(value) ?? false) || kind === "strong");
  }
  return values;
}

/**
 * Compiles phrase lists by value.
 * @returns a function from tokens to the values that match, in the order of the lists, and whether one match was strong
 */
export function phraseMatcher(lists: PhraseLists): (tokens: readonly Token[]) => readonly Found[] {
  const index = new PhraseIndex(lists);
  const order = Object.keys(lists);
  return (tokens) => {
    const spans = index.spans(tokens);
    if (spans.length === 0) return [];
    const values = judged(spans);
    return order.flatMap((value) => {
      const strong = values.get(value);
      return strong === undefined ? [] : [{ value, strong }];
    });
  };
}
