import assert from "node:assert/strict";
import { test } from "node:test";
import { flash } from "../src/flash/flash.ts";
import { targetFirst } from "../src/target-first.ts";
import { artifact, link } from "./fixtures.ts";

function led(title: string, hinted: readonly string[] = []) {
  const linked = link(title, "", hinted);
  return { linked, symbols: targetFirst(linked, flash(artifact(title), linked)) };
}

test("the target of a takeover leads, though who buys it is named first", () => {
  const { linked, symbols } = led("Halvorn Biotech agrees to buy Orbitex Robotics for $4.2 billion");
  assert.deepEqual(
    linked.map(({ symbol }) => symbol),
    ["DEMO:HLVN", "DEMO:OBTX"],
  );
  assert.deepEqual(
    symbols?.map(({ symbol, primary, relevance }) => [symbol, primary, relevance]),
    [
      ["DEMO:OBTX", true, linked[0]?.relevance],
      ["DEMO:HLVN", false, linked[0]?.relevance],
    ],
  );
});

test("the order stays where the target leads already, where nobody is bought, and where the source names the companies", () => {
  const bought = "Orbitex Robotics to be acquired by Halvorn Biotech for $4.2 billion";
  for (const title of [bought, "Halvorn Biotech and Orbitex Robotics report results"])
    assert.equal(led(title).symbols, null, title);
  const hinted = led("Halvorn Biotech agrees to buy Orbitex Robotics", ["DEMO:HLVN", "DEMO:OBTX"]);
  assert.deepEqual([hinted.linked[0]?.symbol, hinted.symbols], ["DEMO:HLVN", null]);
});
