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
  ["2.04", entry(0.8, -3, "event that makes debt fall due early")],
  ["2.05", entry(0.4, -1, "costs of exit or disposal of a business")],
  ["2.06", entry(0.6, -2, "material impairment")],
  ["3.01", entry(0.8, -3, "notice of delisting or of failing a listing rule")],
  ["3.02", entry(0.5, -1, "unregistered sale of shares")],
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
  ...family(0.1, 0, "registration or listing ends", "15-12G", "15-12B", "15F-12B", "25-NSE", "25"),
  ...family(0.15, 0, "registration statement withdrawn", "RW"),
  ...family(0.8, 1, "stake above 5% with intent to influence", "SC 13D", "SCHEDULE 13D"),
  ...family(0.6, -1, "prospectus for an offering of shares", "424B5", "424B4", "424B1"),
  ...family(0.5, 1, "holders fight over the board", "DFAN14A", "PREC14A", "DEFC14A"),
  ...family(0.7, 1, "company goes private", "SC 13E3"),
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

const several =
  /\b(?:cluster|(?:two|three|four|five|six|seven|eight|nine|ten|several|multiple|\d) (?:\w+ )?(?:insiders|directors|officers|executives))\b/i;

function ownershipPrior(text: string): FilingPrior {
  const code = transactionCode(text);
  if (code === "P" && several.test(text)) return entry(0.5, 2, "several insiders bought shares (code P)");
  if (code === "P") return entry(0.4, 2, "insider bought shares (code P)");
  if (code === "S") return entry(0.15, -1, "insider sold shares (code S)");
  return entry(
    0.02,
    0,
    code === null ? "insider holdings, no trade stated" : `insider transaction (code ${code})`,
  );
}

/** "From 7.9% to 3.1%", "to 6.9% from 9.2%": what a holder had, and what it has. */
const fallOrRise =
  /\bfrom (?:about |approximately )?(\d{1,2}(?:\.\d{1,3})?) ?(?:%|percent) to (?:about |approximately )?(\d{1,2}(?:\.\d{1,3})?) ?(?:%|percent)/i;
const riseOrFall =
  /\bto (?:about |approximately )?(\d{1,2}(?:\.\d{1,3})?) ?(?:%|percent),? from (?:about |approximately )?(\d{1,2}(?:\.\d{1,3})?) ?(?:%|percent)/i;
/** Points of the shares from which a change is a step and not a rounding. */
const clearStep = 1;
const belowFive =
  /\bceased to (?:be the beneficial owners? of|(?:beneficially )?own) more than (?:5|five) ?(?:%|percent)/i;
const pressing =
  /\b(?:(?:sent|delivered|issued|wrote) (?:a|an open|its) (?:\w+ )?(?:letter|proposal|notice)|non-binding proposal|nominat(?:e|es|ed|ing)|vot(?:e|ing) against|withhold|proxy (?:contest|fight)|swaps? giving)/i;

/** What the amendment of an activist's report says of its stake and its campaign. */
function amendedStake(text: string): FilingPrior {
  const down = fallOrRise.exec(text);
  const [, after, before] = riseOrFall.exec(text) ?? [null, down?.[2], down?.[1]];
  const step = Number(after ?? 0) - Number(before ?? 0);
  if (step <= -clearStep || belowFive.test(text)) return entry(0.5, -1, "holder above 5% cut its stake");
  if (step >= clearStep) return entry(0.5, 1, "holder above 5% raised its stake");
  if (pressing.test(text)) return entry(0.5, 0, "holder above 5% presses the company");
  return entry(0.4, 0, "change in a stake above 5%");
}

const routineOfDeal =
  /\b(?:FAQs?|frequently asked|Q&A|questions and answers|(?:letter|e-?mail|message|memo|note|update) to (?:\w+ )?(?:employees?|staff|team|associates|colleagues|customers|suppliers)|talking points|town hall|transcript|social media|linkedin)\b|\bemployee (?:faq|letter|communication|q&a)/i;

/** Papers of a deal that everybody knows: what employees and customers are told of it. */
const dealPaper = entry(0.1, 0, "papers of a deal that is known");

const newTerms =
  /\b(?:increas(?:e|es|ed|ing) the (?:offer|purchase) price|rais(?:e|es|ed|ing) (?:its|the) (?:offer|bid)|higher (?:offer|price)|terminat(?:e|es|ed|ing)|withdr[ae]wn?|reject(?:s|ed)|waiv(?:e|es|ed)|unsolicited)\b/i;

/** An amended offer mostly extends a date or adds an exhibit. */
const amendedOffer = (text: string): FilingPrior =>
  newTerms.test(text)
    ? entry(0.6, 0, "tender offer on new terms")
    : entry(0.25, 0, "amendment of a tender offer");

const troubled =
  /\b(?:impairment|material weakness|restate|investigat|going concern|net loss|significant (?:change|decline|decrease)|non-cash charge|irregularit|cannot file within|auditor (?:resigned|dismissed))/i;
const unchanged = /\bdoes not anticipate any significant change\b/i;

/** Why a report is late: an estimate to be finished, or something found. */
const lateReport = (text: string): FilingPrior =>
  troubled.test(text) && !unchanged.test(text)
    ? entry(0.5, -2, "periodic report will be late for a reason of weight")
    : entry(0.4, -2, "periodic report will be late");

const byText: readonly (readonly [RegExp, (text: string) => FilingPrior | null])[] = [
  [/^(?:SC|SCHEDULE) 13D\/A$/, amendedStake],
  [/^SC (?:TO-[TCI]|14D9)\/A$/, amendedOffer],
  [/^NT (?:10-K|10-Q|20-F)/, lateReport],
  [/^(?:425|DEFA14A)$/, (text) => (routineOfDeal.test(text) ? dealPaper : null)],
];

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
  const read = byText.find(([name]) => name.test(form))?.[1](text) ?? null;
  if (read !== null) return { prior: read, item: null };
  const known = forms.get(form) ?? forms.get(form.replace(/\/A$/, ""));
  if (known !== undefined) return { prior: known, item: null };
  return {
    prior: entry(form.startsWith("N-") ? 0.02 : 0.1, 0, "form without a prior of its own"),
    item: null,
  };
}
