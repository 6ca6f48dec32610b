import assert from "node:assert/strict";
import { test } from "node:test";
import { essentialPage } from "../../../src/ingest/articles/article-page.ts";
import { type Article, ArticleReader } from "../../../src/ingest/articles/articles.ts";
import { fixture, link, page, paragraph } from "../../support/article-pages.ts";
import { listenLocally } from "../../support/http.ts";

const { signal } = new AbortController();

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
  const pageMs = 600;
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
    assert.ok(tookMs >= pageMs, `${name}: ${tookMs} ms`);
    assert.match((await behind)?.text ?? "", /^Halvorn Biotech said on Monday/, `after ${name}`);
  }
  clearInterval(timer);
  // The thread of the service went on meanwhile.
  assert.ok(ticks > 20, String(ticks));
});

test("a page made to be large is given up before it takes memory or time", async () => {
  const pageMs = 30_000;
  await using reader = new ArticleReader({ pageMs });
  await reader.read(fixture("halvorn-results.html"), link, "text/html", signal);
  for (const [name, make] of Object.entries(large)) {
    const html = make();
    const startedAt = performance.now();
    await reader.read(html, link, "text/html", signal);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < pageMs, `${name}: ended by the time limit`);
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

test("an abort ends a page that is being read, while another reader still reads the same page", async () => {
  await using reader = new ArticleReader({ pageMs: 60_000 });
  await using other = new ArticleReader({ pageMs: 60_000 });
  for (const one of [reader, other])
    await one.read(fixture("halvorn-results.html"), link, "text/html", signal);
  const html = slow["nested divs"]?.() ?? "";
  const stop = new AbortController();
  let isOver = false;
  // It begins first, so that it is over first when an abort only is told late.
  const whole = other
    .read(html, link, "text/html", stop.signal)
    .catch(() => null)
    .finally(() => {
      isOver = true;
    });
  const reading = reader.read(html, link, "text/html", AbortSignal.timeout(50));
  await assert.rejects(reading, { name: "TimeoutError" });
  assert.equal(isOver, false);
  stop.abort();
  await whole;
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
