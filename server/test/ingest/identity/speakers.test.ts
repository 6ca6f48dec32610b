import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig, sourcesFile } from "../../../src/config/sources.ts";
import { Speakers, speaksFor } from "../../../src/ingest/identity/speakers.ts";
import { adapters } from "../../../src/ingest/sources/adapters.ts";

const feed = (id: string, url: string) => ({ id, name: id, provider: id, format: "feed" as const, url });

test("a source speaks for its own host, what is declared, and its wire", () => {
  const source = (url: string, more: object = {}) => sourceConfig.parse({ ...feed("x", url), ...more });
  const table: readonly [speaker: ReturnType<typeof source>, host: string, want: boolean][] = [
    [source("https://www.site.example/feed"), "site.example", true],
    [source("https://site.example/feed"), "blog.site.example", false],
    [source("https://site.example:8443/feed"), "site.example", false],
    [source("https://feeds.site.example/feed"), "site.example", false],
    [source("https://feeds.site.example/feed", { hosts: ["site.example"] }), "news.site.example", true],
    [source("https://feeds.site.example/feed", { hosts: ["site.example"] }), "notsite.example", false],
    [source("https://feeds.site.example/feed", { hosts: ["www.site.example"] }), "site.example", true],
    [source("https://blogs.example/a/feed", { shared_host: true }), "blogs.example", false],
    [source("https://feed.businesswire.com/rss"), "businesswire.com", true],
    [source("https://feed.businesswire.com.evil.example/rss"), "businesswire.com", false],
    [source("https://evil.example/feed.businesswire.com"), "businesswire.com", false],
  ];
  for (const [speaker, host, want] of table)
    assert.equal(speaksFor(speaker, host), want, `${speaker.url} for ${host}`);
  for (const host of ["com", "SITE.example", "site.example/x", "user@site.example", ""])
    assert.equal(
      sourceConfig.safeParse({ ...feed("x", "https://a.example/"), hosts: [host] }).success,
      false,
      host,
    );
});

test("a host that feeds of several names are read from is nobody's own", () => {
  const { sources } = sourcesFile.parse({
    sources: [
      feed("a", "https://blogs.example/a"),
      feed("b", "https://blogs.example/b"),
      feed("c", "https://c.example/1"),
      { ...feed("c2", "https://c.example/2"), name: "c" },
    ],
  });
  assert.deepEqual(
    sources.map(({ shared_host }) => shared_host),
    [true, true, false, false],
  );
});

test("the names of a format, a wire, a host and a source are each for who is declared for them", () => {
  const own = "https://site.example/feed";
  const { sources } = sourcesFile.parse({
    sources: [
      feed("site", own),
      feed("wire", "https://www.globenewswire.com/rss"),
      { ...feed("edgar", "https://www.sec.gov/x"), format: "edgar" },
      { ...feed("halts", "https://halts.example/x"), format: "halts" },
    ],
  });
  const rules = new Speakers(sources, adapters);
  const forms = [
    "url:https://site.example/a",
    "guid:site:1",
    "link:site:x",
    "wire:gnw:1",
    "sec:1",
    "halt:1",
    "wire:demo:1",
  ];
  const speakers = forms.map((form) =>
    sources.filter(({ id }) => rules.speaks(id, form)).map(({ id }) => id),
  );
  assert.deepEqual(speakers, [["site"], ["site"], ["site"], ["wire"], ["edgar"], ["halts"], []]);
  for (const form of forms)
    assert.deepEqual([rules.speaks(null, form), rules.speaks("gone", form)], [false, false]);
});
