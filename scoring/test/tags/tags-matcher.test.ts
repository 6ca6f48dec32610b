import assert from "node:assert/strict";
import test from "node:test";
import { phraseMatcher, tokensOf } from "../../src/tags/matcher.ts";

const matches = (list: string, text: string): boolean =>
  phraseMatcher({ value: list })(tokensOf(text)).length > 0;

test("words are read without possessive, hyphen and case, and a sentence end is one", () => {
  const words = tokensOf("Orbitex's third-quarter U.S. sales: EUR/USD $1.21, $ORBX").map(({ word }) => word);
  assert.deepEqual(words, [
    "^",
    "orbitex",
    "third",
    "quarter",
    "u.s",
    "sales",
    ".",
    "eur",
    "usd",
    "1.21",
    "$orbx",
  ]);
});

test("a gap takes as many words as it says, in one sentence", () => {
  assert.ok(matches("takes ~2 stake", "takes a 6% stake"));
  assert.ok(!matches("takes ~2 stake", "takes a big new minority stake"));
  assert.ok(!matches("takes ~2 stake", "takes over. New stake"));
});

test("alternatives, prefixes, numbers, words as written and the start of the text are told apart", () => {
  assert.ok(matches("cut|cuts rates", "Fed cuts rates"));
  assert.ok(matches("acquir*", "Orbitex acquiring rival"));
  assert.ok(!matches("acquir*", "an acquaintance"));
  assert.ok(matches("# year bond", "a 10-year bond"));
  assert.ok(matches("=WHO", "WHO warns"));
  assert.ok(!matches("=WHO", "who warns"));
  assert.ok(matches("=WHO|CDC", "the CDC warns"));
  assert.ok(matches("^ buy", "Buy Orbitex"));
  assert.ok(!matches("^ buy", "Time to buy"));
});

test("a phrase marked - takes its words away, one marked -- the value", () => {
  const masked = "sales\n- retail sales";
  assert.ok(!matches(masked, "retail sales rise"));
  assert.ok(matches(masked, "retail sales rise, Orbitex sales fall"));
  assert.ok(!matches("sales\n-- retail sales", "retail sales rise, Orbitex sales fall"));
});

test("a phrase marked + is strong", () => {
  const found = phraseMatcher({ gdp: "+ gdp\ngrowth" });
  assert.deepEqual(found(tokensOf("growth")), [{ value: "gdp", strong: false }]);
  assert.deepEqual(found(tokensOf("GDP growth")), [{ value: "gdp", strong: true }]);
});

test("a prefix too short to be indexed is refused when the list is read", () => {
  assert.throws(() => phraseMatcher({ value: "ab*" }), RangeError);
});
