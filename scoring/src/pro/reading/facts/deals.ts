import type { Token } from "../../../text.ts";
import type { Sentence } from "../sentence.ts";
import type { Amount } from "./amounts.ts";
import type { Draft } from "./fact-draft.ts";

const deal =
  /^(?:acquires?|acquired|acquiring|acquisition|buys?|buying|bought|buyout|takeover|merger|merges?|merge|merging|divests?|divestiture|bid|bids)$/;
const agreed = /^(?:purchase|sell|sells|sold|sale)$/;
const agreement = /^(?:agreed|agrees|agreement|definitive|transaction)$/;
/** Buybacks, stakes and plants are no deals between companies. */
const otherwise =
  /^(?:repurchases?|repurchased|buyback|buybacks|warrants?|notes|debentures|equipment|inventory|treasury|offering|underwriters?|placement|options?|tickets?)$/;
const pricing =
  /^(?:for|at|worth|of|approximately|about|around|roughly|to|up|nearly|some|total|valued|price|value|consideration)$/;
const priceNoun = /^(?:for|valued|worth|value|price|consideration|valuing|values)$/;
const dealNoun = /^(?:deal|acquisition|takeover|merger|buyout|bid|offer|transaction)$/;

/** Whether "for", "valued at" or "worth" precedes a figure, by at most six words. */
function isPrice(tokens: readonly Token[], amount: Amount): boolean {
  for (let at = amount.first - 1; at >= Math.max(0, amount.first - 6); at -= 1) {
    const word = tokens[at]?.word ?? "";
    if (priceNoun.test(word)) return true;
    if (
      !pricing.test(word) &&
      !/^(?:us|c|a|in|cash|the|company|it|an|enterprise|equity|aggregate)$/.test(word)
    )
      break;
  }
  const next = tokens[amount.after]?.word ?? "";
  const second = tokens[amount.after + 1]?.word ?? "";
  return dealNoun.test(next) || (/^(?:cash|all-cash|stock|all)$/.test(next) && dealNoun.test(second));
}

/** The price of a deal: in total, or per share. */
export function dealDrafts(sentence: Sentence, amounts: readonly Amount[]): readonly Draft[] {
  const { tokens } = sentence;
  const words = tokens.map(({ word }) => word);
  const isDeal =
    words.some((word) => deal.test(word)) ||
    (words.some((word) => agreed.test(word)) && words.some((word) => agreement.test(word)));
  if (!isDeal || words.some((word) => otherwise.test(word))) return [];
  const units = new Set<string>();
  return amounts.flatMap((amount): Draft[] => {
    const { unit } = amount;
    if (unit !== "currency" && unit !== "per_share") return [];
    if (unit === "currency" && Math.abs(amount.value) < 1e5) return [];
    if (units.has(unit) || !isPrice(tokens, amount)) return [];
    units.add(unit);
    return [
      {
        metric: "deal_value",
        kind: "deal",
        unit,
        sign: 1,
        adjusted: false,
        sentence: sentence.index,
        period: null,
        currency: amount.currency,
        low: Math.abs(amount.value),
        high: null,
        yearAgo: null,
        previous: null,
        consensus: null,
        changePct: null,
        outcome: null,
        start: amount.start,
        end: amount.end,
        last: "value",
      },
    ];
  });
}
