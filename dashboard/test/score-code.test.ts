import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { verdict } from "@tapewire/contract/score.ts";
import { needsPython } from "../../clients/python/test/support/python.ts";
import { withoutChromium } from "./support/chromium.ts";
import { inNode, inPython, inShell, said, snippetsIn } from "./support/run-code.ts";
import { type House, openHouse } from "./support/visit.ts";

// What a shell, JSON, JavaScript and Python each might take for something else.
const title = `Acme's "Turbines" raises $HOME full-year guidance \`after\` record orders: true, $\{up}`;
const body =
  'Revenue rose 12% to $4.2 billion \\n, "up": true from $3.8 billion.\nIt\'s a record — “wir” 🚀: null.';

describe("the code of the Score screen", { skip: withoutChromium }, () => {
  let house: House;
  let snippets: ReadonlyMap<string, string>;
  let scored: readonly [number, number | undefined];
  const newKey = async () => (await house.service.key("pro")).key;
  before(async () => {
    house = await openHouse();
    const answer = await fetch(`${house.service.url}/v1/score`, {
      method: "POST",
      headers: { authorization: `Bearer ${await newKey()}`, "content-type": "application/json" },
      body: JSON.stringify({ artifact: { type: "filing", title, body }, options: { model: "flash" } }),
    });
    const { actionability, sentiment } = verdict.parse(await answer.json());
    scored = [actionability.score, sentiment?.short_direction];
    await using visit = await house.visit("score");
    const { page } = visit;
    await page.getByLabel("Title", { exact: true }).fill(title);
    await page.getByLabel("Text", { exact: true }).fill(body);
    await page.getByLabel("Type").selectOption("filing");
    await page.getByLabel("Model").selectOption("flash");
    snippets = await snippetsIn(page.getByRole("region", { name: "Code" }));
    assert.deepEqual(visit.troubles, []);
  });
  after(() => house[Symbol.asyncDispose]());

  const snippet = (name: string) => {
    const text = snippets.get(name);
    assert.ok(text !== undefined && !text.includes("tw_live_"), name);
    return text;
  };

  test("curl, the library and Python have it, and a text that nobody wrote is an example that runs", async () => {
    assert.deepEqual([...snippets.keys()], ["curl", "TypeScript", "Python"]);
    await using visit = await house.visit("score");
    const untouched = await snippetsIn(visit.page.getByRole("region", { name: "Code" }));
    const out = await said(inShell(untouched.get("curl") ?? ""), await newKey());
    assert.match(out, /"actionability"/);
  });

  test("curl gets the verdict on the very text", async () => {
    const out = await said(inShell(snippet("curl")), await newKey());
    const found = verdict.parse(JSON.parse(out.slice(out.indexOf("{"), out.lastIndexOf("}") + 1)));
    assert.deepEqual([found.actionability.score, found.sentiment?.short_direction], scored);
    assert.ok(found.detailed_analysis !== undefined);
  });

  test("the program in TypeScript prints its scores", async () => {
    assert.equal((await said(inNode(snippet("TypeScript")), await newKey())).trim(), scored.join(" "));
  });

  test("the program in Python prints its scores", needsPython, async () => {
    assert.equal((await said(inPython(snippet("Python")), await newKey())).trim(), scored.join(" "));
  });

  test("each program has the very text in it", () => {
    for (const name of ["TypeScript", "Python"]) {
      const [, text = ""] = /score\((\{[\s\S]*?\n\})/.exec(snippet(name)) ?? [];
      assert.deepEqual(JSON.parse(text), { type: "filing", title, body });
    }
  });
});
