import assert from "node:assert/strict";
import { test } from "node:test";
import { proByRules } from "../../src/pro/pro.ts";
import { artifact, filing, link } from "../fixtures.ts";

/**
 * Work, not time: the characters that are taken out of texts, searched, or shown to a pattern. A machine that is busy
 * does not change that.
 */
function steps(run: () => void): number {
  let count = 0;
  const { exec } = RegExp.prototype;
  const { slice, charAt, indexOf, charCodeAt } = String.prototype;
  try {
    Object.assign(RegExp.prototype, {
      exec(this: RegExp, text: string) {
        count += 1 + text.length;
        return exec.call(this, text);
      },
    });
    Object.assign(String.prototype, {
      slice(this: string, start?: number, end?: number) {
        const found = slice.call(this, start, end);
        count += 1 + found.length;
        return found;
      },
      indexOf(this: string, wanted: string, from = 0) {
        const found = indexOf.call(this, wanted, from);
        count += 1 + (found < 0 ? this.length : found) - from;
        return found;
      },
      charAt(this: string, at: number) {
        count += 1;
        return charAt.call(this, at);
      },
      charCodeAt(this: string, at: number) {
        count += 1;
        return charCodeAt.call(this, at);
      },
    });
    run();
  } finally {
    Object.assign(RegExp.prototype, { exec });
    Object.assign(String.prototype, { slice, charAt, indexOf, charCodeAt });
  }
  return count;
}

const hostile: Readonly<Record<string, string>> = {
  "sentences of results":
    "Revenue rose 12% to $5.2 billion from $4.6 billion, above estimates of $4.9 billion. ",
  "one endless sentence": "revenue rose $5 billion from $4 billion, and ",
  "metrics without figures": "revenue earnings per share net income gross margin ",
  "figures without words": "$5.2 (4.1) 12% ",
  "words of motion": "rose fell ",
  "phrases begun and not ended": "substantial filed for did not meet its ",
  brackets: "(((($((",
  headings: "Item 2.02.\nExhibit 99.1\nSIGNATURES\nAbout X\n",
  "rows of a table": "Total revenues\t$\t1,234\t$\t1,100\n",
  "rows with one long cell": `Total revenues\t${"1,".repeat(80)}\n`,
  names: "Apple Microsoft Apple said Microsoft acquires Apple ",
  "single letters": "a b c . ",
  blanks: " \t ",
  emoji: "😀🚀",
  "hyphens and dashes": "-–—-",
  digits: "9",
  commas: "1,",
  dots: "1.",
  "dollar signs": "$",
  "capital words": "AAPL MSFT ",
  "negations and hedges": "not may could no would ",
};

const body = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const symbols = link("Apple and Microsoft agree", "");

for (const [name, piece] of Object.entries(hostile))
  test(`work grows with the length of the text, not faster: ${name}`, () => {
    const at = (length: number) =>
      steps(() => void proByRules(filing("8-K", ["2.02"], "8-K report", body(piece, length)), symbols));
    at(1_000);
    const [short, long] = [at(12_500), at(100_000)];
    assert.ok(short > 12_500, "the counting counts");
    assert.ok(long <= 8 * 1.6 * short + 20_000, `${short} steps for 12,500 characters, ${long} for 100,000`);
  });

for (const [name, piece] of Object.entries(hostile))
  test(`a body of 200,000 characters is judged: ${name}`, () => {
    const verdict = proByRules(artifact("Apple and Microsoft agree", body(piece, 200_000)), symbols);
    assert.equal(verdict.symbols.length, symbols.length);
    assert.ok(verdict.facts.length <= 60);
    assert.ok((verdict.summary ?? "").length <= 1_300);
    assert.ok(verdict.sentiment.comment.length <= 400 && verdict.actionability.comment.length <= 600);
    assert.ok(JSON.stringify(verdict).length < 100_000);
  });

test("what stands at the end of 200,000 characters is read, what stands behind is not", () => {
  const filler = body("The day was quiet and nothing of note was said. ", 199_000);
  const alarm = "\nThe company filed for bankruptcy.\n";
  assert.match(proByRules(artifact("Report", `${filler}${alarm}`), []).sentiment.comment, /bankruptcy/);
  const behind = `${filler}${" ".repeat(1_000)}${alarm}`;
  assert.doesNotMatch(proByRules(artifact("Report", behind), []).sentiment.comment, /bankruptcy/);
});

test("a text without any full stop is read to its end", () => {
  const words = body("and the day went on as it had begun ", 50_000);
  const { comment } = proByRules(
    artifact("Report", `${words} the company filed for bankruptcy`),
    [],
  ).sentiment;
  assert.match(comment, /bankruptcy/);
});

for (const shift of [0, 1])
  test(`passages that are cut never end in half a character (${shift})`, () => {
    const emoji = "😀".repeat(400);
    const title = `${"x".repeat(shift)}${emoji}`;
    const text = `Revenue was ${emoji} $5.2 billion. Halvorn raised its ${emoji} guidance.`;
    const verdict = proByRules(artifact(title, text), symbols);
    const { actionability, sentiment } = verdict.detailedAnalysis;
    const passages = [
      ...verdict.facts.map(({ evidence }) => evidence),
      ...verdict.symbols.flatMap(({ evidence }) => evidence),
      ...[...actionability.factors, ...sentiment.factors].flatMap(({ evidence }) => evidence),
    ];
    assert.ok(passages.length > 0);
    assert.deepEqual(
      passages.filter((passage) => !passage.text.isWellFormed()),
      [],
    );
  });

for (const text of [
  "",
  " ",
  "😀😀😀",
  "\u0000\u0001\u0002",
  "<p>Revenue <b>rose</b></p>",
  "売上高は12%増加した。",
])
  test(`a body of ${JSON.stringify(text)} gives a verdict`, () => {
    const verdict = proByRules(artifact("Halvorn reports", text), []);
    assert.ok(verdict.sentiment.comment !== "" && verdict.actionability.comment !== "");
  });
