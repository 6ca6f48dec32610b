import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../../scoring/test/any-character.ts";
import { cleanBody, cleanTitle, foldSpace, safeText, textLimits } from "../../../src/ingest/text/text.ts";

test("markup goes, words stay apart", () => {
  const table = [
    ["plain", "plain"],
    ["a<p>b</p>c", "a b c"],
    ["a<br>b<br/>c", "a b c"],
    ["<li>one<li>two", "one two"],
    ["<b>bo</b>ld", "bold"],
    ["<td>1</td><td>2</td>", "1 2"],
    ["x<!-- hidden -->y", "xy"],
    ["<a href='https://a.example/?a=1&b=2' title='>'>link</a>", "link"],
    ["5 < 6 and 7 > 3", "5 < 6 and 7 > 3"],
    ["I <3 markets", "I <3 markets"],
    ["R&D at AT&T", "R&D at AT&T"],
    [" a \n\t\u00a0 b ", "a b"],
    ["unfinished <a href='x", "unfinished"],
  ];
  for (const [markup = "", text] of table) assert.equal(cleanBody(markup), text, markup);
});

test("entities are decoded once more than the document escaped them", () => {
  assert.equal(cleanTitle("Harlow &amp;amp; Pike&amp;#39;s"), "Harlow & Pike's");
  assert.equal(cleanTitle("&lt;b&gt; stays text"), "<b> stays text");
  assert.equal(cleanTitle("caf&eacute; &#x20AC;5 &unknown;"), "café €5 &unknown;");
});

test("scripts, styles and templates are not text", () => {
  for (const name of ["script", "style", "template", "noscript", "SCRIPT"])
    assert.equal(
      cleanBody(`before<${name} type="x">if (a < b) "<i>bad</i>"</${name}>after`),
      "beforeafter",
      name,
    );
  assert.equal(cleanBody("<script>never closed <p>bad"), "");
  assert.equal(cleanBody("</script></noscript>text"), "text");
});

test("nothing left is null for a title and empty for a body", () => {
  for (const empty of ["", " \n ", "<p></p>", "&nbsp;", "<script>x</script>", "\0\u200b"]) {
    assert.equal(cleanTitle(empty), null, JSON.stringify(empty));
    assert.equal(cleanBody(empty), "");
  }
});

test("what PostgreSQL or JSON would refuse is gone, and the form is NFC", () => {
  assert.equal(safeText("a\0b\x07c\x1b[31m\u0085\ufeff\uffff"), "abc[31m");
  assert.equal(safeText("a\tb\nc\r"), "a\tb\nc\r");
  assert.equal(safeText("x\ud800y\udc00"), "x\ufffdy\ufffd");
  assert.equal(safeText("e\u0301"), "é");
  assert.equal(cleanTitle("&#0;&#xD800;&#x1;a"), "\ufffd\ufffda");
});

test("a pile of marks is cut, what languages write is not", () => {
  assert.equal(safeText(`a${"\u0316".repeat(500)}`).length, 31);
  const vietnamese = "Nguyễn Thị Ngọc Ánh";
  assert.equal(safeText(vietnamese.normalize("NFD")), vietnamese);
});

test("length is cut between characters, never within a pair", () => {
  assert.equal(cleanTitle("x".repeat(textLimits.title + 1))?.length, textLimits.title);
  const pairs = cleanTitle(`x${"😀".repeat(textLimits.title)}`) ?? "";
  assert.equal(pairs.length, textLimits.title - 1);
  assert.ok(pairs.isWellFormed());
  assert.ok(pairs.endsWith("😀"));
  assert.equal(cleanBody("y".repeat(textLimits.body + 5)).length, textLimits.body);
});

test("white space is folded to single spaces", () => {
  assert.equal(foldSpace("\u2003a\u2028\r\n b\u3000"), "a b");
});

test("any text comes out safe, bounded and on one line", () => {
  const piece = fc.constantFrom(
    "<",
    ">",
    "&",
    "amp;",
    "#x",
    "0;",
    "<script>",
    "</p>",
    "<!--",
    "\ud83d",
    "\udc00",
    "\0",
    " ",
  );
  const markup = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(piece).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(markup, (any) => {
      const text = cleanBody(any);
      assert.ok(text.isWellFormed());
      assert.doesNotMatch(text, /[\p{Cc}\ufeff]|^\s|\s$|\s\s/u);
      assert.equal(text, text.normalize("NFC"));
    }),
    { numRuns: 1_000 },
  );
});
