/** International securities identification numbers (ISO 6166): two letters, nine letters or digits, a check digit. */

const isinLength = 12;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isCapital = (code: number): boolean => code >= 65 && code <= 90;

/** Prefixes whose ISINs contain a CUSIP, because CUSIP Global Services assigns them; XS and others are bonds. */
const cusipPrefixes = new Set(
  "US,CA,BM,KY,VG,BS,PA,LR,MH,PR,BB,BZ,AN,CW,AI,AG,TC,VI,GU,AS,MP,XS,XF,XD".split(","),
);

/** Whether the number contains a CUSIP; such numbers are not shipped (scoring/data/NOTICE.md). */
export const holdsCusip = (isin: string): boolean => cusipPrefixes.has(isin.slice(0, 2));

/** Double-add-double over the digits, a letter counting as 10 to 35. */
function checkSumHolds(isin: string): boolean {
  let sum = 0;
  let double = false;
  const add = (digit: number): void => {
    const value = double ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    double = !double;
  };
  for (let index = isin.length - 1; index >= 0; index -= 1) {
    const value = Number.parseInt(isin.charAt(index), 36);
    add(value % 10);
    if (value > 9) add(Math.floor(value / 10));
  }
  return sum % 10 === 0;
}

/** @param text capitals, no spaces */
export function isIsin(text: string): boolean {
  return text.length === isinLength && /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text) && checkSumHolds(text);
}

export interface IsinMatch {
  readonly isin: string;
  readonly start: number;
}

const isWordCode = (code: number): boolean => isDigit(code) || isCapital(code) || (code >= 97 && code <= 122);

/** Every number with a valid check digit, in order. Linear: each run of letters and digits is examined once. */
export function findIsins(text: string): readonly IsinMatch[] {
  const found: IsinMatch[] = [];
  let index = 0;
  while (index < text.length) {
    if (!isWordCode(text.charCodeAt(index))) {
      index += 1;
      continue;
    }
    const start = index;
    while (index < text.length && isWordCode(text.charCodeAt(index))) index += 1;
    // "ISINDE0007164600": tables that lost their separator.
    const from = index - start === isinLength + 4 && text.startsWith("ISIN", start) ? start + 4 : start;
    if (index - from !== isinLength || !isDigit(text.charCodeAt(index - 1))) continue;
    const isin = text.slice(from, index);
    if (isIsin(isin)) found.push({ isin, start: from });
  }
  return found;
}
