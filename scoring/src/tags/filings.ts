import type { FilingFacts } from "@tapewire/contract/filings.ts";

const itemTags: ReadonlyMap<string, readonly string[]> = new Map([
  ["1.01", ["strategy_business_products"]],
  ["1.02", ["strategy_business_products"]],
  ["1.03", ["esg"]],
  ["1.05", ["esg"]],
  ["2.01", ["mergers_and_acquisitions"]],
  ["2.02", ["earnings"]],
  ["2.05", ["strategy_business_products"]],
  ["2.06", ["earnings"]],
  ["3.01", ["esg"]],
  ["4.01", ["esg"]],
  ["4.02", ["esg", "earnings"]],
  ["5.01", ["ownership_changes"]],
  ["5.02", ["management"]],
  ["5.05", ["esg"]],
  ["5.07", ["esg"]],
  ["5.08", ["esg"]],
]);

const formTags: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:3|4|5|144)(?:\/A)?$/, ["insider_trading"]],
  [/^(?:SC 13[DG]|SCHEDULE 13[DG]|13F)/, ["ownership_changes"]],
  [/^(?:SC TO-I|SC 13E4)/, ["share_buybacks"]],
  [/^(?:SC TO-T|SC TO-C|SC 14D9|SC 13E3|425|S-4|F-4|(?:DEF|PRE)M14A)/, ["mergers_and_acquisitions"]],
  [/^(?:10-K|10-Q|20-F|40-F|NT 10|NT 20|ARS)/, ["earnings"]],
  [/^(?:S-1|F-1|S-11|424B1|424B4|8-A12B)(?:MEF)?(?:\/A)?$/, ["ipo"]],
  [/^(?:(?:DEF|PRE) 14[AC]|DEFA14A|DEFC14A|PREC14A|25(?:-NSE)?$|SD(?:\/A)?$)/, ["esg"]],
  [/^DFAN14A/, ["esg", "ownership_changes"]],
  [/^SC 14F1/, ["management", "ownership_changes"]],
];

/** Forms of funds, private offerings, brokers and transfer agents, which are about no listed company. */
const unlistedForm =
  /^(?:N-|NT N-|NPORT|24F-2|485|487|497|S-6|40-(?!F)|D(?:\/A)?$|C(?:-|\/|$)|1-|X-17A|ATS-N|TA-|MA(?:-|\/|$)|CFPORTAL)/;
/** Pricing of notes, nearly all of them a bank's, and reports of asset-backed ones. */
const noteForm = /^(?:424B2|FWP|10-D(?:\/A)?$|ABS-)/;

const formName = (form: string): string =>
  form
    .toUpperCase()
    .replace(/^FORM\s+/, "")
    .trim();

/** Tags of a filing by its form and, for an 8-K, its items. */
export function filingTags({ form, items }: FilingFacts): readonly string[] {
  const name = formName(form);
  const byForm = formTags.filter(([pattern]) => pattern.test(name)).flatMap(([, tags]) => tags);
  const byItem = name.startsWith("8-K") ? items.flatMap((item) => itemTags.get(item.trim()) ?? []) : [];
  return [...new Set([...byForm, ...byItem])];
}

/** The market implied by a form when nothing else names one; null when none is. */
export function filingMarket({ form }: FilingFacts): string | null {
  const name = formName(form);
  if (unlistedForm.test(name)) return null;
  return noteForm.test(name) ? "corp_bond" : "stock";
}
