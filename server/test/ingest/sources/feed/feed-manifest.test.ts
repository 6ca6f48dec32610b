import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { ParseError } from "../../../../src/ingest/adapter.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";
import { cleanTitle } from "../../../../src/ingest/text/text.ts";
import { recordedFile, recordedLines, withRecorded } from "../../../support/recorded.ts";

const source = sourceConfig.parse({
  name: "recorded",
  id: "recorded",
  provider: "recorded",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

const feedLine = z.object({
  kind: z.literal("feed"),
  file: z.string(),
  bozo: z.boolean().nullish(),
  items: z.array(
    z.object({ title: z.string().nullish(), title_xml: z.string().nullish(), link: z.string().nullish() }),
  ),
});

function read(file: string) {
  const body = recordedFile(file);
  return feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source);
}

/** Where a recording does not say which address it came from, the other parser left its relative links as they are. */
const resolved = (link: string) => (link.startsWith("/") ? new URL(link, source.url).href : link);

/** Two parsers may keep or drop markup, entities and white space of a title; the words must be the same. */
const words = (text: string) => (cleanTitle(text) ?? "").replaceAll(/\s+/g, "");

test(
  "recorded feeds: counts, titles and links as an independent parser reads them",
  withRecorded,
  (context) => {
    const lines = recordedLines("manifest.jsonl").flatMap((line) => feedLine.safeParse(line).data ?? []);
    assert.ok(lines.length >= 60);
    const tally = { items: 0, titles: 0, links: 0, feeds: 0, counts: 0 };
    const misses: string[] = [];
    for (const { file, bozo, items: listed } of lines) {
      // One feed has an empty <item/> within each item, which the other parser lists: it says nothing, so it is no item.
      const items = listed.filter(({ title, link }) => title !== null || link !== null);
      const item_count = items.length;
      if (item_count === 0) {
        assert.throws(() => read(file), ParseError, `${file} is no feed`);
        continue;
      }
      const found = read(file).items;
      tally.feeds += 1;
      if (found.length === item_count) tally.counts += 1;
      else misses.push(`${file}: ${found.length} items, want ${item_count}`);
      if (bozo !== true) assert.equal(found.length, item_count, file);
      for (const [index, want] of items.entries()) {
        const got = found[index];
        tally.items += 1;
        const title = words(got?.title ?? "");
        if ([want.title, want.title_xml].some((wanted) => words(wanted ?? "") === title)) tally.titles += 1;
        else misses.push(`${file}[${index}] title ${got?.title} / ${want.title}`);
        if ((got?.link ?? "") === resolved(want.link ?? "")) tally.links += 1;
        else misses.push(`${file}[${index}] link ${got?.link} / ${want.link}`);
      }
    }
    context.diagnostic(
      `feeds ${tally.counts}/${tally.feeds} counts, titles ${tally.titles}/${tally.items}, links ${tally.links}/${tally.items}`,
    );
    const report = misses.slice(0, 30).join("\n");
    assert.equal(tally.counts, tally.feeds, report);
    assert.ok(tally.titles / tally.items >= 0.995, report);
    assert.ok(tally.links / tally.items >= 0.98, report);
  },
);
