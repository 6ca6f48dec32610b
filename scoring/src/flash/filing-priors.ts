import type { FilingFacts } from "@tapewire/contract/filings.ts";

/**
 * How likely a filing moves the price, by form and 8-K item, before its text is read. By judgement, not fitted: forms that
 * change who owns, pays or trusts the company have high priors; routine and serial forms have low ones.
 */
export interface FilingPrior {
  /** 0..1. */
  readonly prior: number;
  /** -5..+5, for the meaning of the form or item itself. */
  readonly direction: number;
  readonly meaning: string;
}

const entry = (prior: number, direction: number, meaning: string): FilingPrior => ({
  prior,
  direction,
  meaning,
});

const items: ReadonlyMap<string, FilingPrior> = new Map([
  ["1.01", entry(0.6, 0, "material agreement entered into")],
  ["1.02", entry(0.6, -1, "material agreement ended")],
  ["1.03", entry(0.8, -5, "bankruptcy or receivership")],
  ["1.04", entry(0.3, -1, "mine safety order")],
  ["1.05", entry(0.8, -2, "material cybersecurity incident")],
  ["2.01", entry(0.8, 0, "acquisition or disposal of assets completed")],
  ["2.02", entry(0.6, 0, "results of operations")],
  ["2.03", entry(0.3, 0, "new direct financial obligation")],
  ["2.04", entry(0.6, -3, "event that makes debt fall due early")],
  ["2.05", entry(0.4, -1, "costs of exit or disposal of a business")],
  ["2.06", entry(0.6, -2, "material impairment")],
  ["3.01", entry(0.8, -3, "notice of delisting or of failing a listing rule")],
  ["3.02", entry(0.4, -1, "unregistered sale of shares")],
  ["3.03", entry(0.3, 0, "rights of security holders changed")],
  ["4.01", entry(0.4, -1, "auditor changed")],
  ["4.02", entry(0.8, -4, "earlier financial statements can no longer be relied on")],
  ["5.01", entry(0.8, 0, "change of control")],
  ["5.02", entry(0.3, 0, "directors or officers come or go")],
  ["5.03", entry(0.02, 0, "charter or by-laws amended")],
  ["5.04", entry(0.15, 0, "trading under the employee plan suspended")],
  ["5.06", entry(0.3, 0, "shell company status changed")],
  ["5.08", entry(0.05, 0, "shareholder director nominations")],
  ["6.01", entry(0.02, 0, "asset-backed securities: information")],
  ["6.02", entry(0.02, 0, "asset-backed securities: change of servicer or trustee")],
  ["6.03", entry(0.05, 0, "asset-backed securities: change in credit enhancement")],
  ["6.04", entry(0.1, -1, "asset-backed securities: failure to make a distribution")],
  ["6.05", entry(0.02, 0, "asset-backed securities: securities act updating")],
  ["5.05", entry(0.02, 0, "code of ethics amended")],
  ["5.07", entry(0.02, 0, "votes of shareholders reported")],
  ["7.01", entry(0.4, 0, "Regulation FD disclosure")],
  ["8.01", entry(0.4, 0, "other events")],
  ["9.01", entry(0.02, 0, "exhibits")],
]);

const family = (prior: number, direction: number, meaning: string, ...names: readonly string[]) =>
  names.map((name) => [name, entry(prior, direction, meaning)] as const);

const forms: ReadonlyMap<string, FilingPrior> = new Map([
  ...family(0.8, 1, "tender offer", "SC TO-T", "SC TO-C", "SC TO-I", "SC 14D9"),
  ...family(0.8, 0, "business combination communication", "425", "DEFM14A", "PREM14A"),
  ...family(0.8, 1, "stake above 5% with intent to influence", "SC 13D", "SCHEDULE 13D"),
  ...family(0.4, 0, "change in a stake above 5%", "SC 13D/A", "SCHEDULE 13D/A"),
  ...family(0.6, -1, "prospectus for an offering of shares", "424B5", "424B4", "424B1"),
  ...family(0.4, -2, "periodic report will be late", "NT 10-K", "NT 10-Q", "NT 20-F"),
  ...family(0.35, 0, "report of a foreign issuer", "6-K"),
  ...family(0.15, 0, "periodic report", "10-Q", "10-K", "20-F", "40-F", "10-K/A", "10-Q/A"),
  ...family(
    0.15,
    0,
    "shelf or registration statement",
    "S-3",
    "S-3ASR",
    "F-3",
    "S-1",
    "F-1",
    "S-4",
    "S-1/A",
    "F-1/A",
  ),
  ...family(0.15, 0, "passive stake", "SC 13G", "SC 13G/A", "SCHEDULE 13G", "SCHEDULE 13G/A"),
  ...family(0.15, -1, "notice of a proposed insider sale", "144"),
  ...family(0.05, 0, "insider holdings", "3", "5", "4", "3/A", "4/A", "5/A"),
  ...family(
    0.02,
    0,
    "structured product or routine paper",
    "424B2",
    "424B3",
    "FWP",
    "497",
    "497K",
    "485BPOS",
    "485APOS",
    "D",
    "D/A",
    "EFFECT",
    "S-8",
    "CORRESP",
    "UPLOAD",
    "13F-HR",
    "ABS-15G",
    "10-D",
    "DEF 14A",
    "DEFA14A",
    "ARS",
  ),
]);

const normalForm = (form: string): string =>
  form
    .toUpperCase()
    .replace(/^FORM\s+/, "")
    .trim();

/** Code of an ownership form when its text states it: P bought, S sold; null when it does not. */
export function transactionCode(text: string): string | null {
  const coded =
    /\b(?:transaction )?code:? ?\(?([A-Z])\b/.exec(text) ?? /\b([PS]) ?[-–] ?(?:purchase|sale)/i.exec(text);
  if (coded !== null) return coded[1]?.toUpperCase() ?? null;
  if (/\b(?:open[- ]market purchase|purchased|bought|buys|purchase of)\b/i.test(text)) return "P";
  return /\b(?:open[- ]market sale|sold|sells|sale of|disposed)\b/i.test(text) ? "S" : null;
}

function ownershipPrior(text: string): FilingPrior {
  const code = transactionCode(text);
  if (code === "P") return entry(0.4, 2, "insider bought shares (code P)");
  if (code === "S") return entry(0.15, -1, "insider sold shares (code S)");
  return entry(
    0.02,
    0,
    code === null ? "insider holdings, no trade stated" : `insider transaction (code ${code})`,
  );
}

const officers = /\b(?:chief executive|chief financial|ceo|cfo)\b/i;
const officerChange = entry(0.45, 0, "chief executive or finance officer comes or goes");

/** Feeds that state no items of an 8-K may name them in its title: "Item 4.02 Non-Reliance on". */
const itemsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\bitem (\d\.\d\d)\b/gi), ([, number]) => number ?? "");

/** Numbers of the 8-K items that have a prior. */
export const knownItems: readonly string[] = [...items.keys()];

/** What the form alone says. @param text start of the filing's text, for Form 4 codes and 8-K 5.02 offices */
export function filingPrior(filing: FilingFacts, text: string): { prior: FilingPrior; item: string | null } {
  const form = normalForm(filing.form);
  if (form === "4" || form === "4/A") return { prior: ownershipPrior(text), item: null };
  if (form.startsWith("8-K")) {
    const topOfficer = officers.test(text);
    const stated = filing.items.length > 0 ? filing.items : itemsIn(text);
    const known = stated.flatMap((item) => {
      const number = item.replace(/^item\s+/i, "").trim();
      const prior = number === "5.02" && topOfficer ? officerChange : items.get(number);
      return prior === undefined ? [] : [{ prior, item: number }];
    });
    const first = known.toSorted((a, b) => b.prior.prior - a.prior.prior)[0];
    return first ?? { prior: entry(0.3, 0, "current report, no item stated"), item: null };
  }
  const known = forms.get(form) ?? forms.get(form.replace(/\/A$/, ""));
  if (known !== undefined) return { prior: known, item: null };
  return {
    prior: entry(form.startsWith("N-") ? 0.02 : 0.1, 0, "form without a prior of its own"),
    item: null,
  };
}
