import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";

const source = sourceConfig.parse({
  name: "forms",
  id: "forms",
  provider: "forms",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

function itemsOf(text: string) {
  const body = Buffer.from(text);
  return feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source).items;
}

const rss = (inside: string, doctype = "") =>
  `<?xml version="1.0"?>${doctype}<rss version="2.0"><channel><title>Osterby wire</title><item><title>Halvorn Biotech lifts guidance</title>${inside}</item></channel></rss>`;
const bodyOf = (inside: string) => itemsOf(rss(inside))[0]?.body;
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("texts of Atom 0.3 that are packed in base64 are unpacked", () => {
  const [item] = itemsOf(`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>t</title><entry>
    <title mode="base64">
      ${base64("Halvorn <b>Biotech</b> opens a plant")}
    </title><id>urn:halvorn:1</id>
    <content type="text/html" mode="base64">${base64("<p>The plant in Osterby makes 5 &lt; 6 doses.</p>")}</content>
    </entry></feed>`);
  assert.equal(item?.title, "Halvorn Biotech opens a plant");
  assert.equal(item?.body, "The plant in Osterby makes 5 < 6 doses.");
});

test("the text of an RSS item stands in itunes:summary, summary, body or fullitem where nothing else has it", () => {
  const text = "Halvorn Biotech said that its plant opens in June.";
  const itunes = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"';
  const podcast = rss(`<itunes:summary>${text}</itunes:summary>`).replace("<rss ", `<rss ${itunes} `);
  assert.equal(itemsOf(podcast)[0]?.body, text);
  assert.equal(bodyOf(`<description>Halvorn opens.</description><summary>${text}</summary>`), text);
  assert.equal(bodyOf(`<body xmlns="http://www.w3.org/1999/xhtml"><p>${text}</p></body>`), text);
  assert.equal(bodyOf(`<fullitem>&lt;p&gt;${text}&lt;/p&gt;</fullitem>`), text);
});

test("short entities of the DOCTYPE stand for their text, in a guid too, and cost no more than they may", () => {
  const doctype = `<!DOCTYPE rss [<!ENTITY site "https://halvorn.example"><!ENTITY corp 'Halvorn Biotech'>
    <!ENTITY twice "&corp;&corp;"><!ENTITY file SYSTEM "file:///etc/passwd">]>`;
  const [item] = itemsOf(
    rss(
      "<guid>&site;/news/1</guid><description>&corp; said &twice; and &file; of <![CDATA[&corp;]]> it.</description>",
      doctype,
    ),
  );
  assert.ok(
    item?.identity.some((name) => name.includes("halvorn.example/news/1")),
    item?.identity.join(),
  );
  assert.match(item?.body ?? "", /^Halvorn Biotech said &twice; and &file; of &corp; it\.$/);
  const many = `<!DOCTYPE rss [<!ENTITY a "${"a".repeat(200)}">]>`;
  const full = itemsOf(rss(`<description>${"&a; ".repeat(3_000)}</description>`, many))[0]?.body ?? "";
  assert.ok(full.length < 120_000, `${full.length}`);
});

test("of dates that are given twice the last counts, and an empty one does not", () => {
  const entry = (dates: string) =>
    itemsOf(
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Halvorn opens</title><id>urn:1</id>${dates}</entry></feed>`,
    )[0]?.publishedAt?.toISOString();
  const updated = (at: string) => `<updated>${at}</updated>`;
  assert.equal(
    entry(updated("2026-03-02T10:00:00Z") + updated("2026-03-03T11:30:00Z")),
    "2026-03-03T11:30:00.000Z",
  );
  assert.equal(entry(updated("") + updated("2026-03-03T11:30:00Z")), "2026-03-03T11:30:00.000Z");
});

test("characters of Windows-1252 under the numbers of controls are read as their writers meant them", () => {
  assert.equal(
    bodyOf("<description>Halvorn doesn\u0092t expect \u0093more\u0094.</description>"),
    "Halvorn doesn’t expect “more”.",
  );
  assert.equal(
    bodyOf("<description>Halvorn doesn&#x92;t expect \u0081more.</description>"),
    "Halvorn doesn’t expect more.",
  );
});

test("what leads to the page is no part of the text", () => {
  const text = "Halvorn Biotech said that its plant opens in June.";
  for (const tail of [
    "&lt;a href='x'&gt;Continue reading&lt;/a&gt;",
    "&lt;p&gt;Continue reading &lt;span&gt;Halvorn Biotech lifts guidance&lt;/span&gt; →&lt;/p&gt;",
    "[Read more…]",
    "Read more »",
    "Read the full story",
    "&lt;p&gt;The post &lt;a&gt;Halvorn lifts guidance&lt;/a&gt; appeared first on &lt;a&gt;Osterby Wire&lt;/a&gt;.&lt;/p&gt;",
    "Continue reading… The post Halvorn lifts guidance first appeared on Osterby Wire.",
  ])
    assert.equal(bodyOf(`<description>${text} ${tail}</description>`), text, tail);
  for (const whole of [
    "Read more about the plant in the annual report. It opens in June.",
    "Investors can read more",
    "The post office of Osterby closes.",
  ])
    assert.equal(bodyOf(`<description>${whole}</description>`), whole);
});

test("a caption is not where a text begins, and one word is no text", () => {
  const text = "Halvorn Biotech said that its plant opens in June.";
  const figure =
    "<figure><img src='a.jpg'/><figcaption>The plant in May. Photo: Osterby Press</figcaption></figure>";
  const wordpress = "<div class='wp-caption'><p class='wp-caption-text'>The plant in May.</p></div>";
  for (const picture of [figure, wordpress])
    assert.equal(bodyOf(`<description><![CDATA[${picture}<p>${text}</p>]]></description>`), text);
  assert.equal(bodyOf("<description>News</description>"), "");
  assert.equal(bodyOf("<description>ハルボルン社が新工場を開設</description>"), "ハルボルン社が新工場を開設");
  const encoded = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"';
  const both = rss(
    "<description>Halvorn opens in June.</description><content:encoded>Overviewofeverythingthatisnew</content:encoded>",
  );
  assert.equal(itemsOf(both.replace("<rss ", `<rss ${encoded} `))[0]?.body, "Halvorn opens in June.");
  const [untitled] = itemsOf(
    rss("<description>Newsflash</description>").replace(/<title>Halv[^<]*<\/title>/, ""),
  );
  assert.equal(untitled?.body, "Newsflash");
});
