/** Passive first: "to be acquired by" is followed by the buyer. Every gap is bounded. */
const passive =
  /\b(?:to be|is being|being|is|was|been|gets?|agrees to be) (?:acquired|bought|taken over|purchased|taken private)(?: out)?(?: for \S{1,12}(?: (?:mn|bn|million|billion))?)?(?: in \S{1,12} \S{1,12} deal)? by\b/i;
const takenBy =
  /\b(?:takeover|buyout|acquisition|purchase|bid|offer) (?:bid |offer |approach |proposal )?(?:from|by)\b/i;
const active =
  /\b(?:to acquire|acquires?|acquired|acquiring|to buy|buys|bought|agree(?:s|d) to buy|bids? for|offers? to buy|takeover of|acquisition of|to take over|takes over|purchases)\b/i;

/** In a deal that was given up nobody is paid a premium. */
const ended =
  /\b(?:drop(?:s|ped)?|abandon(?:s|ed)?|scrap(?:s|ped)?|terminate[sd]?|block(?:s|ed)?|calls? off|called off|walk(?:s|ed)? away)\b/i;
/** "To buy Arm from SoftBank": the seller is not the target. */
const seller = /\bfrom (?:\p{L}+ )?$/u;

export interface DealRole {
  readonly part: "buyer" | "target";
  /** Where the title says so, as offsets in the title. */
  readonly start: number;
  readonly end: number;
}

/**
 * Whether the company named at `mentions` is paid a premium or pays it, by its position relative to the deal's verb.
 * @param mentions offsets in the title at which the company is named
 */
export function dealRole(mentions: readonly number[], title: string): DealRole | null {
  if (mentions.length === 0 || ended.test(title)) return null;
  const turned = passive.exec(title) ?? takenBy.exec(title);
  const deal = turned ?? active.exec(title);
  if (deal === null) return null;
  const first = Math.min(...mentions);
  const isBefore = first < deal.index;
  if (turned === null && !isBefore && seller.test(title.slice(deal.index + deal[0].length, first)))
    return null;
  const part = isBefore === (turned === null) ? "buyer" : "target";
  return { part, start: deal.index, end: deal.index + deal[0].length };
}
