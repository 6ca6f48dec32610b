import type { Word } from "../words/scan.ts";

const exchanges = new Set(
  "nyse nasdaq nasdaqgs nasdaqgm nasdaqcm nyseamerican nysearca amex arca otc otcqb otcqx otcmkts tsx tsxv cse neo lse aim xetra fra asx nzx sgx hkex hkg sehk tse tyo nse bse euronext epa ams bit bme omx sto hel cph osl six swx jse krx twse".split(
    " ",
  ),
);

/**
 * The number of words of the bracket at `at` that holds a ticker or an acronym alone: "(NYSE: ACM)", "(NASDAQ:ACM)", "(ACM.N)",
 * "(FTC)"; 0 for none.
 */
function tickerAt(words: readonly Word[], at: number): number {
  const word = words[at];
  if (word?.symbol === true) return 1;
  if (word?.bracketed !== true || !exchanges.has(word.word)) return 0;
  const symbol = words[at + 1];
  const next = words[at + 2];
  return symbol?.gap === 2 && next?.gap === 2 ? 2 : 0;
}

/**
 * The words without tickers and acronyms in brackets, which part no clause: in "raises Acme (ACM) price target" the target is Acme's.
 * The same list where there is none.
 */
export function withoutTickers(words: readonly Word[]): readonly Word[] {
  if (!words.some(({ bracketed }, at) => bracketed && tickerAt(words, at) > 0)) return words;
  const kept: Word[] = [];
  let follows = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const skipped = tickerAt(words, at);
    if (word === undefined) continue;
    if (skipped > 0) {
      at += skipped - 1;
      follows = true;
      continue;
    }
    // A bracket or a colon right after the ticker still parts.
    kept.push(follows && !word.bracketed ? { ...word, gap: 0 } : word);
    follows = false;
  }
  return kept;
}
