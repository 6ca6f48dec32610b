import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { flash } from "../../src/flash/flash.ts";
import type { Artifact } from "../../src/types.ts";
import { artifact, filing, link } from "../fixtures.ts";

const golden = z.object({
  id: z.string(),
  type: z.enum(["news", "filing", "research", "ugc"]),
  title: z.string(),
  body: z.string().default(""),
  form: z.string().optional(),
  items: z.array(z.string()).default([]),
  categories: z.array(z.string()).default([]),
  /** Least and most of the short direction. */
  direction: z.tuple([z.int(), z.int()]),
  actionable: z.boolean().optional(),
});
type Golden = z.infer<typeof golden>;

const lines = readFileSync(new URL("../../eval/golden.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => golden.parse(JSON.parse(line)));

const artifactOf = ({ type, title, body, form, items, categories }: Golden): Artifact =>
  form === undefined ? artifact(title, body, { type, categories }) : filing(form, items, title, body);

/** Stands for the company that an item of the feed was linked to. */
const subject = link("Orbitex Robotics").slice(0, 1);

/** Words of the item that a comment can name: its form, its halt code, or any word of its text. */
function names(comment: string, line: Golden): boolean {
  if (line.form !== undefined && comment.includes(line.form)) return true;
  if (line.categories.some((category) => comment.toLowerCase().includes(category.toLowerCase()))) return true;
  const quoted = [...comment.matchAll(/'(.+?)…?'(?=[\s:;)]|$)/g)].map(([, inside]) => inside ?? "");
  const text = `${line.title} ${line.body}`.replaceAll(/\s+/g, " ");
  return quoted.some((inside) => inside !== "" && text.includes(inside));
}

test("the golden set has three hundred artifacts and more, of every type", () => {
  assert.ok(lines.length >= 300, `${lines.length}`);
  assert.equal(new Set(lines.map(({ type }) => type)).size, 4);
  assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
});

for (const line of lines)
  test(`${line.id} ${line.title.slice(0, 70)} ${line.items.join(",")}`, () => {
    const { sentiment, actionability } = flash(artifactOf(line), line.type === "ugc" ? [] : subject);
    const [least, most] = line.direction;
    const { shortDirection } = sentiment;
    assert.ok(
      shortDirection >= least && shortDirection <= most,
      `${least} <= ${shortDirection} <= ${most}: ${sentiment.comment}`,
    );
    if (line.actionable !== undefined)
      assert.equal(
        actionability.actionable,
        line.actionable,
        `${actionability.score} ${actionability.comment}`,
      );
    for (const comment of [sentiment.comment, actionability.comment])
      assert.ok(names(comment, line), `names nothing of the text: ${comment}`);
  });

const oddities = fc.constantFrom(
  "",
  "🚀🚀🚀",
  "Der Gewinn stieg um 12 %",
  "株価が上昇しました",
  "\u0000\u0007\u001b[31m",
  "<p>Profit <b>rose</b> 5%</p><script>x()</script>",
  "'",
  "''''",
  "not not not",
  "%",
  "(((",
  "1 2 3 4 5",
  "from from to to",
  "\ud83d",
);

test("odd text of any sort gives a verdict with comments, and evidence that is the text at its offsets", () => {
  fc.assert(
    fc.property(fc.array(oddities, { maxLength: 6 }), fc.array(oddities, { maxLength: 6 }), (title, body) => {
      const item = artifact(title.join(" "), body.join(" "));
      const { sentiment, actionability } = flash(item, []);
      assert.ok(Number.isInteger(sentiment.shortDirection) && Math.abs(sentiment.shortDirection) <= 5);
      assert.ok(sentiment.comment.trim() !== "" && actionability.comment.trim() !== "");
    }),
  );
});

test("what stands past the part that is read changes nothing", () => {
  const lead = `${"Orbitex said profit rose 5%. ".repeat(80)}`.slice(0, 2000);
  const short = flash(artifact("Orbitex profit rises", lead), []);
  const long = flash(artifact("Orbitex profit rises", lead + " bankruptcy fraud".repeat(12_000)), []);
  assert.deepEqual(long, short);
});
