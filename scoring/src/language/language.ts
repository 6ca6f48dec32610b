import { languageByScript } from "./script.ts";
import { likelyLanguages } from "./shape.ts";
import { vocabulary } from "./vocabulary.ts";

/** Languages that flash can score, since its lexicon is English; other items are stored, linked and tagged, not scored. */
export const scoredLanguages: ReadonlySet<string> = new Set(["en"]);

const titleRead = 300;
const bodyRead = 600;
const mostWords = 120;

/** Letters that few languages use, and inflectional endings; only in words without a capital, since names cross languages. */
const letters: Readonly<Record<string, string>> = {
  å: "sv da no",
  ø: "da no",
  æ: "da no",
  ä: "sv fi de",
  ß: "de",
  ñ: "es",
  ã: "pt",
  õ: "pt",
  ő: "hu",
  ű: "hu",
  ł: "pl",
  ż: "pl",
  ś: "pl",
  ę: "pl",
  ř: "cs",
  ě: "cs",
  ů: "cs",
  ğ: "tr",
  ş: "tr",
  ı: "tr",
  ț: "ro",
  ș: "ro",
  ă: "ro vi",
  đ: "vi",
  ư: "vi",
  ơ: "vi",
  é: "fr pt hu cs es",
  è: "fr it",
  ê: "fr pt",
  à: "fr it pt",
  ù: "fr it",
  ç: "fr pt tr",
  í: "es pt cs hu",
  ó: "es pl hu pt",
  á: "es pt hu cs",
  š: "cs",
  ž: "cs",
  č: "cs",
  ö: "de sv fi hu tr",
  ü: "de hu tr",
  ą: "pl",
  ć: "pl",
  ź: "pl",
  î: "ro fr",
  â: "ro fr pt",
};
const endings: Readonly<Record<string, string>> = {
  fi: "ssa ssä lla llä sta stä iden ksen minen uden nsa nsä kset tiin sten isen ään lle uun oyj:n",
  de: "ungen ung keit heit lichen schaft schäft ische ischen stellt",
  nl: "heid lijke lijks elijk ering ingen",
  it: "zione zioni zioni amento imento menti",
  es: "ción ciones miento idad",
  pt: "ção ções dade amento",
  pl: "ego ości ania enia ów owych owej ącej",
  cs: "ého ých ích ství ování",
  tr: "ları leri ması mesi lığı liği ının inin ıldı ildi ıyor iyor",
  ro: "ului elor ilor ează ării",
  hu: "ság ség ának ének ából ésből ként tól től",
  sv: "ningen ningar sättning heten erna arna",
  da: "ningen ningen delsen elserne erne",
  no: "ningen ningene elsen ene",
};

/** Evidence by language: its weight, and the different words that it comes from. */
class Scores {
  readonly #weights = new Map<string, number>();
  readonly #words = new Map<string, Set<string>>();
  readonly #times = new Map<string, number>();

  /** Tells of a word of the text, before what it speaks for. */
  meet(word: string): void {
    this.#times.set(word, (this.#times.get(word) ?? 0) + 1);
  }

  add(languages: readonly string[], weight: number, word: string): void {
    for (const language of languages) {
      this.#weights.set(language, this.of(language) + weight);
      const words = this.#words.get(language) ?? new Set();
      this.#words.set(language, words.add(word));
    }
  }

  of(language: string): number {
    return this.#weights.get(language) ?? 0;
  }

  /** The same, but one word over and over says no more than the word. */
  ofWords(language: string): number {
    const [word, other] = this.#words.get(language) ?? [];
    const times = word === undefined || other !== undefined ? 1 : (this.#times.get(word) ?? 1);
    return this.of(language) / times;
  }

  /** How many different words speak for a language. */
  words(language: string): number {
    return this.#words.get(language)?.size ?? 0;
  }

  /** Those that something speaks for. */
  get languages(): Iterable<string> {
    return this.#weights.keys();
  }
}

interface Evidence {
  readonly languages: readonly string[];
  readonly weight: number;
}

/** Long words of one language are almost proof; short and shared words count less. */
function weightOf(word: string, languages: number): number {
  if (languages > 1) return 1 / languages;
  return word.length >= 7 ? 1.5 : word.length <= 2 ? 0.6 : 1;
}

function indexed(lists: Readonly<Record<string, string>>): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const [language, list] of Object.entries(lists))
    for (const entry of new Set(list.split(/\s+/))) index.set(entry, [...(index.get(entry) ?? []), language]);
  return index;
}

const words: ReadonlyMap<string, Evidence> = new Map(
  [...indexed(vocabulary)].map(([word, languages]) => [
    word,
    { languages, weight: weightOf(word, languages.length) },
  ]),
);
const endingIndex = indexed(endings);
const longestEnding = Math.max(...[...endingIndex.keys()].map(({ length }) => length));
const letterIndex: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(letters).map(([letter, list]) => [letter, list.split(" ")]),
);
const rareLetter = new RegExp(`[${Object.keys(letters).join("")}]`, "u");
const vietnameseTone = /[\u1ea0-\u1ef9]/u;

function endingOf(word: string): readonly string[] | undefined {
  for (let length = Math.min(longestEnding, word.length - 3); length >= 2; length -= 1) {
    const languages = endingIndex.get(word.slice(-length));
    if (languages !== undefined) return languages;
  }
  return undefined;
}

/** Scores an unknown word by its ending, if that is distinctive, else by its run of letters. */
function addShape(scores: Scores, word: string): void {
  const languages = word.length >= 7 ? endingOf(word) : undefined;
  if (languages !== undefined) return scores.add(languages, 0.7 / languages.length, word);
  const looks = likelyLanguages(word);
  scores.add(looks, shapeWeight / Math.max(1, looks.length), word);
}

function addLetters(scores: Scores, word: string): void {
  if (vietnameseTone.test(word)) return scores.add(["vi"], 0.8, word);
  const languages = letterIndex.get(rareLetter.exec(word)?.[0] ?? "");
  if (languages !== undefined) scores.add(languages, 0.8 / languages.length, word);
}

/**
 * A capitalised word may be part of a company's name in any language. Only English headlines are written in title case, so
 * there it weighs half; in other languages only long words count, which are rare in names.
 */
function addWord(scores: Scores, written: string): void {
  const word = written.toLowerCase();
  const capital = word !== written;
  scores.meet(word);
  const known = words.get(word);
  if (known !== undefined) {
    const { languages, weight } = known;
    if (!capital) scores.add(languages, weight, word);
    else if (languages.includes("en")) scores.add(["en"], weight / 2, word);
    else if (word.length >= 7) scores.add(languages, weight, word);
  } else if (!capital && word.length >= 5) addShape(scores, word);
  if (!capital && known?.languages.includes("en") !== true) addLetters(scores, word);
}

const wordPattern = /[\p{L}][\p{L}\p{M}'’:-]*[\p{L}]|\p{L}/gu;

/** Shorthand of English market reports; taken out, since "y/y" and "est." hold words of Spanish and French. */
const shorthand =
  /(?<![\p{L}\p{N}])(?:[ymqw]\/[ymqw]|[yqm]-?o-?[yqm]|(?:vs?\.?|est\.?|exp\.?|prev\.?|cons\.?) ?(?=[-+$€£]?\d)|(?<=[\d%KMB] )(?:est|exp|prev|cons|prior|rev)\b\.?|YoY|QoQ|MoM|CPI|PPI|GDP|EPS|PMI|NFP|ISM|PCE|FOMC|EIA|FY\d{2,4}|Q[1-4](?= (?:EPS|net|adj|rev|sales|GDP|FY|loss|profit))|bps?|bbl|mln|bln|S&P 500|Nasdaq|WTI|Brent|[A-Z]{3}\/[A-Z]{3}(?= \d))(?![\p{L}])/giu;
const shorthandWeight = 0.5;

function scoresOf(text: string): Scores {
  const scores = new Scores();
  const plain = text.replace(shorthand, (found) => {
    scores.add(["en"], shorthandWeight, found.toLowerCase().trim());
    return " ";
  });
  const found = (plain.match(wordPattern) ?? []).slice(0, mostWords);
  if (hasLetters(found)) for (const word of found) addWord(scores, word.replace("’", "'"));
  return scores;
}

/** `y y y`, `aaaaa` and `hahaha` are of no language. */
const fewestLetters = 3;

function hasLetters(found: readonly string[]): boolean {
  const letters = new Set<string>();
  return found.some((word) => {
    for (const letter of word.toLowerCase()) letters.add(letter);
    return letters.size >= fewestLetters;
  });
}

interface Best {
  readonly language: string | null;
  readonly score: number;
}

/** Related languages score alike; the declared one is taken if it is nearly the best. */
function bestForeign(scores: Scores, declared: string | null): Best {
  let best: Best = { language: null, score: 0 };
  for (const language of scores.languages) {
    const score = scores.ofWords(language);
    if (language !== "en" && score > best.score) best = { language, score };
  }
  const stated = declared === null || declared === "en" ? 0 : scores.ofWords(declared);
  return stated > 0 && stated >= best.score * 0.85 ? { language: declared, score: stated } : best;
}

/** Weight of an unknown word by its letters, where a listed one weighs 1. */
const shapeWeight = 0.6;

/** Evidence, in words, that overrules a declared language. */
const sure = 1.9;
/** The same when nothing speaks for English. */
const sureAlone = 0.9;
/** The same where nothing is declared. */
const undeclaredForeign = 0.8;
const undeclaredEnglish = 0.25;
/** One word alone overrules no declaration: it may be a name, or a word that another language borrowed. */
const wordsToOverrule = 2;
/** Required ratio to the evidence for English: calling English foreign loses a score, the reverse gives a poor one. */
const foreignLead = 1.6;
const englishLead = 1.1;

/**
 * Detects the language of an item by script, else by words, endings and letters.
 * @param declared language that its source states, any BCP 47 tag or null; used where the text is short or mixed
 * @returns ISO 639-1 code in lower case, or null when neither the text nor the source gives one
 */
export function detectLanguage(title: string, body: string, declared: string | null): string | null {
  const text = `${title.slice(0, titleRead)}\n${body.slice(0, bodyRead)}`;
  const stated = primaryLanguage(declared);
  const byScript = languageByScript(text, stated);
  if (byScript !== null) return byScript;
  const scores = scoresOf(text);
  const overrules = (language: string): boolean =>
    stated === null || stated === language || scores.words(language) >= wordsToOverrule;
  const english = scores.of("en");
  const foreign = bestForeign(scores, stated);
  const enough = english === 0 ? sureAlone : sure;
  if (foreign.language !== null && foreign.score >= enough && foreign.score >= english * foreignLead)
    return overrules(foreign.language) ? foreign.language : stated;
  if (english >= sure && english >= foreign.score * englishLead && overrules("en")) return "en";
  return stated ?? likelyUndeclared(text, english, foreign);
}

/** Amounts with a decimal point, dollars and units of English tapes. */
const englishFigures = /\d\.\d|\$\d|\d(?:bps?|bn|mln|[KMB])\b/;
const anyBeyondAscii = /[^\p{ASCII}–—‘’“”…€£]/u;

/** The best guess where nothing is declared: less evidence is enough, since nothing is overruled. */
function likelyUndeclared(text: string, english: number, foreign: Best): string | null {
  if (english >= 0.5 && english >= foreign.score) return "en";
  if (foreign.score >= undeclaredForeign && foreign.score > english * foreignLead) return foreign.language;
  const isTape = foreign.score === 0 && englishFigures.test(text) && !anyBeyondAscii.test(text);
  return isTape || (english >= undeclaredEnglish && foreign.score === 0) ? "en" : null;
}

/** `en-US` to `en`; the two written forms of Norwegian count as one language. */
function primaryLanguage(declared: string | null): string | null {
  const code = /^([a-z]{2})(?:[-_]|$)/i.exec(declared?.trim() ?? "")?.[1]?.toLowerCase() ?? null;
  return code === "nb" || code === "nn" ? "no" : code;
}
