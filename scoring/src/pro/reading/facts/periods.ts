import type { Token } from "../../../text.ts";

const ordinals: ReadonlyMap<string, number> = new Map([
  ["first", 1],
  ["1st", 1],
  ["second", 2],
  ["2nd", 2],
  ["third", 3],
  ["3rd", 3],
  ["fourth", 4],
  ["4th", 4],
]);
const months: ReadonlyMap<string, string> = new Map([
  ["three", "3M"],
  ["six", "6M"],
  ["nine", "9M"],
  ["twelve", "FY"],
]);

const weekSpans: ReadonlyMap<string, string> = new Map([
  ["13", "3M"],
  ["14", "3M"],
  ["26", "6M"],
  ["39", "9M"],
  ["52", "FY"],
  ["53", "FY"],
]);

/** `2026` of "2026", "fy26", "fy2026"; null for anything else. */
function yearOf(word: string | undefined): string | null {
  const [, full, short] = /^(?:fy)?(?:((?:19|20)\d\d)|(\d\d))$/.exec(word ?? "") ?? [];
  if (full !== undefined) return full;
  return short !== undefined && (word ?? "").startsWith("fy") ? `20${short}` : null;
}

/** A year within the next words, skipping "of fiscal year", "ended March 31". */
function yearNear(tokens: readonly Token[], from: number): string | null {
  for (let at = from; at < Math.min(tokens.length, from + 8); at += 1) {
    const word = tokens[at]?.word ?? "";
    const year = yearOf(word);
    if (year !== null) return year;
    if (
      !/^(?:of|fiscal|year|quarter|period|the|in|ended|ending|january|february|march|april|may|june|july|august|september|october|november|december|\d\d?)$/.test(
        word,
      )
    )
      return null;
  }
  return null;
}

const shortQuarter = /^(?:q([1-4])|([1-4])q)(\d\d)?$/;

const label = (name: string, year: string | null): string => (year === null ? name : `${name} ${year}`);

function periodAt(tokens: readonly Token[], at: number): string | null {
  const word = tokens[at]?.word ?? "";
  const next = tokens[at + 1]?.word ?? "";
  const quarter = word.length === 2 || word.length === 4 ? shortQuarter.exec(word) : null;
  if (quarter !== null) {
    const year = quarter[3] === undefined ? yearNear(tokens, at + 1) : `20${quarter[3]}`;
    return label(`Q${quarter[1] ?? quarter[2]}`, year);
  }
  const ordinal = ordinals.get(word);
  if (ordinal !== undefined) {
    const unit = next === "fiscal" ? (tokens[at + 2]?.word ?? "") : next;
    if (unit === "quarter") return label(`Q${ordinal}`, yearNear(tokens, at + 2 + Number(next === "fiscal")));
    if (unit === "half") return label(`H${ordinal}`, yearNear(tokens, at + 2));
    return null;
  }
  const weeks = next === "week" || next === "weeks" ? weekSpans.get(word) : undefined;
  if (weeks !== undefined) return label(weeks, yearNear(tokens, at + 2));
  const span = months.get(word);
  if (span !== undefined && next === "months") return label(span, yearNear(tokens, at + 2));
  if (word === "full" && next === "year")
    return label("FY", yearNear(tokens, at + 2) ?? yearOf(tokens[at - 1]?.word));
  if (word === "fiscal" && next !== "quarter") {
    const year = yearNear(tokens, at + 1);
    return year === null ? null : label("FY", year);
  }
  if (word === "year" && (next === "ended" || next === "ending"))
    return label("FY", yearNear(tokens, at + 1));
  if (word.startsWith("fy") && /^fy(?:\d\d|20\d\d)?$/.test(word))
    return label("FY", yearOf(word) ?? yearOf(next));
  return null;
}

/** Words before a period that is the one compared with. */
const comparing = /^(?:from|versus|vs|against|than|compared|prior|previous|earlier|last)$/;

/**
 * The period of a sentence's figures: the first that is not the one compared with.
 * @returns `Q1 2026`, `Q1`, `H1 2026`, `3M 2026`, `9M`, `FY 2026`; null when it names none
 */
export function periodOf(tokens: readonly Token[]): string | null {
  for (let at = 0; at < tokens.length; at += 1) {
    const found = periodAt(tokens, at);
    if (found === null) continue;
    const isCompared = [1, 2, 3].some((back) => comparing.test(tokens[at - back]?.word ?? ""));
    if (!isCompared) return found;
    at += 1;
  }
  return null;
}
