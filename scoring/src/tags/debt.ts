import { economiesIn, startsWithEconomy } from "./economies.ts";
import type { Token } from "./matcher.ts";

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What a state does with its debt, directly after its name. */
const stateVerbs = wordsOf(`
  to sells auction auctions sold sell issues issued raises raised buys bought repurchases prices priced places auctions auctioned taps
  repays repaid redeems redeemed returns mandates hires plans launches defaults misses seeks borrows swaps exchanges offers
  opens reopens cancels cuts scraps draws hopes eyes weighs considers completes restructures
`);
const companyWords = wordsOf(`
  bank banks bancorp insurer insurers developer developers maker makers group corp inc plc ltd airline airlines utility
  utilities company companies firm firms lender lenders miner miners telecom telecoms retailer retailers holdings
  carmaker automaker startup biotech group unit producer operator conglomerate issuer issuers notes debentures
`);
const owners = wordsOf(
  "treasury sovereign municipal municipality gilt gilts bund bunds jgb jgbs btp btps oat oats",
);

const nextIs = (tokens: readonly Token[], word: string, next: RegExp): boolean =>
  tokens.some((token, at) => token.word === word && next.test(tokens[at + 1]?.word ?? ""));

/** Whether a state or its debt office is who borrows or repays in a text. */
export function stateBorrows(tokens: readonly Token[]): boolean {
  if (nextIs(tokens, "finance", /^ministry$/) || nextIs(tokens, "debt", /^(?:office|agency)$/)) return true;
  const after = startsWithEconomy(tokens);
  return after !== null && stateVerbs.has(tokens[after]?.word ?? "");
}

const isStateDebt = (tokens: readonly Token[]): boolean =>
  stateBorrows(tokens) || tokens.some(({ word }) => owners.has(word));

/** Whether an agency's action is about a state: one is named, and no company is. */
export const isStateRating = (tokens: readonly Token[]): boolean =>
  tokens.some(({ word }) => word === "sovereign") ||
  (!tokens.some(({ word }) => companyWords.has(word)) && economiesIn(tokens).length > 0);

const paperOfStates = wordsOf(
  "treasury treasuries yield yields gilt gilts bund bunds jgb jgbs sovereign government municipal",
);

/**
 * The markets of an item about debt. A company's notes and its rating are about its debt and not about its shares, unless
 * they convert into shares or the text speaks of shares as well; a state's are its bonds.
 */
export function debtMarkets(
  tokens: readonly Token[],
  found: ReadonlySet<string>,
  {
    rating,
    equity,
    companies,
  }: { readonly rating: boolean; readonly equity: boolean; readonly companies: boolean },
): ReadonlySet<string> {
  const markets = new Set(found);
  const worded = markets.has("bond") || markets.has("corp_bond");
  if (!worded && !rating) return markets;
  if (companies) {
    const ofStates = tokens.some(({ word }) => paperOfStates.has(word));
    if (rating || (markets.has("bond") && !ofStates)) markets.add("corp_bond");
    if (markets.has("corp_bond") && !ofStates) markets.delete("bond");
    const converts = tokens.some(({ word }, at) => word === "convertible" && tokens[at - 1]?.word !== "non");
    const shares = tokens.some(({ word }) => word === "shares" || word === "stock" || word === "stocks");
    if (markets.has("corp_bond") && !equity && !converts && !shares) markets.delete("stock");
    return markets;
  }
  if (rating) markets.add(isStateRating(tokens) ? "bond" : "corp_bond");
  const ofCompany = tokens.some(({ word }) => companyWords.has(word));
  if (markets.has("bond") && !ofCompany && economiesIn(tokens).length > 0) markets.delete("corp_bond");
  if (markets.has("corp_bond") && (isStateDebt(tokens) || (rating && isStateRating(tokens)))) {
    markets.delete("corp_bond");
    markets.add("bond");
  }
  return markets;
}

const startsLower = /^\p{Ll}/u;

/** Whether a headline counts what an economy earns: "Greek tourism revenue rises" reports no company's results. */
export function isOfEconomy(tokens: readonly Token[]): boolean {
  const after = startsWithEconomy(tokens);
  if (after === null || tokens.some(({ word }) => companyWords.has(word))) return false;
  return startsLower.test(tokens[after]?.raw ?? "");
}
