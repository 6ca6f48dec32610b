import { type OriginalSought, senderRoles, sendersOf } from "../../../feed/item.ts";
import { foldSpace } from "../../text/text.ts";
import { itemLabels } from "./event-items.ts";
import type { Day } from "./time.ts";

/** Someone named by a filing, with the role the live list gives: Issuer, Subject, Filer, Filed by, Reporting ... */
export interface Party {
  readonly name: string;
  readonly cik: string;
  readonly role: string;
}

/** Labels of forms whose names are not widely understood. */
const formLabels: Readonly<Record<string, string>> = {
  "10-K": "Annual report",
  "10-Q": "Quarterly report",
  "20-F": "Annual report of a foreign issuer",
  "40-F": "Annual report of a Canadian issuer",
  "6-K": "Report of a foreign issuer",
  "8-K": "Current report",
  "NT 10-K": "Late annual report",
  "NT 10-Q": "Late quarterly report",
  "S-1": "Registration of securities",
  "S-3": "Shelf registration",
  "S-4": "Registration of securities for a merger",
  "S-8": "Securities for employees",
  "F-1": "Registration of securities of a foreign issuer",
  "424B2": "Prospectus",
  "424B3": "Prospectus",
  "424B4": "Prospectus with price",
  "424B5": "Prospectus supplement",
  "425": "Communication about a merger",
  "25": "Removal from listing",
  "25-NSE": "Removal from listing by the exchange",
  "15-12G": "End of registration",
  "DEF 14A": "Proxy statement",
  DEFM14A: "Proxy statement about a merger",
  PREM14A: "Preliminary proxy statement about a merger",
  DEFA14A: "Additional proxy material",
  "SC 14D9": "Target's answer to a tender offer",
  "SC TO-I": "Tender offer by the issuer",
  "SC TO-T": "Tender offer",
  "SC 13E3": "Going-private transaction",
  D: "Exempt offering",
  FWP: "Free writing prospectus",
  EFFECT: "Registration in effect",
};

/** Roles of those the filing is about: the issuer counts, not the person who reports on it. */
const subjectRoles = new Set(["Issuer", "Subject"]);

/** The form without the /A of an amendment. */
export function baseForm(form: string): string {
  return form.replace(/\/A$/, "");
}

/** The form that this one amends; null when it is no amendment (Form 1-A is none). */
export function originalForm(form: string): string | null {
  const original = form.replace(/\/(A|MA|UA|CA)$/, "");
  return original === form ? null : original;
}

/** Reports that state their period in the header, and whose documents are read, so that it becomes known. */
const ofPeriods = /^(6-K|10-[KQ]T?|20-F|40-F|13F-HR)$/;

/**
 * What tells the original of an amendment: the newest such filing about the same issuer. Insiders and holders amend their
 * own filings only; the period of a schedule is the day of an event, another one in the amendment.
 * @param filed the day on which the amendment says that the original was filed; null where it does not
 * @returns null when the form is no amendment, and while those who filed it are not known
 */
export function originalSought(
  form: string,
  parties: readonly { readonly cik: string; readonly role: string | null }[],
  filed: Day | null = null,
): OriginalSought | null {
  const original = originalForm(form);
  if (original === null) return null;
  const senders = sendersOf(parties);
  const isOfSenders = isOwnership(form) || stakeSchedule(form) !== null;
  if (isOfSenders && senders.length === 0) return null;
  const isReport = isOwnership(form) || isEventReport(form) || isLateNotice(form) || ofPeriods.test(original);
  // Schedules 13D and 13G were filed as SC 13D and SC 13G until December 2024.
  const forms = original.startsWith("SCHEDULE ")
    ? [original, original.replace("SCHEDULE", "SC")]
    : [original];
  return { forms, senders, filed, ofPeriod: filed === null && isReport };
}

export function isEventReport(form: string): boolean {
  return /^8-K(12B|12G3|15D5)?(\/A)?$/.test(form);
}

/** Forms 3, 4 and 5: what insiders hold and trade. */
export function isOwnership(form: string): boolean {
  return /^[345](\/A)?$/.test(form);
}

/** Stakes above 5 %: Schedules 13D and 13G, under their names before and since December 2024. */
export function stakeSchedule(form: string): "13D" | "13G" | null {
  const found = /^(?:SC|SCHEDULE) 13([DG])(?:\/A)?$/.exec(form)?.[1];
  return found === "D" ? "13D" : found === "G" ? "13G" : null;
}

/** Notices that a company's report will be late: NT 10-K, NT 10-Q, NT 20-F ..., NTN 10-K. */
export function isLateNotice(form: string): boolean {
  return /^NTN? (10-|11-K|20-F)/.test(form);
}

/**
 * Prospectuses that state price and size, and the registrations that precede them. 424B2 are structured notes; 424B3
 * repeat a prospectus, or update it with the content of an 8-K.
 */
export function isOffering(form: string): boolean {
  return /^(424B[1457]|[SF]-1(\/A)?)$/.test(form);
}

/** Whether the roles show whom the filing is about. With senders alone, its other rows are missing. */
export function namesSubject(roles: readonly (string | null)[]): boolean {
  return roles.length === 0 || roles.some((role) => role === null || !senderRoles.has(role));
}

/** "Form 4", because the bare number would not be recognised as a form. */
export function formName(form: string): string {
  return /^\d{1,3}(\/A)?$/.test(form) && baseForm(form) !== "425" ? `Form ${form}` : form;
}

/** The parties the filing is about: issuer and subject, else the filers, else the senders. */
export function aboutParties(parties: readonly Party[]): Party[] {
  const subjects = parties.filter(({ role }) => subjectRoles.has(role));
  // Issuer before Subject before Filer: the first becomes the CIK of the filing.
  subjects.sort((a, b) => Number(b.role === "Issuer") - Number(a.role === "Issuer"));
  const filers = parties.filter(({ role }) => !subjectRoles.has(role) && !senderRoles.has(role));
  const about = [...subjects, ...filers];
  return about.length > 0 ? about : [...parties];
}

/** A headline made of the facts of a filing: one line, at most three names per side. */
export function filingTitle(form: string, items: readonly string[], parties: readonly Party[]): string {
  const subjects = parties.filter(({ role }) => subjectRoles.has(role));
  const reporting = parties.filter(({ role }) => role === "Reporting");
  const filedBy = parties.filter(({ role }) => role === "Filed by");
  const name = formName(form);
  if (subjects.length > 0 && reporting.length > 0) return `${name}: ${names(subjects)} — ${names(reporting)}`;
  if (subjects.length > 0 && filedBy.length > 0) return `${name}: ${names(filedBy)} on ${names(subjects)}`;
  const what = items.length > 0 ? itemLabels(items).join(", ") : formLabels[baseForm(form)];
  const who = names(aboutParties(parties));
  const head = who === "" ? name : `${name}: ${who}`;
  return what === undefined ? head : `${head} — ${what}`;
}

function names(parties: readonly Party[]): string {
  const distinct = [...new Set(parties.map(({ name }) => foldSpace(name)).filter((name) => name !== ""))];
  const shown = distinct.slice(0, 3).join(", ");
  return distinct.length > 3 ? `${shown} and ${distinct.length - 3} more` : shown;
}

/** Priority of reading: 2 at once, 1 in turn, 0 last. */
export type FilingClass = 0 | 1 | 2;

/** Forms that change who owns, pays or trusts a company, and news that appears only in the filing. */
const urgent =
  /^(6-K|SC(HEDULE)? 13D|SC TO(-[TIC])?|SC ?14D9(-?C)?|SC 13E3|425|424B[145]|NTN? (10-K|10-Q|20-F|11-K|10-KT|10-QT))$/;

/**
 * Serial and routine forms, more than half of all filings, which hardly ever move a price: prospectuses of structured
 * notes and of funds, reports of funds and of asset-backed issuers, exempt offerings, letters, certificates.
 */
const routine = new RegExp(
  `^(${[
    "424B[238]",
    "424H",
    "FWP",
    "497.*",
    "48[5-7].*",
    "24F-2NT",
    "N-.*",
    "N(PORT|SAR|T-N).*",
    "NT (N-|NPORT|NCEN).*",
    "40-(17|24|33|OIP|APP|6).*",
    "13F-.*",
    "D|C|C-U|C-AR|C-TR|1-(Z|U|K|SA).*",
    "EFFECT",
    "CERT.*",
    "CORRESP|UPLOAD|LETTER|DOS.*",
    "ABS-.*|10-D|SF-[13]",
    "S-6|S-8( POS)?|11-K|ARS|POS(ASR| EX| AM| 8C)?",
    "X-17A-5.*|MA.*|TA-.*|ATS-N.*|SBSE.*|CFPORTAL.*|NRSRO.*",
    "SUPPL|REVOKED|QUALIF|SEC STAFF.*|APP .*|TTW|NO ACT.*",
  ].join("|")})$`,
);

/** Items of an 8-K that are seldom news: charter, code of ethics, votes, exhibits. */
const routineItems = new Set(["5.03", "5.05", "5.07", "9.01"]);

/**
 * The priority of a filing's documents when there are more than can be read at once.
 * @param form as filed
 * @param items 8-K item numbers; empty: unknown
 * Source: the priors of the forms, by judgement (scoring/src/flash/filing-priors.ts).
 */
export function filingClass(form: string, items: readonly string[]): FilingClass {
  if (isEventReport(form)) return items.length > 0 && items.every((item) => routineItems.has(item)) ? 1 : 2;
  const base = baseForm(form);
  if (urgent.test(base)) return 2;
  return !isOwnership(form) && routine.test(base) ? 0 : 1;
}
