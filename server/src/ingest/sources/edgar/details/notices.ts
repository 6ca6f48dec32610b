import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { dayOf } from "../time.ts";
import { amountOf, type Facts, fact, shortText, walkXml } from "./xml.ts";

/** A form may propose sales of several classes or on several days. */
const mostSales = 100;

/**
 * A Form 144 filed as XML (all since April 2023): several sales are summed up, the first day counts.
 * @returns null when it names neither seller nor sale
 * Source: SEC, "EDGAR Form 144 XML Technical Specification"; a recorded filing.
 */
export function parseProposedSale(xml: string): DetailsOf<"proposed_sale"> | null {
  const sales: Facts[] = [];
  const groups = new Set(["securitiesInformation", "securitiesToBeSold", "securitiesSoldInPast3Months"]);
  const top = walkXml(xml, groups, (group, facts) => {
    if (group === "securitiesInformation" && sales.length < mostSales) sales.push(facts);
  });
  const seller = shortText(fact(top, "nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold"));
  const [first] = sales;
  if (seller === null && first === undefined) return null;
  return {
    kind: "proposed_sale",
    seller,
    shares: total(sales, "noOfUnitsSold"),
    value_usd: total(sales, "aggregateMarketValue"),
    date: dayOf(first?.get("approxSaleDate")),
  };
}

function total(sales: readonly Facts[], name: string): number | null {
  const amounts = sales.map((facts) => amountOf(facts.get(name))).filter((amount) => amount !== null);
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
}

/**
 * A Form D.
 * @returns null when it names no amount
 * Source: SEC, "EDGAR Form D XML Technical Specification"; a recorded filing.
 */
export function parseExemptOffering(xml: string): DetailsOf<"exempt_offering"> | null {
  const top = walkXml(xml, new Set(["recipient", "relatedPersonInfo"]));
  const total_usd = amountOf(top.get("totalOfferingAmount"));
  const sold_usd = amountOf(top.get("totalAmountSold"));
  return total_usd === null && sold_usd === null ? null : { kind: "exempt_offering", total_usd, sold_usd };
}
