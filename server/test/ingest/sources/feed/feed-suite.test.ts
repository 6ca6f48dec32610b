import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { ParseError } from "../../../../src/ingest/adapter.ts";
import type { RawItem } from "../../../../src/ingest/raw-item.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";
import { cleanTitle } from "../../../../src/ingest/text/text.ts";
import { recordedFile, recordedLines, withRecorded } from "../../../support/recorded.ts";

const source = sourceConfig.parse({
  name: "suite",
  id: "suite",
  provider: "suite",
  format: "feed",
  url: "http://127.0.0.1:8097/feed.xml",
});

const assertion = z.object({
  file: z.string(),
  headers: z.record(z.string(), z.string()),
  field: z.enum(["entries[0].title", "entries[0].link"]),
  op: z.literal("eq"),
  expected: z.string(),
});

function firstItem(file: string, headers: Record<string, string>): RawItem | null {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const body = recordedFile(`feedparser_suite/${file}`);
  try {
    return (
      feedAdapter.parse({ url: source.url, headers: lower, body, fetchedAt: new Date(0) }, source).items[0] ??
      null
    );
  } catch (error) {
    assert.ok(error instanceof ParseError);
    return null;
  }
}

const words = (text: string | null | undefined) => (cleanTitle(text ?? "") ?? "").replaceAll(/\s+/g, "");

function holds(item: RawItem | null, { field, expected }: z.infer<typeof assertion>): boolean {
  if (field === "entries[0].title") return words(item?.title) === words(expected);
  return (item?.link ?? "") === expected;
}

test("another parser's test files: titles and links of first entries", withRecorded, (context) => {
  const wanted = recordedLines("feedparser_suite/assertions.jsonl").flatMap(
    (line) => assertion.safeParse(line).data ?? [],
  );
  assert.ok(wanted.length >= 36);
  const misses = wanted
    .filter((each) => !holds(firstItem(each.file, each.headers), each))
    .map(({ file, field }) => `${file} ${field}`);
  context.diagnostic(`${wanted.length - misses.length}/${wanted.length}`);
  // base64 titles of Atom 0.3, and RSS elements under a prefix of their own, are read by nobody else either.
  const known = /entry_title_base64|rss2\.0NSwithModulesNoDefNS/;
  assert.deepEqual(
    misses.filter((miss) => !known.test(miss)),
    [],
  );
});
