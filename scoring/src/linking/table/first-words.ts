import { normalizeWord } from "../../text.ts";
import type { SymbolEntry } from "../types.ts";

/** The press shortens "Advance Auto Parts Inc." to "Advance Auto": the first two words of a long legal name. */

const venues = new Set(["NYSE", "NASDAQ", "AMEX", "TSX"]);
const list = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));

/** Legal forms, and kinds of companies, which are no part of a short name. */
const forms = list(
  "inc corp co ltd plc company corporation incorporated limited lp llc llp sa nv ag se ab asa spa pbc ulc sab cv holdings",
  "holding group trust fund reit bancorp bancshares bankshares adr ads class ordinary common shares series",
);
/** Words that join others, so that two words with one of them are no name: "Bank of", "Alpha and". */
const joints = list("of and the for in on at to by de do da del des du la le van von der y e a an");
/** Adjectives and trades that begin the names of many. */
const plain = list(
  "first new american national united general global international great north south east west central northern southern",
  "eastern western royal british canadian australian chinese japanese german european pacific atlantic federal state",
  "energy financial bank banking health healthcare capital partners resources technologies technology systems solutions",
  "digital growth income value research power solar medical life home media network gold silver mining oil gas real",
  "estate land data cloud green blue red black white golden star old big smart advanced applied universal security water",
);
/** Places, phrases and others' names, which are no company without the rest of its name. */
const otherThings = new Set(
  [
    "las vegas,los angeles,new york,hong kong,san juan,san diego,san francisco,santa cruz,santa fe,el paso,st louis",
    "rocky mountain,great lakes,gulf coast,bay area,latin america,north america,south america,middle east,wall street",
    "tennessee valley,ohio valley,willamette valley,studio city,cherry hill,manhattan bridge,grand canyon,mountain province",
    "once upon,rank one,one stop,where food,main street,full house,good times,four seasons,turning point,new look,game your",
    "super league,natural alternatives,healthy choice,long table,sound point,sixth street,twenty one,high roller,rush street",
    "pan american,new england,new era,rare earths,digital currency,net lease,social commerce,american states,big tree",
    "international money,global ship,oil states,secure energy,ocean power,new concept,green circle,high trend,better home",
    "apartment investment,creative medical,star fashion,consumer portfolio,universal safety,american coastal,lead real",
    "intelligent living,white mountains,franklin street,south plains,mixed martial,farmers national,american outdoor",
    "bns preferred,lehman abs,new found,iron horse,first tracks,monte rosa,gold springs,two harbors,barings participation",
  ].flatMap((line) => line.split(",")),
);
/** No companies with news of their own, or with names that describe a purpose. */
const vehicles = /\b(?:acquisition|fund|trust|etf|etn|notes|municipal|term|income)\b/i;

const separators = /[\s,/-]+/;
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/^The /, "")
    .split(separators)
    .filter((word) => word !== "");
/** The first two words in lower case; cheap, since every name of the table is asked. */
function keyOf(name: string): string {
  const [, first = "", second = ""] = /^(?:The )?([^\s,/-]+)[\s,/-]+([^\s,/-]+)/.exec(name) ?? [];
  return `${normalizeWord(first)} ${normalizeWord(second)}`;
}

/** A word that more companies have is no mark of one of them. */
const mostOwners = 10;

/** How many companies have a word, and whose names begin with two words; only of those that are asked for. */
class Census {
  readonly #companies = new Map<string, number>();
  /** null: the names of two companies begin so. */
  readonly #owners = new Map<string, string | null>();

  constructor(entries: readonly SymbolEntry[], asked: readonly SymbolEntry[]) {
    for (const { name, symbol } of asked) {
      this.#owners.set(keyOf(name), symbol);
      for (const word of wordsOf(name).slice(0, 2)) this.#companies.set(normalizeWord(word), 0);
    }
    for (const entry of entries) this.#count(entry);
  }

  #count({ symbol, primary, type, name, aliases }: SymbolEntry): void {
    if (primary === symbol && (type === "stock" || type === "dr")) {
      const words = name.toLowerCase().split(separators);
      for (const [at, word] of words.entries()) {
        const known = this.#companies.get(word);
        if (known !== undefined && words.indexOf(word) === at) this.#companies.set(word, known + 1);
      }
    }
    this.#own(name, primary);
    for (const alias of aliases) this.#own(alias, primary);
  }

  #own(name: string, primary: string): void {
    const key = keyOf(name);
    const owner = this.#owners.get(key);
    if (owner !== undefined && owner !== primary) this.#owners.set(key, null);
  }

  owners(word: string): number {
    return this.#companies.get(normalizeWord(word)) ?? 0;
  }

  isOwn({ name, symbol }: SymbolEntry): boolean {
    return this.#owners.get(keyOf(name)) === symbol;
  }
}

function isName(pair: readonly string[], census: Census): boolean {
  const words = pair.map(normalizeWord);
  if (words.some((word) => word.length < 3 || joints.has(word) || forms.has(word) || /\d/.test(word)))
    return false;
  if (otherThings.has(words.join(" "))) return false;
  return pair.some((word, index) => !plain.has(words[index] ?? "") && census.owners(word) <= mostOwners);
}

/** Companies of North America with three words and more before the legal form. */
const isAsked = ({ symbol, primary, exchange, type, name }: SymbolEntry): boolean =>
  primary === symbol &&
  venues.has(exchange) &&
  (type === "stock" || type === "dr") &&
  !vehicles.test(name) &&
  wordsOf(name).filter((word) => !forms.has(normalizeWord(word))).length >= 3;

/**
 * @param entries every line of the table
 * @returns by company the first two words of its name, where they are its own alone and no plain words; they need context
 */
export function firstWords(entries: readonly SymbolEntry[]): readonly (readonly [string, SymbolEntry])[] {
  const asked = entries.filter(isAsked);
  const census = new Census(entries, asked);
  return asked.flatMap((entry): readonly (readonly [string, SymbolEntry])[] => {
    const pair = wordsOf(entry.name).slice(0, 2);
    return census.isOwn(entry) && isName(pair, census) ? [[`~${pair.join(" ")}`, entry]] : [];
  });
}
