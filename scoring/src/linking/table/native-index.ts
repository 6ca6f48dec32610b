import { parseTsv, unmarked } from "./symbol-rows.ts";

/** A row of native-names.tsv. */
export interface NativeName {
  /** Empty: another name, which only takes its words. */
  readonly symbol: string;
  readonly language: string;
  /** With its mark. */
  readonly name: string;
}

/** A native-script name in a text. */
export interface NativeMatch {
  readonly symbol: string;
  readonly start: number;
}

/** @param text of scoring/data/native-names.tsv */
export const parseNativeNames = (text: string): readonly NativeName[] =>
  [...parseTsv(text)].flatMap((row) =>
    row.list("names", "|").map((name) => ({
      symbol: row.get("symbol") ?? "",
      language: row.get("language") ?? "",
      name,
    })),
  );

/** Languages written without Latin letters; the names of the others are found word by word. */
export const nativeScripts: ReadonlySet<string> = new Set(["ja", "ko", "zh"]);

const anyNative = /[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/;

type Script = "latin" | "kana" | "han" | "hangul" | "other";

function scriptOf(code: number): Script {
  if (code < 0x80) {
    const letter = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    return letter || code === 38 ? "latin" : "other";
  }
  if (code >= 0x30a1 && code <= 0x30ff && code !== 0x30fb) return "kana";
  if (code >= 0x4e00 && code <= 0x9fff) return "han";
  if (code >= 0xac00 && code <= 0xd7a3) return "hangul";
  return "other";
}

/** Endings of Korean nouns, and words that are written together with a company's name. */
const koreanRest =
  /(?:은|는|이|가|을|를|의|에|와|과|도|로|만|측|등|서|나|란|이나|에서|으로|까지|부터|에게|보다|처럼|이라|라는|주|주가|주식|그룹|발|에는|에도|와의|과의|로의|에선|이며|이고|인)?(?![가-힣])/y;
/** What follows a company's name rather than the same word: a mark, a particle, a verb of announcements. */
const contextRest =
  /(?:[\s、,，。:：;；・·(（「『)）」』’'はがのをにもとや]|株|社(?!会)|[称将宣发發推涨漲跌拟擬股与與和]|$)/y;

interface Indexed {
  readonly symbol: string;
  readonly name: string;
  readonly context: boolean;
  readonly first: Script;
  readonly last: Script;
}

/** Finds names in scripts that are written without spaces: the longest at each place, from left to right. */
export class NativeIndex {
  readonly #byStart = new Map<string, Indexed[]>();

  /** @param names rows in native scripts; others are left out @param mainOf the line of a company that stands for it */
  constructor(names: readonly NativeName[], mainOf: (symbol: string) => string) {
    for (const { symbol, language, name: marked } of names) {
      if (!nativeScripts.has(language)) continue;
      const name = unmarked(marked);
      const start = name.slice(0, 2);
      const list = this.#byStart.get(start) ?? [];
      list.push({
        symbol: symbol === "" ? "" : mainOf(symbol),
        name,
        context: marked !== name,
        first: scriptOf(name.charCodeAt(0)),
        last: scriptOf(name.charCodeAt(name.length - 1)),
      });
      this.#byStart.set(
        start,
        list.toSorted((a, b) => b.name.length - a.name.length),
      );
    }
  }

  find(text: string): readonly NativeMatch[] {
    const found: NativeMatch[] = [];
    if (!anyNative.test(text)) return found;
    let at = 0;
    while (at < text.length - 1) {
      const match = this.#byStart.get(text.slice(at, at + 2))?.find((entry) => matchesAt(text, at, entry));
      if (match !== undefined && match.symbol !== "") found.push({ symbol: match.symbol, start: at });
      at += match?.name.length ?? 1;
    }
    return found;
  }
}

/** Scripts whose letters belong to one word while they follow each other; Han and hiragana do not show words. */
const isWord = (script: Script): boolean => script === "latin" || script === "kana" || script === "hangul";

/** Han is written without spaces; the other scripts show where a word ends. */
function matchesAt(text: string, at: number, { name, context, first, last, symbol }: Indexed): boolean {
  if (!text.startsWith(name, at)) return false;
  if (symbol === "") return true;
  const end = at + name.length;
  const before = at === 0 ? "other" : scriptOf(text.charCodeAt(at - 1));
  const after = end >= text.length ? "other" : scriptOf(text.charCodeAt(end));
  if (isWord(first) && before === first) return false;
  if (last === "hangul" || after === "hangul") {
    koreanRest.lastIndex = end;
    return koreanRest.test(text);
  }
  if (isWord(last) && after === last) return false;
  if (!context) return true;
  contextRest.lastIndex = end;
  return before !== "han" && before !== "kana" && contextRest.test(text);
}
