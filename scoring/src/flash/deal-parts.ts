/** Who buys, who sells and who is bought, by the words around a name. */
import type { EventRole } from "./events/events.ts";

const seller = /\bfrom (?:the )?$/i;
const buyer = /\bby (?:the )?$/i;
/** "Raises its offer to top Norvik": Norvik is the other bidder. */
const outbid = /\b(?:top|tops|topping|beat|beats|beating|trump|trumps|outbid|outbids) (?:rival |the )*$/i;
/** "Norvik's takeover of Veldric": whose offer it is. */
const bidder =
  /^[\p{L}\p{N}.&-]{1,40}(?: [\p{Lu}\p{N}&][\p{L}\p{N}.&-]{0,40}){0,3}?['’]s? (?:[\p{L}\p{N}$.-]{1,20} ){0,3}(?:takeover|bid|offer|acquisition|purchase|buyout|approach|proposal|merger with)\b/u;
/** "Norvik purchase of Veldric": the same without an apostrophe. */
const plainBidder =
  /^[\p{L}\p{N}.&-]{1,40} (?:[\p{L}\p{N}$.-]{1,20} ){0,2}(?:takeover|bid|offer|acquisition|purchase|buyout) (?:of|for)\b/u;
/** "Norvik buying Veldric", "Norvik from acquiring Veldric", "talks for Norvik to buy Veldric": who would buy. */
const buying =
  /^[\p{L}\p{N}.&-]{1,40} (?:[\p{L}\p{N}.&-]{1,20} )?(?:from |to )?(?:buying|acquiring|purchasing|taking over|buy|acquire|purchase|take over)\b/u;
/** "The sale of Veldric to Norvik": Norvik buys. */
const soldTo = /\b(?:sale|disposal|divestment|divestiture) of [^.;:]{1,60} to (?:the )?$/i;

const holdersOf = /\b(?:shareholders|stockholders|investors|holders|unitholders) (?:of|in|at) (?:the )?$/i;
const ownHolders =
  /^[\p{L}\p{N}.&-]{1,40}(?: [\p{Lu}\p{N}&][\p{L}\p{N}.&-]{0,40}){0,3}(?:['’]s?)? (?:shareholders|stockholders|investors|holders|unitholders)\b/u;

/** Whether it is the company's own holders that vote: theirs is the one to be sold, wherever it is named. */
export const isVoters = (place: number, text: string): boolean =>
  holdersOf.test(text.slice(Math.max(0, place - 24), place)) ||
  ownHolders.test(text.slice(place, place + 90));

/** "To buy Arm from SoftBank": the seller is not the target; "blocks purchase by Norvik": nor is the buyer. */
export function partInDeal(place: number, text: string): EventRole {
  const before = text.slice(Math.max(0, place - 10), place);
  const from = text.slice(place, place + 90);
  if (bidder.test(from) || plainBidder.test(from) || buying.test(from) || buyer.test(before))
    return "acquirer";
  if (soldTo.test(text.slice(Math.max(0, place - 90), place))) return "acquirer";
  if (outbid.test(text.slice(Math.max(0, place - 24), place))) return "rival";
  return seller.test(before) ? "seller" : "target";
}

const chosen = /\b(?:for|with|to|in favou?r of) (?:the |rival )?$/i;
const castOff = /\b(?:from|buying) (?:the )?$/i;

/** "Drops Veldric for Brantley", "switches to Brantley from Veldric": who takes over the sales, and who loses them; undefined: neither. */
export function partInSwitch(place: number, text: string): EventRole | undefined {
  const before = text.slice(Math.max(0, place - 20), place);
  if (chosen.test(before)) return "rival";
  return castOff.test(before) ? "subject" : undefined;
}
