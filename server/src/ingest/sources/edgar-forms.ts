import { foldSpace } from "../text.ts";

/** Someone named by a filing, with the role the live list gives: Issuer, Subject, Filer, Filed by, Reporting ... */
export interface Party {
  readonly name: string;
  readonly cik: string;
  readonly role: string;
}

/**
 * Items of Form 8-K since August 2004: our label, and how the SEC's own headings of it begin (compared in lower case).
 * A heading's beginning is enough: the SEC has reworded the ends over the years. Source: Form 8-K, general instructions.
 */
const eventItems: Readonly<Record<string, readonly [label: string, ...headings: string[]]>> = {
  "1.01": ["Entry into a material agreement", "entry into"],
  "1.02": ["Termination of a material agreement", "termination of a material"],
  "1.03": ["Bankruptcy or receivership", "bankruptcy"],
  "1.04": ["Mine safety", "mine safety"],
  "1.05": ["Material cybersecurity incident", "material cybersecurity"],
  "2.01": ["Completion of acquisition or disposition of assets", "completion of acq"],
  "2.02": ["Results of operations and financial condition", "results of operation"],
  "2.03": ["New direct financial obligation", "creation of a direct"],
  "2.04": ["Acceleration of a financial obligation", "triggering events"],
  "2.05": ["Exit or disposal costs", "costs associated", "cost associated"],
  "2.06": ["Material impairments", "material impairment"],
  "3.01": ["Notice of delisting or listing transfer", "notice of delisting"],
  "3.02": ["Unregistered sales of equity securities", "unregistered sale"],
  "3.03": ["Change to rights of security holders", "material modification"],
  "4.01": ["Change of auditor", "changes in registrant", "change in registrant"],
  "4.02": ["Non-reliance on previous financial statements", "non-reliance", "nonreliance"],
  "5.01": ["Change in control", "changes in control", "change in control"],
  "5.02": [
    "Departure, election or pay of directors or officers",
    "departure of",
    "election of director",
    "appointment of",
    "compensatory arrangement",
  ],
  "5.03": ["Amended articles, bylaws or fiscal year", "amendments to articles", "amendment to articles"],
  "5.04": ["Trading suspended under employee benefit plans", "temporary suspension"],
  "5.05": [
    "Change or waiver of the code of ethics",
    "amendments to the registrant",
    "amendment to the registrant",
  ],
  "5.06": ["Change in shell company status", "change in shell", "changes in shell"],
  "5.07": ["Votes of security holders", "submission of matters"],
  "5.08": ["Shareholder director nominations", "shareholder"],
  "6.01": ["ABS informational material", "abs informational"],
  "6.02": ["Change of servicer or trustee", "change of servicer", "change in servicer"],
  "6.03": ["Change in credit enhancement", "change in credit"],
  "6.04": ["Failure to make a required distribution", "failure to make"],
  "6.05": ["Securities Act updating disclosure", "securities act updating"],
  "6.06": ["Static pool", "static pool"],
  "7.01": ["Regulation FD disclosure", "regulation fd", "reg fd"],
  "8.01": ["Other events", "other event"],
  "9.01": ["Financial statements and exhibits", "financial statement", "exhibits"],
};

/** What a form is, where its name does not say so to everybody. */
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

/** Whose filing it is before who sent it: the issuer counts, not the person who reports about it. */
const subjectRoles = new Set(["Issuer", "Subject"]);
const senderRoles = new Set(["Filed by", "Reporting"]);

/** Number of an 8-K item for the SEC's heading of it; null for a heading that is not known (as all before 2004). */
export function itemNumber(heading: string): string | null {
  const wanted = heading.trim().toLowerCase();
  for (const [number, [, ...beginnings]] of Object.entries(eventItems))
    if (beginnings.some((beginning) => wanted.startsWith(beginning))) return number;
  return null;
}

/** Whether this is the number of an 8-K item, for example 2.02. */
export function isItemNumber(number: string): boolean {
  return Object.hasOwn(eventItems, number);
}

/** "Results of operations and financial condition (2.02)" for each item. */
export function itemLabels(items: readonly string[]): string[] {
  return items.map((item) => {
    const label = eventItems[item]?.[0];
    return label === undefined ? `Item ${item}` : `${label} (${item})`;
  });
}

/** The form without the /A of an amendment. */
export function baseForm(form: string): string {
  return form.replace(/\/A$/, "");
}

export function isEventReport(form: string): boolean {
  return /^8-K(12B|12G3|15D5)?(\/A)?$/.test(form);
}

/** Forms 3, 4 and 5: what insiders hold and trade. */
export function isOwnership(form: string): boolean {
  return /^[345](\/A)?$/.test(form);
}

/** "Form 4" where the bare number would not read as a form. */
export function formName(form: string): string {
  return /^\d{1,3}(\/A)?$/.test(form) && baseForm(form) !== "425" ? `Form ${form}` : form;
}

/** The parties the filing is about: issuer and subject, else the filers, else whoever sent it. */
export function aboutParties(parties: readonly Party[]): Party[] {
  const subjects = parties.filter(({ role }) => subjectRoles.has(role));
  // Issuer before Subject before Filer: the first becomes the CIK of the filing.
  subjects.sort((a, b) => Number(b.role === "Issuer") - Number(a.role === "Issuer"));
  const filers = parties.filter(({ role }) => !subjectRoles.has(role) && !senderRoles.has(role));
  const about = [...subjects, ...filers];
  return about.length > 0 ? about : [...parties];
}

/** A headline made of the facts of a filing: one line, no more than three names a side. */
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
