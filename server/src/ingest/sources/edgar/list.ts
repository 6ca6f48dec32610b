import type { FilingDetails, FilingFacts } from "@tapewire/contract/filings.ts";
import type { SourceConfig } from "../../../config/sources.ts";
import type { StoredItem } from "../../adapter.ts";
import type { RawItem } from "../../raw-item.ts";
import { cleanTitle } from "../../text/text.ts";
import type { IndexLine } from "./archive.ts";
import { filingFolder } from "./documents.ts";
import { itemLabels } from "./event-items.ts";
import { aboutParties, filingTitle, originalSought, type Party } from "./forms.ts";
import type { GetcurrentRow } from "./getcurrent.ts";
import { type Day, dayOf } from "./time.ts";

const mostParties = 10;

/** Groups rows or lines by filing, in the order of the first of each; no group is empty. */
export function byAccession<Row extends { readonly accession: string }>(
  rows: readonly Row[],
): (readonly [Row, ...Row[]])[] {
  const filings = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const filing = filings.get(row.accession);
    if (filing === undefined) filings.set(row.accession, [row]);
    else filing.push(row);
  }
  return [...filings.values()];
}

/** The item of a filing in the live list. */
export function listedItem(
  rows: readonly [GetcurrentRow, ...GetcurrentRow[]],
  source: SourceConfig,
  seenAt: Date,
): RawItem {
  const [{ accession, form, updated, filed, link }] = rows;
  const items = [...new Set(rows.flatMap((row) => row.items))];
  const parties = rows.map(({ company, cik, role }) => ({ name: company, cik, role }));
  const accepted = new Date(updated);
  const publishedAt = Number.isNaN(accepted.getTime()) ? null : accepted;
  return {
    ...filingItem({ form, items, accession, parties, filed: dayOf(filed) }, source, seenAt),
    link: httpsLink(link),
    publishedAt,
    precision: publishedAt === null ? "none" : "second",
  };
}

/**
 * A listed filing with all parties known so far, since a page that ends or begins among them shows only some.
 * null: it names nobody new, or the documents of the filing, which name everybody, have been read.
 */
export function withKnownParties(item: RawItem, { item: known, body }: StoredItem): RawItem | null {
  const { filing } = item;
  const before = known.filing;
  if (filing === null || before === null) return null;
  const isRead = before.details !== null || before.period !== null || body !== item.body;
  const isKnown = ({ cik, role }: FilingFacts["parties"][number]) =>
    before.parties.some((party) => party.cik === cik && (party.role === null || party.role === role));
  const more = filing.parties.filter((party) => !isKnown(party));
  if (isRead || more.length === 0 || before.parties.length >= mostParties) return null;
  const parties = [...before.parties, ...more].map(({ name, cik, role }) => ({
    name,
    cik,
    role: role ?? "",
  }));
  return {
    ...item,
    link: known.link,
    title: plainTitle(filingTitle(filing.form, filing.items, parties)),
    ciks: aboutCiks(parties),
    filing: filingFacts({ ...filing, parties }),
    original: originalSought(filing.form, parties),
  };
}

/** The item of a filing in a daily index, which has only the day. */
export function indexedItem(
  lines: readonly [IndexLine, ...IndexLine[]],
  source: SourceConfig,
  seenAt: Date,
): RawItem {
  const [{ accession, form, cik, filed }] = lines;
  const parties = lines.map(({ company, cik }) => ({ name: company, cik, role: "" }));
  return {
    ...filingItem({ form, items: [], accession, parties, filed }, source, seenAt),
    link: `${filingFolder(source, cik, accession)}/${accession}-index.htm`,
    publishedAt: new Date(filed),
    precision: "day",
  };
}

interface Listed {
  readonly form: string;
  readonly items: readonly string[];
  readonly accession: string;
  readonly parties: readonly Party[];
  readonly filed: Day | null;
}

function filingItem(
  { form, items, accession, parties, filed }: Listed,
  source: SourceConfig,
  seenAt: Date,
): RawItem {
  const facts = filingFacts({
    form,
    items,
    accession,
    parties,
    filed,
    period: null,
    amends: null,
    details: null,
  });
  return {
    source: source.name,
    providerId: source.provider,
    type: "filing",
    identity: [`sec:${accession}`],
    claims: [],
    seenAt,
    title: plainTitle(filingTitle(form, items, parties)),
    link: null,
    body: itemLabels(items).join("\n"),
    publishedAt: null,
    precision: "none",
    language: "en",
    symbols: [],
    isins: [],
    ciks: aboutCiks(parties),
    categories: [],
    filing: facts,
    original: originalSought(form, parties),
    retracted: false,
  };
}

interface Stated extends Listed {
  readonly period: Day | null;
  readonly amends: string | null;
  readonly details: FilingDetails | null;
}

/** The facts of an item; of many parties, those it is about come first. */
export function filingFacts({ form, items, accession, parties, ...stated }: Stated): FilingFacts {
  const { filed, period, amends, details } = stated;
  const about = aboutParties(parties);
  const known = new Set<string>();
  const distinct = [...about, ...parties].filter(({ cik, role }) => {
    const isNew = !known.has(`${cik} ${role}`);
    known.add(`${cik} ${role}`);
    return isNew;
  });
  return {
    form,
    items: [...items],
    accession,
    cik: about[0]?.cik ?? null,
    filed,
    period,
    amends,
    parties: distinct.slice(0, mostParties).map(({ name, cik, role }) => ({
      name: name.slice(0, 200).toWellFormed(),
      cik,
      role: role === "" ? null : role,
    })),
    details,
  };
}

/** CIKs of the parties that the filing is about. */
export function aboutCiks(parties: readonly Party[]): string[] {
  return [...new Set(aboutParties(parties).map(({ cik }) => cik))];
}

/** Names are plain text, so cleanTitle, which expects markup, would change them. */
export function plainTitle(text: string): string | null {
  return cleanTitle(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
}

function httpsLink(link: string): string | null {
  const url = URL.canParse(link) ? new URL(link) : null;
  return url?.protocol === "https:" || url?.protocol === "http:" ? link.replace(/^http:/, "https:") : null;
}
