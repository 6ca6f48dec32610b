import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { parseOwnership } from "../../../../src/ingest/sources/edgar/details/ownership.ts";
import { documentText, parseSubmission } from "../../../../src/ingest/sources/edgar/filing.ts";
import { parseGetcurrent } from "../../../../src/ingest/sources/edgar/getcurrent.ts";

// Recorded answers of EDGAR, with the facts that each holds; too large for the repository.
const folder = join(import.meta.dirname, "../../../../../../shared/data/ingest");
const manifest = join(folder, "manifest.jsonl");
const skip = existsSync(manifest) ? false : "the recorded EDGAR answers (../shared/data/ingest) are not here";

const getcurrentLine = z.object({
  kind: z.literal("edgar_getcurrent"),
  file: z.string(),
  item_count: z.int(),
  distinct_accessions: z.int(),
  entries: z.array(z.unknown()),
});
const filingLine = z.object({
  kind: z.literal("edgar_filing_sgml"),
  file: z.string(),
  accession: z.string(),
  form: z.string(),
  items: z.array(z.string()),
  item_numbers: z.array(z.string()),
  period: z.string().nullable(),
  filed: z.string().nullable(),
  accepted_et: z.string().nullable(),
  accepted_utc: z.string().nullable(),
  names: z.array(z.string()),
  ciks: z.array(z.string()),
  tickers: z.array(z.string()),
  doc_count: z.int(),
  documents: z.array(z.unknown()),
  primary: z.unknown(),
});
const ownershipLine = z.object({
  kind: z.literal("edgar_ownership_xml"),
  file: z.string(),
  form: z.string(),
  period: z.string(),
  issuer: z.string(),
  cik: z.string(),
  symbol: z.string(),
  owners: z.array(z.string()),
  transactions: z.array(z.unknown()),
});

test("every recorded page of the live list gives its rows", { skip }, (context) => {
  const lines = linesOf(getcurrentLine);
  let rowCount = 0;
  for (const line of lines) {
    const { rows, salvaged } = parseGetcurrent(bytesOf(line.file));
    assert.deepEqual(rows, line.entries, line.file);
    assert.equal(rows.length, line.item_count, line.file);
    assert.equal(new Set(rows.map(({ accession }) => accession)).size, line.distinct_accessions, line.file);
    assert.equal(salvaged, false, line.file);
    rowCount += rows.length;
  }
  assert.ok(rowCount > 0);
  context.diagnostic(`${lines.length} pages, ${rowCount} rows, 9 facts each`);
});

test("every recorded submission gives its header and documents", { skip }, (context) => {
  const lines = linesOf(filingLine);
  const tickers = tickersByCik();
  let documentCount = 0;
  let textless = 0;
  for (const line of lines) {
    const read = parseSubmission(bytesOf(line.file));
    const documents = read.documents.map(({ type, seq, filename, description }) => ({
      type,
      seq,
      filename,
      description,
    }));
    const primary = read.documents[0];
    assert.deepEqual(
      {
        accession: read.accession,
        form: read.form,
        items: read.items,
        item_numbers: read.itemNumbers,
        period: read.period,
        filed: read.filed,
        accepted_et: read.acceptedAt === null ? null : Date.parse(line.accepted_et ?? ""),
        accepted_utc: read.acceptedAt?.toISOString().replace(".000Z", "Z") ?? null,
        names: read.names,
        ciks: read.ciks,
        tickers: [...new Set(read.ciks.flatMap((cik) => tickers.get(Number(cik)) ?? []))].sort(),
        doc_count: read.documentCount,
        documents,
        primary: { type: primary?.type, filename: primary?.filename },
      },
      {
        accession: line.accession,
        form: line.form,
        items: line.items,
        item_numbers: line.item_numbers,
        period: line.period,
        filed: line.filed,
        accepted_et: read.acceptedAt?.getTime() ?? null,
        accepted_utc: line.accepted_utc,
        names: line.names,
        ciks: line.ciks,
        tickers: line.tickers,
        doc_count: line.doc_count,
        documents: line.documents,
        primary: line.primary,
      },
      line.file,
    );
    if (primary !== undefined && documentText(primary, 200_000) === "") textless += 1;
    documentCount += documents.length;
  }
  assert.ok(documentCount > 0);
  context.diagnostic(
    `${lines.length} submissions, ${documentCount} documents; ${textless} primary without text`,
  );
});

test("every recorded ownership document gives its facts", { skip }, (context) => {
  const lines = linesOf(ownershipLine);
  for (const { kind: _, file, ...wanted } of lines) {
    const { form, period, issuer, cik, symbol, owners, transactions } = parseOwnership(
      new TextDecoder().decode(bytesOf(file)),
    );
    const traded = transactions.map(({ code, date, shares, price, ad }) => ({
      code,
      date,
      shares,
      price,
      ad,
    }));
    assert.deepEqual({ form, period, issuer, cik, symbol, owners, transactions: traded }, wanted, file);
  }
  assert.ok(lines.length > 0);
  context.diagnostic(`${lines.length} ownership documents`);
});

function bytesOf(file: string): Uint8Array {
  return readFileSync(join(folder, file));
}

/** The lines of the manifest that are of this kind. */
function linesOf<Line>(line: z.ZodType<Line>): Line[] {
  return readFileSync(manifest, "utf8")
    .split("\n")
    .flatMap((json) => (json === "" ? [] : [line.safeParse(JSON.parse(json))]))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

/** Submissions name no tickers: the SEC's list of companies does. */
function tickersByCik(): Map<number, string[]> {
  const listed = z.record(z.string(), z.object({ cik_str: z.int(), ticker: z.string() }));
  const json: unknown = JSON.parse(readFileSync(join(folder, "edgar/misc/company_tickers.json"), "utf8"));
  const tickers = new Map<number, string[]>();
  for (const { cik_str, ticker } of Object.values(listed.parse(json)))
    tickers.set(cik_str, [...(tickers.get(cik_str) ?? []), ticker]);
  return tickers;
}
