import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { aboutParties, filingTitle, formName, type Party } from "../forms.ts";
import type { FoundDetails } from "./found-details.ts";
import { describeHoldings, grouped, holdingsWords } from "./holdings.ts";
import { offeringWords } from "./offering.ts";
import { describeStake, largestHolder } from "./stake.ts";

interface Filing {
  readonly form: string;
  readonly items: readonly string[];
  readonly parties: readonly Party[];
  readonly details: FoundDetails | null;
}

/** Headline of a filing by its own facts, else by its form and parties; ownership forms have theirs. */
export function detailsTitle({ form, items, parties, details }: Filing): string {
  const words = details === null ? null : headline(details, form, nameOf(parties));
  return words === null ? filingTitle(form, items, parties) : `${formName(form)}: ${words}`;
}

function nameOf(parties: readonly Party[]): string {
  return aboutParties(parties)[0]?.name ?? "";
}

function headline(details: FoundDetails, form: string, who: string): string | null {
  switch (details.kind) {
    case "ownership":
      return null;
    case "stake":
      return stakeTitle(details, who);
    case "holdings":
      return holdingsWords(who, details);
    case "late":
      return lateTitle(details, who);
    case "offering":
      return offeringTitle(details, form, who);
    case "proposed_sale":
      return saleTitle(details, who);
    case "exempt_offering":
      return exemptTitle(details, who);
  }
}

function stakeTitle(stake: DetailsOf<"stake">, issuer: string): string | null {
  const holder = largestHolder(stake);
  const others = stake.persons.length - 1;
  const more = others === 0 ? "" : ` and ${others} ${others === 1 ? "other" : "others"}`;
  return holder === null
    ? null
    : `${holder.name}${more} ${others === 0 ? "holds" : "hold"} ${holder.percent}% of ${stake.issuer ?? issuer}`;
}

function lateTitle({ form, expects_change }: DetailsOf<"late">, who: string): string {
  const change = expects_change === true ? ", expects a significant change in results" : "";
  return `${who} will file its ${form} late${change}`;
}

function offeringTitle(offering: DetailsOf<"offering">, form: string, who: string): string | null {
  const words = offeringWords(offering);
  if (words === null) return null;
  if (offering.resale) return `holders of ${who} may sell ${words}`;
  if (/^[SF]-1/.test(form)) return `${who} registers ${words}`;
  return `${who} ${offering.price_usd === null ? "offers" : "prices"} ${words}`;
}

function saleTitle({ seller, shares, value_usd }: DetailsOf<"proposed_sale">, issuer: string): string {
  const what = shares === null ? "shares" : `${grouped(shares)} shares`;
  return `${seller ?? "A holder"} to sell ${what} of ${issuer}${value_usd === null ? "" : ` worth $${grouped(value_usd)}`}`;
}

function exemptTitle({ total_usd, sold_usd }: DetailsOf<"exempt_offering">, who: string): string {
  const total = total_usd === null ? "" : ` of $${grouped(total_usd)}`;
  const sold = sold_usd === null ? "" : `, $${grouped(sold_usd)} sold`;
  return `${who} — Exempt offering${total}${sold}`;
}

/** Facts in sentences, to be put before the text of the document; "" where the text has them as well. */
export function describeDetails(details: FoundDetails | null, parties: readonly Party[]): string {
  if (details?.kind === "stake") return describeStake(details);
  if (details?.kind === "holdings") return describeHoldings(nameOf(parties), details);
  return "";
}
