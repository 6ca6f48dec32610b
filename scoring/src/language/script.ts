/** Scripts that determine the language, or a small family of languages; code points are inclusive. */
const scripts = [
  { script: "greek", from: 0x0370, to: 0x03ff },
  { script: "cyrillic", from: 0x0400, to: 0x052f },
  { script: "hebrew", from: 0x0590, to: 0x05ff },
  { script: "arabic", from: 0x0600, to: 0x06ff },
  { script: "devanagari", from: 0x0900, to: 0x097f },
  { script: "thai", from: 0x0e00, to: 0x0e7f },
  { script: "kana", from: 0x3041, to: 0x30ff },
  { script: "han", from: 0x4e00, to: 0x9fff },
  { script: "hangul", from: 0xac00, to: 0xd7af },
] as const;
type Script = (typeof scripts)[number]["script"];

const anyScript =
  /[\u0370-\u052f\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
const latinLetter = /\p{Script=Latin}/gu;

const languageOfScript: Readonly<Partial<Record<Script, string>>> = {
  greek: "el",
  hebrew: "he",
  devanagari: "hi",
  thai: "th",
  hangul: "ko",
};

/** A Han character or a syllable of Hangul is worth two letters or more. */
const lettersOf: Readonly<Partial<Record<Script, number>>> = { han: 2, hangul: 2, kana: 1.5 };

const ukrainian = /[іїєґ]/iu;
const russian = /[ыэё]/iu;
const southSlavic = /[јљњћђџ]/iu;
const bulgarian = /ъ|(?<!\p{L})(?:се|са|от|през|ще|които|във|със|е|беше|към|след)(?!\p{L})/iu;

function cyrillicLanguage(text: string): string {
  if (ukrainian.test(text) && !russian.test(text)) return "uk";
  if (russian.test(text)) return "ru";
  if (southSlavic.test(text)) return "sr";
  return bulgarian.test(text) ? "bg" : "ru";
}

function arabicLanguage(text: string): string {
  if (/[ٹڈڑںے]/u.test(text)) return "ur";
  return /[پچژگ]/u.test(text) ? "fa" : "ar";
}

function counts(text: string): Map<Script, number> {
  const found = new Map<Script, number>();
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const script = code < 0x370 ? undefined : scripts.find(({ from, to }) => code >= from && code <= to);
    if (script !== undefined)
      found.set(script.script, (found.get(script.script) ?? 0) + (lettersOf[script.script] ?? 1));
  }
  return found;
}

/** Characters and words of Japanese that Chinese writes otherwise, in both its scripts. */
const japaneseHan =
  /[円増売発対価経済続総労営権戦変拡検県広両実様転鉄帰験険継応訳駅択沢読囲圧歩毎縦軽伝図亜悪栄仏仮黒込峠畑働枠塩剤収単巻桜団渋焼戻値銭拠処児録緑帯気楽薬]|予想|株式|日銀|日経|東証|決算|取締役|利上|利下|自己株/u;

/** Han alone is Chinese or Japanese: the source knows which, else the characters tell. */
function hanLanguage(text: string, stated: string | null): string {
  if (stated === "zh" || stated === "ja") return stated;
  return japaneseHan.test(text) ? "ja" : "zh";
}

/**
 * Language by script; null when the text is mostly Latin, for example English with a foreign name in brackets.
 * Han with a tenth of kana or more is Japanese: Japanese headlines are mostly Han.
 * @param stated language that the source declares, ISO 639-1; decides on Han alone
 */
export function languageByScript(text: string, stated: string | null): string | null {
  if (!anyScript.test(text)) return null;
  const found = counts(text);
  const total = [...found.values()].reduce((sum, count) => sum + count, 0);
  const latin = text.match(latinLetter)?.length ?? 0;
  if (total < 4 || total * 1.5 < latin) return null;
  const [main] = [...found].toSorted(([, left], [, right]) => right - left)[0] ?? [];
  if (main === undefined) return null;
  if (main === "cyrillic") return cyrillicLanguage(text);
  if (main === "arabic") return arabicLanguage(text);
  const kana = found.get("kana") ?? 0;
  if (main === "han" || main === "kana") {
    if (kana === 0) return hanLanguage(text, stated);
    return kana * 10 >= (found.get("han") ?? 0) ? "ja" : "zh";
  }
  return languageOfScript[main] ?? null;
}
