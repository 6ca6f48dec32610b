import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { sourceConfig } from "../../../src/config/sources.ts";
import { articleOf } from "../../../src/ingest/articles/article-text.ts";
import { withArticle } from "../../../src/ingest/documents/documents.ts";
import { feedAdapter } from "../../../src/ingest/sources/feed/feed.ts";
import { textLimits } from "../../../src/ingest/text/text.ts";
import { fixture, page, paragraph } from "../../support/article-pages.ts";
import { recordedFile, recordedLines, withRecorded } from "../../support/recorded.ts";

const read = (html: Uint8Array | string, contentType = "text/html") => articleOf({ html, contentType });

test("the article of a page, without what stands around it", () => {
  const article = read(fixture("halvorn-results.html"));
  assert.ok(article !== null);
  const { text, ...rest } = article;
  assert.deepEqual(rest, {
    title: "Halvorn Biotech lifts full-year guidance after record quarter",
    byline: "Mara Ellison",
    publishedAt: "2026-03-02T19:30:00.000Z",
  });
  assert.match(text, /^Halvorn Biotech said on Monday that revenue rose 18% to \$412\.6 million/);
  assert.match(text, /Europe & Japan\. The company now expects/);
  assert.match(text, /Second plant Chief executive Ingrid Falk told the Ledger that/);
  assert.match(text, /ends in 2037, the company said\.$/);
  assert.doesNotMatch(text, /cookies|Subscribe|Photo|Tarn|rights reserved|script|<|\n/);
});

test("a pay wall, a list of links, a teaser and a login page hold no article", () => {
  assert.equal(read(fixture("paywall.html")), null);
  assert.equal(read(fixture("links.html")), null);
  assert.equal(read(page(`<p>${paragraph}</p>`)), null);
  const long = `<p>${paragraph.repeat(4)}</p>`;
  assert.notEqual(read(page(long)), null);
  for (const title of ["Sign in", "Just a moment...", "Access Denied", "404 Not Found"])
    assert.equal(read(page(long, title)), null, title);
  for (const nothing of ["", " ", "plain words", "<html>", "{}", "%PDF-1.7"])
    assert.equal(read(nothing), null);
});

test("a page's charset is that of HTTP, else that of its meta element, else what the bytes show", () => {
  const text = "Die Börse schloss fester, sagte Jürgen Großmann von der Ålborg Bank. ".repeat(6);
  const html = (charset: string) =>
    `<html><head>${charset}<title>Börse</title></head><body><p>${text}</p></body></html>`;
  const latin = (charset: string) => Buffer.from(html(charset), "latin1");
  const want = text.trim();
  assert.equal(read(latin(""), "text/html; charset=iso-8859-1")?.text, want);
  assert.equal(read(latin('<meta charset="windows-1252">'))?.text, want);
  assert.equal(read(Buffer.from(html(""), "utf8"))?.text, want);
  const cyrillic = Buffer.from([0xc1, 0xe8, 0xf0, 0xe6, 0xe0, 0x20]);
  const head = Buffer.from(
    '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><body><p>',
  );
  const pages = Buffer.concat([
    head,
    ...Array.from({ length: 60 }, () => cyrillic),
    Buffer.from("</p></body></html>"),
  ]);
  assert.match(read(pages)?.text ?? "", /^Биржа Биржа/);
});

test("a page without html, head or body elements is read like any other", () => {
  const text = `<p>${paragraph.repeat(4)}</p>`;
  const title = "<title>Halvorn expects more</title>";
  for (const html of [
    `${title}${text}`,
    `<!doctype html>${title}${text}`,
    `<!doctype html><head>${title}</head>${text}`,
    `<html>${title}<body class=x>${text}`,
    `\ufeff<?xml version="1.0"?><!-- x --><HTML><HEAD>${title}</HEAD><BODY>${text}</BODY></HTML>`,
  ]) {
    const article = read(html);
    assert.equal(article?.text, paragraph.repeat(4).trim(), html);
    assert.equal(article.title, "Halvorn expects more", html);
  }
});

test("names and times are kept only where they are plain", () => {
  const meta = (name: string, content: string) =>
    `<meta name="${name}" property="${name}" content="${content}">`;
  const of = (head: string) =>
    read(`<html><head><title>x</title>${head}</head><body><p>${paragraph.repeat(4)}</p></body></html>`);
  const time = (content: string) => of(meta("article:published_time", content))?.publishedAt;
  assert.equal(time("2026-03-02T14:30:00Z"), "2026-03-02T14:30:00.000Z");
  assert.equal(time("2026-03-02T14:30:00"), null);
  assert.equal(time("2026-03-02"), null);
  assert.equal(time("soon"), null);
  const by = (content: string) => of(meta("author", content))?.byline;
  assert.equal(by("by Mara Ellison   @ellison  March 2, 2026"), "Mara Ellison");
  assert.equal(by("x".repeat(300)), null);
});

test("text is within the limits of an item and safe to store", () => {
  const long = read(
    page(`<h1>${"w ".repeat(2_000)}</h1>${`<p>${paragraph}&#0;\u0007\ud800</p>`.repeat(3_000)}`),
  );
  assert.ok(long !== null);
  assert.equal(long.text.length, textLimits.body);
  assert.ok((long.title ?? "").length <= textLimits.title);
  assert.ok(long.text.isWellFormed());
  assert.doesNotMatch(long.text, /\p{Cc}/u);
});

const expected = z.object({
  kind: z.literal("article_html"),
  file: z.string(),
  url: z.string(),
  title: z.string(),
  first13words: z.string(),
});

test(
  "of the recorded pages all titles are found, and the first words of all whose page holds them",
  withRecorded,
  (context) => {
    const pages = recordedLines("manifest.jsonl").flatMap((line) => expected.safeParse(line).data ?? []);
    assert.equal(pages.length, 9);
    const found = pages.map(({ file, title, first13words }) => {
      const article = read(recordedFile(file));
      const at = article?.text.indexOf(first13words) ?? -1;
      return { file, title: article?.title === title, at };
    });
    context.diagnostic(found.map(({ at }) => at).join(" "));
    assert.deepEqual(
      found.filter(({ title }) => !title),
      [],
    );
    // One line of the manifest gives the words of another page.
    const missed = found.filter(({ at }) => at === -1).map(({ file }) => file);
    assert.deepEqual(missed, ["articles/www.bloomberg.com--graphics.html"]);
    assert.ok(found.every(({ at }) => at < 120));
  },
);

test("a page says when it was published in its data, its meta elements or the one time that it shows", () => {
  const of = (head: string, before = "") =>
    read(
      `<html><head><title>Halvorn expects more</title>${head}</head><body>${before}<p>${paragraph.repeat(4)}</p></body></html>`,
    )?.publishedAt;
  const at = "2026-03-02T14:30:00.000Z";
  const json = '{"@type":"NewsArticle","datePublished" : "2026-03-02T15:30:00+01:00"}';
  assert.equal(of(`<script type="application/ld+json">${json}</script>`), at);
  const names = ["datePublished", "parsely-pub-date", "DC.date.issued", "sailthru.date", "date"];
  for (const name of names)
    assert.equal(of(`<meta itemprop="${name}" content="2026-03-02T14:30:00Z">`), at, name);
  assert.equal(of('<meta name="article:published_time" value="2026-03-02T14:30:00Z">'), at);
  const time = (more: string, hour = 14) => `<time ${more} datetime="2026-03-02T${hour}:30:00Z">today</time>`;
  assert.equal(of("", time("")), at);
  assert.equal(of("", time("") + time("")), at);
  assert.equal(of("", time("", 11) + time("", 12)), null, "two times of other articles, perhaps");
  assert.equal(of("", time("", 11) + time('itemprop="datePublished"')), at);
  assert.equal(of('<meta name="date" content="2026-03-02 14:30">'), null);
});

test("an item without a date takes that of its page; one with a date keeps it", () => {
  const source = sourceConfig.parse({
    name: "a",
    id: "a",
    provider: "a",
    format: "feed",
    url: "https://a.example/",
  });
  const itemOf = (date: string) => {
    const body = Buffer.from(
      `<rss version="2.0"><channel><item><title>Halvorn expects more</title><description>${paragraph}</description>${date}</item></channel></rss>`,
    );
    const [item] = feedAdapter.parse(
      { url: source.url, headers: {}, body, fetchedAt: new Date(0) },
      source,
    ).items;
    assert.ok(item !== undefined);
    return item;
  };
  const dated = itemOf("<pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>");
  const article = { title: null, text: "Short.", byline: null, publishedAt: "2026-03-02T14:30:00.000Z" };
  const completed = withArticle(itemOf(""), article);
  assert.deepEqual(
    [completed?.publishedAt?.toISOString(), completed?.precision, completed?.body],
    [article.publishedAt, "second", paragraph.trim()],
  );
  assert.equal(withArticle(dated, article), null);
  const longer = withArticle(dated, { ...article, text: paragraph.repeat(3) });
  assert.deepEqual([longer?.publishedAt, longer?.body.length], [dated.publishedAt, 3 * paragraph.length]);
});
