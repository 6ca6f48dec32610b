/** Steps are counted at a third of the length by default: TAPEWIRE_CHAOS=full counts those of 1,000 and 2,000 characters. */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { flash } from "../src/flash/flash.ts";
import { detectLanguage } from "../src/language/language.ts";
import { proByRules } from "../src/pro/pro.ts";
import { tagItem } from "../src/tags/tags.ts";
import { artifact, filing, link } from "./fixtures.ts";
import { regexSteps, Steps, search } from "./regex-steps.ts";

const subject = link("Apple and Microsoft agree").slice(0, 2);

/** All that is done with an item. */
function readWhole(title: string, body: string): void {
  const news = artifact(title, body);
  detectLanguage(title, body, null);
  const linked = link(title, body);
  tagItem(news, linked);
  proByRules(news, subject);
  proByRules(filing("8-K", ["2.02"], title, body), subject);
}

/** Set apart by a sign that is none of them. */
const pieces =
  " ¦\t¦\n¦9¦9,¦9.¦1 ¦(¦)¦()¦'¦\"¦“¦,¦;¦:¦-¦–¦$¦$9¦%¦9%¦&¦?¦!¦.¦A¦A.¦a.¦a ¦A ¦AB ¦Ab ¦Inc. ¦(NYSE: ¦NYSE:¦http://¦://¦<a ¦<¦[¦{¦\\¦/¦_¦\u0000¦é¦😀¦株¦я¦no ¦up ¦to ¦from 1 to ¦Item 1.¦$1 million ¦Q1 ¦vs. ¦(1) ".split(
    "¦",
  );
const long = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

test("the step counter finds what the engine finds, and sees a pattern that explodes", () => {
  for (const [pattern, text] of [
    [/a+b/, "xxaaab"],
    [/(?<!\p{L})(?:се|са)(?!\p{L})/iu, "x се"],
    [/^\s*foo|ba{2,3}?r$/m, "x\nbaar\n"],
    [/\bfoo\b/, "a foo!"],
    [/https?:\/\/\S{0,200}/, "see http://x.y z"],
  ] as const) {
    const found = pattern.exec(text);
    assert.equal(
      search(pattern, text, new Steps(10_000)),
      found === null ? -1 : found.index + found[0].length,
    );
  }
  assert.throws(() => search(/(a+)+$/, `${"a".repeat(40)}b`, new Steps(100_000)), RangeError);
});

const { shorter, slack } =
  process.env.TAPEWIRE_CHAOS === "full" ? { shorter: 1_000, slack: 20_000 } : { shorter: 300, slack: 3_000 };

for (const piece of pieces)
  test(`no pattern works harder than the text is long: ${JSON.stringify(piece)}`, () => {
    const at = (length: number): number => {
      const text = long(piece, length);
      return regexSteps(() => readWhole(text.slice(0, 1_000), `Profit ${text}`), 20_000_000);
    };
    at(50);
    const [short, twice] = [at(shorter), at(2 * shorter)];
    assert.ok(short > shorter, "the counting counts");
    assert.ok(twice <= 2.4 * short + slack, `${short} steps, ${twice} for twice the text`);
  });

const soup = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...pieces,
        "Umsatz stieg um 12 % ",
        "売上高は増加した。",
        "<b>Profit</b> rose 5% ",
        "🚀",
      ),
      fc.nat(40),
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.map(([piece, times]) => piece.repeat(times)).join(""));

test("whatever the text, both models give a verdict in range, with passages that stand where they say", () => {
  fc.assert(
    fc.property(soup, soup, (title, body) => {
      const item = artifact(title, body);
      const text = `${title}\n${body}`;
      for (const verdict of [flash(item, subject), proByRules(item, subject)]) {
        const { shortDirection, longDirection, conviction, comment } = verdict.sentiment;
        for (const direction of [shortDirection, longDirection])
          assert.ok(Number.isInteger(direction) && Math.abs(direction) <= 5);
        for (const value of [conviction, verdict.actionability.score]) assert.ok(value >= 0 && value <= 100);
        assert.ok(comment !== "" && verdict.actionability.comment !== "");
        for (const { evidence } of verdict.symbols)
          for (const { text: words, start, end } of evidence) assert.equal(text.slice(start, end), words);
      }
    }),
    { numRuns: 60 },
  );
});

for (const piece of [
  "Der Gewinn stieg um 12 %. ",
  "株価が上昇しました。",
  "🚀",
  "<p>Profit <b>rose</b> 5%</p>",
  "\u0000\u0007\u001b[31m",
  "(",
])
  test(`200,000 characters are judged by both models: ${JSON.stringify(piece)}`, () => {
    const text = long(piece, 200_000);
    for (const verdict of [flash(artifact(text, text), subject), proByRules(artifact(text, text), subject)]) {
      assert.ok(verdict.sentiment.comment.length <= 400 && verdict.actionability.comment.length <= 600);
      assert.equal(verdict.symbols.length, subject.length);
    }
  });
