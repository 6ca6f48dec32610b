import type { FilingDetails } from "@tapewire/contract/filings.ts";
import { type FoundHoldings, storedHoldings } from "./holdings.ts";
import { storedStake } from "./stake.ts";

/** The facts that a form states, from which its headline is made; an item keeps fewer of some (storedDetails). */
export type FoundDetails = Exclude<FilingDetails, { kind: "holdings" }> | FoundHoldings;

export function storedDetails(found: FoundDetails): FilingDetails {
  if (found.kind === "stake") return storedStake(found);
  return found.kind === "holdings" ? storedHoldings(found) : found;
}
