import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Tokenizer } from "htmlparser2";
import { anyCharacter } from "../../../../scoring/test/any-character.ts";
import { blocks, silent, stripMarkup } from "../../../src/ingest/text/markup.ts";
import { foldSpace, safeLine, safeText } from "../../../src/ingest/text/safe-text.ts";

const oneOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((all) => all.join(""));

/** The same by a tokenizer of the HTML standard. */
function tokenized(markup: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const show = (text: string) => {
    if (hidden === 0) parts.push(text);
  };
  const tag = (start: number, end: number, silence: number) => {
    const name = markup.slice(start, end).toLowerCase();
    if (silent.has(name)) hidden = Math.max(0, hidden + silence);
    else if (blocks.has(name)) show(" ");
  };
  const ignored = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      onattribdata: ignored,
      onattribentity: ignored,
      onattribend: ignored,
      onattribname: ignored,
      oncdata: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onend: ignored,
      onopentagend: ignored,
      onprocessinginstruction: ignored,
      onselfclosingtag: ignored,
      onopentagname: (start, end) => tag(start, end, 1),
      onclosetag: (start, end) => tag(start, end, -1),
      ontext: (start, end) => show(markup.slice(start, end)),
      ontextentity: (point) => show(String.fromCodePoint(point)),
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
  return parts.join("");
}

test("markup is cut where a tokenizer of the HTML standard cuts it", () => {
  const tags = "<p> </p> <a\thref= <br/> <td <li> <b </ <! <? <3 < > / = - -- ! ' \"".split(" ");
  const odd = [
    "<!--",
    "-->",
    "--!>",
    "<![CDATA[",
    "]]>",
    "<script>",
    "</script>",
    "<style",
    "</style ",
    " ",
    "\n",
  ];
  const hiding = [
    "<template>",
    "</template>",
    "<noscript x='>'>",
    "</NOSCRIPT>",
    '<P a="x>y" b>',
    "&lt;i&gt;",
  ];
  fc.assert(
    fc.property(oneOf([...tags, ...odd, ...hiding, "word", "&amp;", "&am", "p;"]), (pieces) => {
      // A tag that is open at the end has no meaning that the two would share.
      const markup = `${pieces}<i> z`;
      assert.equal(stripMarkup(markup).trim(), tokenized(markup).trim());
    }),
    { numRuns: 3_000 },
  );
});

test("what is open at the end of a fragment is no text", () => {
  for (const open of ["<a href='x", "<a", "</a", "</a x", "<!-- x", "<![CDATA[x", "<script>x", "<!x", "<?x"])
    assert.equal(stripMarkup(`kept ${open}`), "kept ", open);
  assert.equal(stripMarkup("a <"), "a <");
  assert.equal(stripMarkup("a </"), "a </");
});

test("in a title or a text area everything up to its end is text", () => {
  assert.equal(stripMarkup("<title>a <b> &amp; </titles></title>c"), "a <b> & </titles>c");
  assert.equal(stripMarkup("<TEXTAREA rows=2><p></textarea >c"), "<p>c");
});

test("entities are decoded by the whole table of HTML, once", () => {
  assert.equal(
    stripMarkup("&#8217;&quot;AT&T &mdash; &frac12;&#x27;&not &notin; &#128; &#55296; &rsquo"),
    "\u2019\"AT&T \u2014 \u00bd'\u00ac \u2209 \u20ac \ufffd &rsquo",
  );
  assert.equal(stripMarkup("<b>&amp;lt;i&amp;gt;</b>"), "&lt;i&gt;");
});

test("a line of safe text is safe text, folded", () => {
  const odd = [
    "\0",
    "\u200b",
    "\u00a0",
    "\u2003",
    "\u2028",
    "\ufeff",
    "\u0301",
    "\u0316",
    "\ud800",
    "\udc00",
    "\u2126",
  ];
  const usual = ["a", "e", " ", "  ", "\n", "\t", "\r", "\v", "’", "中", "д", "ᄀ", "ᅡ", "😀", "\u0085", "é"];
  fc.assert(
    fc.property(fc.oneof(oneOf([...odd, ...usual]), fc.string({ unit: anyCharacter })), (text) => {
      assert.equal(safeLine(text), foldSpace(safeText(text)));
    }),
    { numRuns: 3_000 },
  );
  for (let unit = 0; unit <= 0xffff; unit += 1) {
    const text = `a ${String.fromCharCode(unit)} e${String.fromCharCode(unit)}\u0301`;
    if (safeLine(text) !== foldSpace(safeText(text))) assert.fail(`U+${unit.toString(16)}`);
  }
});

test("a pile of marks is cut even where characters that go stand between them", () => {
  const pile = `a${`${"\u0316".repeat(30)}\u200b`.repeat(1_000)}`;
  assert.equal(safeLine(pile).length, 31);
});
