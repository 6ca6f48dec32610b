import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filingFacts } from "@tapewire/contract/filings.ts";
import type { RawItem } from "../../src/ingest/raw-item.ts";
import { withFiling } from "../../src/ingest/sources/edgar/reading.ts";
import { rawItem } from "./raw-items.ts";

export function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, "../fixtures/edgar", name), "utf8");
}

export type Parties = readonly (readonly [section: string, name: string, cik: string])[];

/** A submission of one invented company, or of the parties given. */
export function submission(form: string, texts: readonly string[], parties: Parties = []): string {
  const sections = parties.length > 0 ? parties : [["FILER", "TARNFIELD OPTICS INC", "0009000700"] as const];
  // Reports of a period name it in the header, schedules the day of the event in their XML.
  const period = form.startsWith("SC") ? "" : "CONFORMED PERIOD OF REPORT:\t20251231\n";
  const header = sections.map(
    ([section, name, cik]) =>
      `${section}:\n\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t${name}\n\t\tCENTRAL INDEX KEY:\t${cik}\n`,
  );
  const documents = texts.map(
    (text, n) =>
      `<DOCUMENT>\n<TYPE>${n === 0 ? form : "INFORMATION TABLE"}\n<SEQUENCE>${n + 1}\n<FILENAME>a${n}\n<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>\n`,
  );
  return `<SEC-DOCUMENT>0009000700-26-000001.txt : 20260303
<SEC-HEADER>0009000700-26-000001.hdr.sgml : 20260303
<ACCEPTANCE-DATETIME>20260302163102
ACCESSION NUMBER:\t\t0009000700-26-000001
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t${texts.length}
${period}FILED AS OF DATE:\t\t20260303

${header.join("\n")}</SEC-HEADER>
${documents.join("")}</SEC-DOCUMENT>
`;
}

export const blank = rawItem({
  source: "edgar",
  providerId: "sec",
  type: "filing",
  identity: ["sec:0009000700-26-000001"],
  seenAt: new Date("2026-03-02T21:31:11Z"),
  title: "listed",
});

/** The item that a submission makes, whose facts keep the contract. */
export function itemOf(body: string | Buffer): RawItem & { facts: NonNullable<RawItem["filing"]> } {
  const response = { url: "", headers: {}, body: Buffer.from(body), fetchedAt: blank.seenAt };
  const item = withFiling(blank, [response]);
  const facts = filingFacts.parse(item.filing);
  assert.deepEqual(item.filing, facts, "nothing beyond the contract");
  assert.ok(JSON.stringify(facts).length < 8_000, "an item stays small");
  return { ...item, facts };
}
