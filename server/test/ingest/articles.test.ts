import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { sourceConfig } from "../../src/config/sources.ts";
import { essentialPage } from "../../src/ingest/articles/article-page.ts";
import { articleOf } from "../../src/ingest/articles/article-text.ts";
import { type Article, ArticleReader } from "../../src/ingest/articles/articles.ts";
import { withArticle } from "../../src/ingest/documents/documents.ts";
import { feedAdapter } from "../../src/ingest/sources/feed/feed.ts";
import { textLimits } from "../../src/ingest/text/text.ts";
import { listenLocally } from "../support/http.ts";
import { recordedFile, recordedLines, withRecorded } from "../support/recorded.ts";

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "../fixtures/articles", name));
const read = (html: Uint8Array | string, contentType = "text/html") => articleOf({ html, contentType });
const link = "https://ledger.example/2026/03/02/halvorn";
const { signal } = new AbortController();

const paragraph =
  "Halvorn Biotech said that it expects revenue of $1.7 billion this year, and that its plant in Osterby opens in June. ";
const page = (inside: string, title = "Halvorn expects more") =>
  `<!doctype html><html><head><title>${title}</title></head><body><article>${inside}</article></body></html>`;

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

test("pages are read in a thread, one after another, and nothing that they name is loaded", async () => {
  const asked: (string | undefined)[] = [];
  await using server = await listenLocally((request, response) => {
    asked.push(request.url);
    response.end();
  });
  const at = (path: string) => `${server.origin}/${path}`;
  const greedy = `<!doctype html><?xml-stylesheet href="${at("xml")}"?><html><head><title>Halvorn expects more</title>
    <base href="${server.origin}/"><link rel="stylesheet" href="a.css"><link rel="preload" as="script" href="b.js">
    <meta http-equiv="refresh" content="0;url=${at("refresh")}"><style>@import url(${at("import")})</style>
    <script src="c.js"></script><script>fetch("${at("fetch")}")</script><script type="module">import "${at("module")}"</script>
    </head><body onload="fetch('${at("onload")}')"><article><p>${paragraph.repeat(4)}</p><img src="d.png" onerror="fetch('/e')">
    <iframe src="f.html"></iframe><object data="g.swf"></object><video src="h.mp4"></video></article></body></html>`;
  await using reader = new ArticleReader();
  const articles = await Promise.all([
    reader.read(greedy, link, "text/html", signal),
    reader.read(fixture("halvorn-results.html"), link, "text/html; charset=utf-8", signal),
    reader.read(fixture("paywall.html"), link, "", signal),
    reader.read("%PDF-1.7", link, "application/pdf", signal),
    reader.read(fixture("halvorn-results.html"), "https://ledger.example/", "text/html", signal),
  ]);
  const starts = articles.map((article) => article?.text.slice(0, 20) ?? null);
  assert.deepEqual(starts, ["Halvorn Biotech said", "Halvorn Biotech said", null, null, null]);
  assert.deepEqual(asked, []);
});

test("the bytes of a page stay with the caller", async () => {
  await using reader = new ArticleReader();
  const bytes = fixture("halvorn-results.html");
  const before = Buffer.from(bytes);
  await reader.read(bytes, link, "text/html", signal);
  assert.ok(before.equals(bytes));
});

/** Pages that are looked at, and would keep the reader busy for many seconds. */
const slow: Readonly<Record<string, () => string>> = {
  "nested divs": () => page(`${"<div>".repeat(28_000)}${paragraph.repeat(10)}`),
  "much text at every depth": () =>
    page(`${"<div>".repeat(3_000)}${`<p>${paragraph.repeat(15)}</p>`.repeat(800)}`),
};

/** At a size at which what is not linear takes minutes, or more memory than there is. */
const large: Readonly<Record<string, () => string>> = {
  "nested divs": () => `<body>${"<div>".repeat(1_000_000)}${paragraph.repeat(10)}`,
  "nested tables": () => "<table><tr><td>".repeat(300_000),
  "unclosed paragraphs": () => page(`<p>${paragraph.repeat(3)}`.repeat(12_000)),
  "line breaks": () => page("<br>".repeat(1_400_000)),
  "small elements": () => page(`<p>${"<b>x</b>".repeat(700_000)}`),
  "end tags": () => page("</p></div>".repeat(500_000)),
  "attributes of one": () => page(`<p ${Array.from({ length: 300_000 }, (_, n) => `a${n}=x`).join(" ")}>`),
  "attributes of many": () => page("<i id=a class=b rel=c>".repeat(200_000)),
  commas: () => page(`<p>${",".repeat(5_000_000)}</p>`),
  "blanks in a title": () => page(`<p>${paragraph.repeat(5)}</p>`, `a${" - ".repeat(1_000_000)}`),
  "a class of blanks": () =>
    page(`<div class="${" ".repeat(4_000_000)}x"><p>${paragraph.repeat(5)}</p></div>`),
  entities: () => page(`<p>${"&amp;lt;".repeat(700_000)}</p>`),
  "nested JSON": () =>
    page(`<script type="application/ld+json">${"[".repeat(900_000)}</script><p>${paragraph}</p>`),
  comments: () => page("<!-- ".repeat(1_000_000)),
  links: () => page('<p><a href="/x">x</a></p>'.repeat(180_000)),
  "more than is looked at": () => page(`<p>${paragraph.repeat(4)}</p><!--${" ".repeat(6_000_000)}-->`),
};

test("a page made to be slow ends its thread when time is over, and the page behind it is read", async () => {
  const pageMs = 500;
  await using reader = new ArticleReader({ pageMs });
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 10).unref();
  for (const [name, make] of Object.entries(slow)) {
    const startedAt = performance.now();
    const reading = reader.read(make(), link, "text/html", signal);
    const behind = reader.read(fixture("halvorn-results.html"), link, "text/html", signal);
    assert.equal(await reading, null, name);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs >= pageMs && tookMs < pageMs + 3_000, `${name}: ${tookMs} ms`);
    assert.match((await behind)?.text ?? "", /^Halvorn Biotech said on Monday/, `after ${name}`);
  }
  clearInterval(timer);
  // The thread of the service went on meanwhile.
  assert.ok(ticks > 40, String(ticks));
});

test("a page made to be large is given up before it takes memory or time", async () => {
  await using reader = new ArticleReader();
  await reader.read(fixture("halvorn-results.html"), link, "text/html", signal);
  for (const [name, make] of Object.entries(large)) {
    const html = make();
    const startedAt = performance.now();
    await reader.read(html, link, "text/html", signal);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < 2_500, `${name}: ${tookMs} ms`);
    const next = await reader.read(fixture("halvorn-results.html"), link, "text/html", signal);
    assert.match(next?.text ?? "", /^Halvorn Biotech said on Monday/, `after ${name}`);
  }
});

test("what is left of a page is counted, so that nothing reads it as more than it is", () => {
  const size = (html: string) => essentialPage(html)?.length ?? null;
  for (const name of [
    "nested divs",
    "line breaks",
    "small elements",
    "end tags",
    "attributes of many",
    "commas",
  ])
    assert.equal(size(large[name]?.() ?? ""), null, name);
  for (const small of ["<b>", "</b>", "x<>", "<i id=a>", "<meta name=a>"]) {
    assert.equal(size(small.repeat(31_000)), null, small);
    assert.notEqual(size(small.repeat(5_000)), null, small);
  }
  const text = `<p>${paragraph}</p>`;
  const bare = essentialPage(text);
  for (const hidden of [
    "<script><p>x</p></script>",
    "<style><p>x</p></style>",
    "<!-- <p>x</p> -->",
    "<svg><title>x</title><p>x</p></svg>",
    "<svg/><math />",
    "<svg><path/><svg/><path/></svg>",
    "<script/>x</script>",
    "<noscript><p>x</p></noscript>",
    "<select><option>x</select>",
    "<link rel=stylesheet href=x><base href=x><img src=x onerror=x>",
    '<script type="text/javascript">if (a<b) document.write("<p>x</p>")</script>',
  ])
    assert.equal(essentialPage(hidden + text), bare, hidden);
  assert.equal(
    essentialPage('<p ID=a onclick=x class="b>c" style="display:none" title=t>1 < 2 &lt; 3</P><p hidden>x'),
    '<!doctype html><html><head></head><body><p id="a" class="b>c" hidden>1 &lt; 2 &lt; 3</p><p hidden>x</body></html>',
  );
  assert.equal(
    essentialPage(
      '<script type="application/ld+json">{"headline":"a<!-- b</p>"}</script><title>a</title><title>b</title>',
    ),
    '<!doctype html><html><head><script type="application/ld+json">{"headline":"a\\u003c!-- b\\u003c/p>"}</script><title>a</title></head><body></body></html>',
  );
});

test("when too many pages wait, more are not read; who stops waiting is told why", async () => {
  await using reader = new ArticleReader({ waiting: 2 });
  const stop = new AbortController();
  const reason = new Error("stopped");
  const good = fixture("halvorn-results.html");
  const isRead = (article: Article | null) => article !== null;
  const first = reader.read(good, link, "text/html", signal).then(isRead);
  const second = reader.read(good, link, "text/html", stop.signal);
  const third = reader.read(good, link, "text/html", signal).then(isRead);
  const fourth = reader.read(good, link, "text/html", signal).then(isRead);
  stop.abort(reason);
  await assert.rejects(second, (thrown) => thrown === reason);
  assert.deepEqual(await Promise.all([first, third, fourth]), [true, true, false]);
  await assert.rejects(reader.read(good, link, "text/html", stop.signal), (thrown) => thrown === reason);
});

test("an abort ends a page that is being read", async () => {
  await using reader = new ArticleReader();
  await reader.read(fixture("halvorn-results.html"), link, "text/html", signal);
  const startedAt = performance.now();
  const reading = reader.read(slow["nested divs"]?.() ?? "", link, "text/html", AbortSignal.timeout(50));
  await assert.rejects(reading, { name: "TimeoutError" });
  assert.ok(performance.now() - startedAt < 1_500);
});

test("a reader that is disposed answers those who wait, and starts no thread again", async () => {
  const reader = new ArticleReader();
  const waiting = [1, 2, 3].map(() =>
    reader.read(fixture("halvorn-results.html"), link, "text/html", signal),
  );
  await reader[Symbol.asyncDispose]();
  assert.deepEqual(await Promise.all(waiting), [null, null, null]);
  assert.equal(await reader.read(fixture("halvorn-results.html"), link, "text/html", signal), null);
});

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
