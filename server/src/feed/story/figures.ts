/**
 * The figures of a text in one notation, so that "$1.2 billion" equals "USD 1,200 mln" and "34 cents" equals "$0.34".
 * Money, percentages, per-share amounts and counts decide what a text says. Days, quarters and product codes are stored
 * beside them, since a notice of another day is another notice. Times of day, years, telephone numbers and form numbers
 * decide nothing.
 */
export interface Figures {
  /** In order of first appearance. */
  readonly numbers: readonly string[];
  /** How many of them are in the first 1,500 characters: a copy may break off, or begin later. */
  readonly early: number;
  /** Month and day: "3-2"; a month alone: "3-". */
  readonly days: readonly string[];
  /** "q3", "h1", "fy". */
  readonly periods: readonly string[];
  /** "hb-104", and years. */
  readonly codes: readonly string[];
}

const earlyChars = 1_500;
const mostAmounts = 60;
const mostOthers = 20;

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
// "may" and "march" are words too: a capital marks the month, and for "MAY" a day beside it.
const month =
  "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const anyMonth = `(?:${month}|(JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)\\.?)`;
const year = "(?:,?\\s+(?:19|20)\\d\\d(?!\\d))?";
const monthAndDay = new RegExp(`\\b${anyMonth}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?![\\d.%])${year}`, "g");
const dayAndMonth = new RegExp(
  `(?<![\\d.,])(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${anyMonth}(?!\\p{L})${year}`,
  "gu",
);
const isoDay = /(?<!\d)(?:19|20)\d\d-(\d\d)-(\d\d)(?!\d)/g;
const monthAlone = new RegExp(`\\b${month}(?!\\p{L})${year}`, "gu");

/** Digits that decide nothing. */
const beside = [
  /https?:\/\/\S+|\S+@\S+/g,
  /(?<!\d)\d{1,2}(?::\d\d){1,2}(?:\s?[ap]\.?m\b)?|(?<![\d.])\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\b|GMT\b|UTC\b|E[SD]?T\b|CES?T\b)/gi,
  /\+\d[\d\s().-]{6,30}\d|\b(?:tel|phone|call|fax)\b\.?:?\s*[\d\s().-]{6,30}\d|(?<!\d)\d{3}[-.\s]\d{3}[-.\s]\d{4}(?!\d)/gi,
  /\b(?:items?|form|section|rule|page|chapter|article|wkn|sedol|cusip|no\.)\s?\d[\w.-]*|#\d+/gi,
  /\b\d{1,2}-[KQF]\b(?:\/A)?/g,
];

const ordinals: Readonly<Record<string, string>> = { first: "1", second: "2", third: "3", fourth: "4" };
const period =
  /\b(first|second|third|fourth|[1-4](?:st|nd|rd|th))[- ](?:fiscal[- ])?(quarter|half)\b|\b([qh])([1-4])\b|\b([1-4])([qh])\b|\b(full[- ]year|annual|fy)\b/gi;
/** Found by their digit, since most words have none. */
const digitsOfCode = /(?<=\p{L}[-\u2011]?)\d[\p{L}\d-]*/gu;
const lettersBefore = /\p{L}+[-\u2011]?$/u;
const years = /(?<![\p{L}\d.,-])(?:19|20)\d\d(?![\d.,]?\d|%)/gu;
const mostLetters = 16;

const scales: Readonly<Record<string, number>> = {
  thousand: 1e3,
  k: 1e3,
  lakh: 1e5,
  million: 1e6,
  mln: 1e6,
  mn: 1e6,
  mm: 1e6,
  m: 1e6,
  crore: 1e7,
  billion: 1e9,
  bln: 1e9,
  bn: 1e9,
  b: 1e9,
  trillion: 1e12,
  tn: 1e12,
  cent: 0.01,
  cents: 0.01,
  c: 0.01,
};
const words = "two three four five six seven eight nine ten eleven twelve".split(" ");
const amount = new RegExp(
  `(?<![\\p{L}\\d][-\\u2011.,]?)(\\d+(?:[.,]\\d+)*|(?:${words.join("|")})(?!\\p{L}))(?:[\\s-]?(${Object.keys(scales).join("|")}|percent|per\\scent|pct|%)(?!\\p{L}))?`,
  "giu",
);

/** The text with its amounts in one notation. */
export function withPlainAmounts(text: string): string {
  return text.replaceAll(amount, (_, digits: string, unit: string | undefined) => plain(digits, unit));
}

function plain(digits: string, unit = ""): string {
  const word = words.indexOf(digits.toLowerCase());
  const value = word === -1 ? numberIn(digits) : word + 2;
  const scale = scales[unit.toLowerCase()];
  if (scale !== undefined) return String(Number((value * scale).toPrecision(12)));
  return unit === "" ? String(value) : `${value}%`;
}

/** "1,200" and "1,234.5" have thousands; "3,75" is written with a decimal comma. */
function numberIn(digits: string): number {
  const point = /^\d+,\d{1,2}$/.test(digits)
    ? digits.replace(",", ".")
    : digits.replaceAll(/,(?=\d{3})/g, "");
  const value = Number(point);
  return Number.isNaN(value) ? Number(point.replaceAll(/\D/g, "")) : value;
}

/** The figures in a text. */
export function figuresOf(text: string): Figures {
  const days = new Set<string>();
  const periods = new Set<string>();
  const codes = new Set<string>();
  let rest = text;
  const take = (pattern: RegExp, keep: (groups: readonly (string | undefined)[]) => void) => {
    rest = rest.replaceAll(pattern, (whole: string, ...groups: (string | undefined)[]) => {
      keep(groups);
      return " ".repeat(whole.length);
    });
  };
  for (const pattern of beside) take(pattern, () => {});
  take(isoDay, ([of, day]) => days.add(`${Number(of)}-${Number(day)}`));
  take(monthAndDay, ([some, loud, day]) => days.add(`${monthOf(some ?? loud)}-${Number(day)}`));
  take(dayAndMonth, ([day, some, loud]) => days.add(`${monthOf(some ?? loud)}-${Number(day)}`));
  take(monthAlone, ([some]) => days.add(`${monthOf(some)}-`));
  take(period, (groups) => periods.add(periodOf(groups)));
  for (const [found] of rest.matchAll(years)) codes.add(found);
  for (const { 0: digits, index } of rest.matchAll(digitsOfCode)) {
    const letters = lettersBefore.exec(rest.slice(Math.max(0, index - mostLetters), index))?.[0] ?? "";
    codes.add(`${letters}${digits}`.toLowerCase().replaceAll("\u2011", "-"));
  }
  return { ...amountsOf(rest), days: some(days), periods: some(periods), codes: some(codes) };
}

const some = (found: ReadonlySet<string>): string[] => [...found].slice(0, mostOthers);

function monthOf(name = ""): number {
  return monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function periodOf([ordinal, kind, letter, number, before, after]: readonly (string | undefined)[]): string {
  const which = ordinal === undefined ? (number ?? before) : (ordinals[ordinal.toLowerCase()] ?? ordinal[0]);
  const of = (kind ?? letter ?? after)?.[0]?.toLowerCase();
  return which === undefined || of === undefined ? "fy" : of + which;
}

const plainYear = /^(?:19[89]|20\d)\d$/;

function amountsOf(text: string): Pick<Figures, "numbers" | "early"> {
  const found = new Set<string>();
  let early = 0;
  for (const { 1: digits = "", 2: unit, index } of text.matchAll(amount)) {
    if (unit === undefined && plainYear.test(digits)) continue;
    found.add(plain(digits, unit));
    if (index < earlyChars) early = found.size;
    if (found.size >= mostAmounts) break;
  }
  return { numbers: [...found], early };
}
