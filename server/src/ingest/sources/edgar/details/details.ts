import type { FilingDetails } from "@tapewire/contract/filings.ts";
import { ParseError } from "../../../adapter.ts";
import type { FilingDocument } from "../filing.ts";
import {
  baseForm,
  isLateNotice,
  isOffering,
  isOwnership,
  originalForm,
  type Party,
  stakeSchedule,
} from "../forms.ts";
import { type Day, dayOf } from "../time.ts";
import { type FoundDetails, storedDetails } from "./found-details.ts";
import { parseHoldings } from "./holdings.ts";
import { parseLate } from "./late.ts";
import { parseExemptOffering, parseProposedSale } from "./notices.ts";
import { parseOffering } from "./offering.ts";
import { type Ownership, ownershipDetails, parseOwnership, tradingSymbols } from "./ownership.ts";
import { describeOwnership, ownershipTitle } from "./ownership-text.ts";
import { parseStakeText, parseStakeXml } from "./stake.ts";
import { describeDetails, detailsTitle } from "./titles.ts";

/** The material from which details are read. */
export interface Material {
  readonly form: string;
  readonly filed: Day | null;
  readonly documents: readonly FilingDocument[];
  /** The visible text of the primary document. */
  readonly text: string;
}

/** The facts of a filing by its form. */
export interface FormFacts {
  readonly details: FilingDetails | null;
  /** The facts in sentences, to be put before the text of the documents; "" where the text has them as well. */
  readonly sentences: string;
  /** The sentences say everything that the documents say, so their text is not needed. */
  readonly saysAll: boolean;
  /** @returns null for a filing without parties */
  readonly title: (items: readonly string[]) => string | null;
  readonly symbols: readonly string[];
  /** The day that made a schedule due, which the header does not have; null for other forms. */
  readonly period: Day | null;
  /** Accession that an amendment names as its original; null where it names none. */
  readonly amends: string | null;
  /** The day on which, by an amendment of an ownership form, the original was filed; null elsewhere. */
  readonly originalFiled: Day | null;
}

/** @param filing its own accession, and the parties that its header or index page names */
export function readForm(
  material: Material,
  { accession, parties }: { readonly accession: string; readonly parties: readonly Party[] },
): FormFacts {
  const { form, documents } = material;
  const details = findDetails(material);
  const ownership = details?.kind === "ownership" ? findOwnership(documents) : null;
  const common = {
    details: details === null ? null : storedDetails(details),
    period: eventDay(material),
    amends: amendedAccession(material, accession),
    originalFiled: dayOf(ownership?.originalFiled),
  };
  if (ownership !== null)
    return {
      ...common,
      sentences: describeOwnership(ownership),
      saysAll: true,
      title: () => ownershipTitle(ownership),
      symbols: tradingSymbols(ownership.symbol),
    };
  return {
    ...common,
    sentences: describeDetails(details, parties),
    saysAll: details?.kind === "holdings",
    title: (items) => (parties.length === 0 ? null : detailsTitle({ form, items, parties, details })),
    symbols: [],
  };
}

/** The facts that a form has of its own; null for a form without any, and where they cannot be read. */
export function readDetails(material: Material): FilingDetails | null {
  const found = findDetails(material);
  return found === null ? null : storedDetails(found);
}

function findDetails(material: Material): FoundDetails | null {
  try {
    return detailsOf(material);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

function detailsOf({ form, filed, documents, text }: Material): FoundDetails | null {
  if (isOwnership(form)) {
    const xml = xmlWith(documents, "ownershipDocument");
    return xml === "" ? null : ownershipDetails(parseOwnership(xml));
  }
  const xml = xmlWith(documents, "edgarSubmission");
  const schedule = stakeSchedule(form);
  if (schedule !== null) return xml === "" ? parseStakeText(text, schedule) : parseStakeXml(xml);
  if (isLateNotice(form)) return parseLate(form, text);
  if (isOffering(form)) return parseOffering(text);
  const base = baseForm(form);
  if (base === "13F-HR") return parseHoldings(xml, xmlWith(documents, "informationTable"), filed);
  if (base === "144") return xml === "" ? null : parseProposedSale(xml);
  if (base === "D") return xml === "" ? null : parseExemptOffering(xml);
  return null;
}

/** The ownership document of Forms 3, 4 and 5; null before 2003, when they were text, and for one that is cut short. */
function findOwnership(documents: readonly FilingDocument[]): Ownership | null {
  const xml = xmlWith(documents, "ownershipDocument");
  try {
    return xml === "" ? null : parseOwnership(xml);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** The XML whose root has this name, with whatever prefix; "" when there is none. */
function xmlWith(documents: readonly FilingDocument[], root: string): string {
  const opening = new RegExp(`<(?:\\w{1,20}:)?${root}[\\s>]`);
  const found = documents.find(({ text }) => opening.test(text.slice(0, 3_000)))?.text ?? "";
  const start = found.search(opening);
  return start < 0 ? "" : found.slice(start);
}

const eventTag =
  /<(?:\w{1,20}:)?(?:dateOfEvent|eventDateRequiresFilingThisStatement)>\s{0,10}(\d{1,2}\/\d{1,2}\/\d{4})/;

function eventDay({ documents }: Material): Day | null {
  return dayOf(eventTag.exec(documents[0]?.text.slice(0, 20_000) ?? "")?.[1]);
}

const accessionPattern = /accession\s{1,5}(?:no\.?|number|#)[\s:.#]{0,5}(\d{10}-\d{2}-\d{6})\b/i;

function amendedAccession({ form, documents, text }: Material, own: string): string | null {
  if (originalForm(form) === null) return null;
  const tagged = /<(?:\w{1,20}:)?previousAccessionNumber>\s{0,10}(\d{10}-\d{2}-\d{6})\b/;
  const found =
    tagged.exec(documents[0]?.text.slice(0, 20_000) ?? "")?.[1] ??
    accessionPattern.exec(text.slice(0, 20_000))?.[1];
  return found === undefined || found === own ? null : found;
}
