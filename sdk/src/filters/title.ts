/** The meaning of `q`, as docs/adr/0078 has it. The service has its own code; tests hold both to the same. */
const plain: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ı: "i",
  ł: "l",
  ø: "o",
  œ: "oe",
  ß: "ss",
  ς: "σ",
};
const mostWords = 255;
const mostLetters = 32;

function wordsOf(text: string | null | undefined): string[] {
  const unspaced = "Han Hira Kana Hang Thai Laoo Khmr Mymr".replace(/ ?(\w+)/g, "\\p{scx=$1}");
  // Not a literal: programs that load the library may run where such a pattern is unknown.
  const spaced = `[[\\p{L}\\p{N}]--[${unspaced}]]`;
  const word = new RegExp(`[[\\p{L}\\p{N}]&&[${unspaced}]]\\p{M}*|${spaced}[${spaced}\\p{M}]*`, "gv");
  const folded = (text ?? "")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\p{Cf}]/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^ -~]/g, (one) => plain[one] ?? one);
  return (folded.match(word) ?? []).slice(0, mostWords).map((one) => [...one].slice(0, mostLetters).join(""));
}

/** Whether a title passes `words "phrases" -not`. */
export function passesTitle(title: string | null, query: string): boolean {
  const words = wordsOf(title);
  return [...query.replace(/[“”„]/g, '"').matchAll(/(-?)("[^"]*"?|[^\s"]+)/g)].every(([, minus, term]) => {
    const wanted = wordsOf(term);
    const has = words.some((_, at) => wanted.every((one, n) => words[at + n] === one));
    return wanted.length === 0 || has === !minus;
  });
}
