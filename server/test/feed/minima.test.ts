import assert from "node:assert/strict";
import { test } from "node:test";
import { areAlike, base64Of, minimaOf, numbersFrom } from "../../src/feed/story/minima.ts";

const words = (text: string) => text.split(" ");
const told = "orbitex robotics raises its guidance for the year after record orders in the third quarter";

test("minima of a text never change: stored ones are compared with those of new texts", () => {
  const stored =
    "HAeJEywKkQ2tH5oCrhOPN8MEYQB9Er1Pjg5EGyMgQBpNBcANZzLeB2UdsgLQByQrN0PHAcMCdBAFDWMj2w1cJaUhqAJfIUIFDQd6E0UVtQ6UEzUAdBz8CtoL4QDVBI4UXVyyMOkPoQlILqMbqgBiAbkCSh7aCScjIwA0NFghnx4=";
  assert.equal(base64Of(minimaOf(words(told))), stored);
  assert.deepEqual(numbersFrom(stored), minimaOf(words(told)));
});

test("texts that share most of their words in order are alike", () => {
  const minima = minimaOf(words(told));
  assert.ok(areAlike(minima, minimaOf(words(`${told} it said`))));
  assert.ok(!areAlike(minima, minimaOf(words(told).reverse())));
});
