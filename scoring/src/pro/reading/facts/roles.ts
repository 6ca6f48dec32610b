/** The role of a figure for its metric. */
export type Role =
  | "value"
  | "high"
  | "year_ago"
  | "previous"
  | "previous_high"
  | "consensus"
  | "change"
  | "margin_over"
  | "other";

/** The words around a figure, lower case. */
export interface Surroundings {
  /** After the figure before it, or from the start of the sentence. */
  readonly lead: readonly string[];
  /** The part of the lead after its last comma or bracket. */
  readonly near: readonly string[];
  /** Up to the next comma, bracket or figure, four words at most. */
  readonly behind: readonly string[];
  /** Up to the next full stop or metric: "a year earlier" may follow a list. */
  readonly tail: readonly string[];
  /** It is the first figure of its metric. */
  readonly first: boolean;
  readonly guidance: boolean;
  readonly percent: boolean;
  readonly percentMetric: boolean;
  readonly last: Role | null;
}

const expecting = new Set(
  "analysts analyst consensus street est estimate estimates factset lseg refinitiv bloomberg polled expectations expectation zacks".split(
    " ",
  ),
);
const expected = new Set([
  "expected",
  "expecting",
  "forecast",
  "forecasts",
  "estimated",
  "predicted",
  "projected",
]);
const against = new Set(["from", "versus", "vs", "against", "than", "compared", "v"]);
const yearAgo =
  /\b(?:year ago|year earlier|years ago|last year|(?:prior|previous|same) (?:fiscal )?(?:year|quarter|period)|(?:same|corresponding|comparable|year) (?:quarter|period|earlier)|a year before|in (?:19|20)\d\d|for (?:19|20)\d\d|quarter of (?:fiscal )?(?:19|20)\d\d)\b/;
const sequential =
  /^(?:sequentially|quarter over quarter|quarter on quarter|qoq|q\/q|(?:from|versus|over|on) (?:the )?(?:(?:prior|previous|last|preceding) quarter|(?:first|second|third|fourth) quarter|q[1-4]\b))/;
const formerly = /\b(?:previous|previously|prior|earlier|old|initial)\b/;
const promise = /\b(?:guidance|forecast|outlook|range|view|guided|target|projection|expectation|estimate)\b/;

const has = (words: readonly string[], set: ReadonlySet<string>): boolean =>
  words.some(
    (word) =>
      set.has(word) ||
      (word.endsWith("'s") && set.has(word.slice(0, -2))) ||
      (word.endsWith("s'") && set.has(word.slice(0, -1))),
  );

/** Headlines: "EPS $0.85 Beats $0.80 Estimate". */
const surprising = /^(?:beats?|beating|tops?|topping|miss|misses|missing|missed)$/;

function isConsensus({ lead, near, behind, first, guidance }: Surroundings): boolean {
  if (has(near, expecting) && !near.includes("by")) return true;
  const isExpected = has(near, expected) && has(lead, expecting);
  if (isExpected) return true;
  if (!first && surprising.test(near.at(-1) ?? "")) return true;
  const compared = has(near, against) || near.includes("the");
  if (compared && !first && (has(behind, expecting) || (has(behind, expected) && !guidance))) return true;
  return first && has(behind.slice(0, 2), expecting) && near.includes("the");
}

/** Only "to", "and" or a dash separates the two figures of a range. */
const joinsRange = (near: readonly string[]): boolean =>
  near.length === 0 || (near.length === 1 && /^(?:to|and|through)$/.test(near[0] ?? ""));

const moved =
  /^(?:increased|increase|decreased|decrease|rose|fell|grew|up|down|declined|decline|dropped|improved|climbed|jumped|includes?|including|included|by)$/;

/** "increased $415 million to ..." gives the change; "include $3 billion of", "..., with $18 million in" a part. */
function isPart({ near }: Surroundings): boolean {
  if (near[0] === "with") return true;
  return moved.test(near.at(-1) ?? "");
}

/** The role of the second end of a range, by that of the first. */
function rangeRole(last: Role | null): Role {
  if (last === "value") return "high";
  return last === "previous" ? "previous_high" : "other";
}

/** The role of one figure. */
export function roleOf(around: Surroundings): Role {
  const { lead, near, behind, tail, first, guidance, percent, percentMetric, last } = around;
  if (isConsensus(around)) return "consensus";
  if (near.includes("by"))
    return has(lead, expecting) ? "margin_over" : percent && !percentMetric ? "change" : "other";
  // A change from the quarter before is no change from the year before.
  if (percent && !percentMetric) return sequential.test(behind.join(" ")) ? "other" : "change";
  if (!first && guidance && joinsRange(lead)) return rangeRole(last);
  const text = near.join(" ");
  if (has(near, against) && !(first && near.includes("than"))) {
    if (promise.test(text) && (guidance || formerly.test(text))) return guidance ? "previous" : "other";
    if (promise.test(text)) return "other";
    if (guidance && !yearAgo.test(`${text} | ${behind.join(" ")}`)) return "previous";
    return "year_ago";
  }
  if (formerly.test(text) && promise.test(text)) return guidance ? "previous" : "other";
  // "decreased 1%, or $1.2 billion" gives the change, not the result.
  if (first && last === "change" && lead.join(" ") === "or") return "other";
  // "(2024: $1.73 billion)"
  if (!first && !guidance && lead.length <= 2 && /^(?:19|20)\d\d$/.test(lead.at(-1) ?? "")) return "year_ago";
  if (first && isPart(around)) return "other";
  if (first) return yearAgo.test(behind.join(" ")) && last !== null ? "year_ago" : "value";
  if (last === "year_ago" && near.includes("to")) return "value";
  if (yearAgo.test(text) || yearAgo.test(behind.join(" "))) return "year_ago";
  return near.length <= 2 && near.includes("or") && yearAgo.test(tail.join(" ")) ? "year_ago" : "other";
}

const beating =
  /\b(?:beat|beats|beating|topped|tops|topping|exceeded|exceeds|exceeding|surpassed|surpassing|above|ahead of|better than|higher than|more than)\b/;
const missing =
  /\b(?:missed|misses|missing|below|short of|shy of|worse than|lower than|less than|lagged|lagging|trailed|under)\b/;
const meeting = /\b(?:in line with|in-line|matched|matching|met|meeting)\b/;

/** What the words say about a figure and the expectation; null when nothing. */
export function statedOutcome(words: readonly string[]): "beat" | "miss" | "in_line" | null {
  if (!has(words, expecting) && !has(words, expected)) return null;
  const text = words.join(" ");
  if (missing.test(text)) return "miss";
  if (beating.test(text)) return "beat";
  return meeting.test(text) ? "in_line" : null;
}
