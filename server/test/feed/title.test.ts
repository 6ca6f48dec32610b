import assert from "node:assert/strict";
import { test } from "node:test";
import { passesTitle, titleQuery, titleQueryOf, wordsOf } from "@tapewire/contract/title/title.ts";
import { numbered, titleNumbers } from "../../src/feed/title-words.ts";

const passing: readonly [query: string, title: string][] = [
  ["apple", "Apple's new phone"],
  ["PROFIT warning", "A warning on profit"],
  ['"profit warning"', "Halvorn: profit-warning follows"],
  ['"profit warning', "A profit warning"],
  ["“profit warning”", "A profit warning"],
  ["profit -warning", "Profit rises"],
  ["-reminder", "Profit rises"],
  ["societe lodz strasse", "Société Générale in Łódź, Straße 3"],
  ["istanbul", "İSTANBUL bourse"],
  ["at&t 10-k u.s.", "AT&T files 10-K with the U.S. regulator"],
  ["ev", "ＥＶ sales"],
  ["自動車 利益", "トヨタ自動車、利益は減少"],
  ["전자", "삼성전자가 실적을 발표"],
  ["รถยนต์", "ตลาดรถยนต์ไฟฟ้า"],
  ["हिन्दी", "हिन्दी समाचार"],
  ["- & apple", "Apple"],
];
const failing: readonly [query: string, title: string][] = [
  ["app", "Apple"],
  ['"warning profit"', "A profit warning"],
  ['"a b c"', "a b, b c"],
  ["profit -warning", "A profit warning"],
  ['-"profit warning"', "A profit warning"],
  ["at&t", "T at A"],
  ["車自", "自動車"],
  ["apple", ""],
];

test("a title passes by its words, whatever their case, marks and script, in text and in numbers", () => {
  for (const [cases, isPassing] of [
    [passing, true],
    [failing, false],
  ] as const)
    for (const [text, title] of cases) {
      assert.equal(titleQuery.safeParse(text).success, true, text);
      const query = titleQueryOf(text);
      assert.equal(passesTitle(wordsOf(title), query), isPassing, `${text} in ${title}`);
      const numbers = numbered(query);
      assert.ok(numbers !== null);
      assert.equal(passesTitle(titleNumbers(title), numbers), isPassing, `${text} in ${title}`);
    }
});

test("equal queries have one form, whatever their order and spelling", () => {
  assert.deepEqual(titleQueryOf('b -d "A  é" A'), titleQueryOf("-D a “a e” a B"));
  assert.deepEqual(titleQueryOf('x -"y z"'), { all: [["x"]], none: [["y", "z"]] });
});

test("a query is refused without a word, with more than eight, and when it is long", () => {
  const messages = (text: string) => titleQuery.safeParse(text).error?.issues.map(({ message }) => message);
  for (const text of ["", "  ", "-", '""', "& -!"])
    assert.deepEqual(messages(text), ["must have a word, of letters or digits"]);
  assert.deepEqual(messages("a b c d e f g h -i"), ["at most 8 words and phrases"]);
  assert.equal(messages("a b c d e f g -h a"), undefined);
  assert.deepEqual(messages("x".repeat(201)), ["at most 200 characters"]);
});

test("long words are cut alike in titles and queries, and long titles have 255 words", () => {
  const long = "x".repeat(40);
  assert.ok(passesTitle(wordsOf(`a ${long}`), titleQueryOf(`${long}y`)));
  assert.equal(wordsOf("one ".repeat(300)).length, 255);
});
