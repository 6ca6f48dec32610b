import assert from "node:assert/strict";
import { test } from "node:test";
import { filterOfSubscription, subscriptionFilters } from "@tapewire/contract/filter.ts";
import { dictionary } from "../support/dictionary.ts";
import { newConversation, short } from "./driven-conversation.ts";

function requestOf(frame: object) {
  const [action] = newConversation().receive(JSON.stringify({ type: "subscribe", ...frame }), 0);
  assert.equal(action?.do, "subscribe", JSON.stringify(action));
  return action.request;
}

function messageOf(frame: unknown): string {
  const [action] = newConversation().receive(typeof frame === "string" ? frame : JSON.stringify(frame), 0);
  assert.ok(action?.do === "send" && action.frame.type === "error", JSON.stringify(action));
  assert.equal(action.frame.code, "invalid_frame");
  assert.equal(action.frame.fatal, false);
  return action.frame.message;
}

test("a subscribe without members takes everything, live", () => {
  assert.deepEqual(requestOf({}), { filters: {}, snapshot: 0, after: null, id: undefined });
});

test("null for an optional member means what leaving it out means", () => {
  const { filters, ...rest } = requestOf({ filters: null, snapshot: null, after: null, id: null });
  assert.deepEqual({ filters, ...rest }, { filters: {}, snapshot: 0, after: null, id: undefined });
  assert.equal(requestOf({ snapshot: null, after: "e.1" }).after, "e.1");
  assert.equal(requestOf({ snapshot: 3, after: null }).snapshot, 3);
  const axes = Object.keys(subscriptionFilters(dictionary).shape);
  const none = Object.fromEntries(axes.map((name) => [name, null]));
  const shown = (given: object) => JSON.parse(JSON.stringify(requestOf({ filters: given }).filters));
  assert.deepEqual(shown(none), {});
  assert.deepEqual(shown({ ...none, symbols: ["aapl"], tags: { market: null } }), {
    symbols: ["AAPL"],
    tags: {},
  });
  assert.deepEqual(filterOfSubscription(requestOf({ filters: none }).filters), filterOfSubscription({}));
  const [told] = newConversation().receive('{"type":"unsubscribe","id":null}', 0);
  assert.deepEqual(told, { do: "unsubscribe", id: undefined });
  const refused = newConversation().receive('{"type":"subscribe","id":null,"snapshot":-1}', 0);
  assert.deepEqual(
    refused.map((action) => action.do === "send" && "id" in action.frame),
    [false],
  );
});

test("a subscribe carries snapshot, cursor and id", () => {
  assert.equal(requestOf({ snapshot: 3 }).snapshot, 3);
  assert.equal(requestOf({ snapshot: 0 }).snapshot, 0);
  assert.equal(requestOf({ snapshot: 500 }).snapshot, 500);
  assert.equal(requestOf({ snapshot: 501 }).snapshot, 500);
  assert.equal(requestOf({ snapshot: 1e9 }).snapshot, 500);
  assert.equal(requestOf({ after: "e.7" }).after, "e.7");
  assert.equal(requestOf({ id: "mine" }).id, "mine");
  assert.equal(requestOf({ id: 0 }).id, 0);
});

test("filters are folded, without repeats and sorted", () => {
  const { filters } = requestOf({
    filters: {
      symbols: ["nasdaq:aapl", " F ", "f"],
      exchanges: ["nyse"],
      aggregators: ["Wire-A"],
      providers: ["P"],
      tags: { market_country: ["us"], corp_activity: ["IPO", "earnings"], market: [] },
    },
  });
  assert.deepEqual(filters, {
    symbols: ["F", "NASDAQ:AAPL"],
    exchanges: ["NYSE"],
    aggregators: ["wire-a"],
    providers: ["p"],
    tags: { market_country: ["US"], corp_activity: ["earnings", "ipo"], market: [] },
  });
});

const badFrames: [sentence: string, frame: unknown, message: RegExp][] = [
  ["no JSON", "{", /not JSON/],
  ["an empty message", "", /not JSON/],
  ["a number", 1, /frame/],
  ["null", null, /frame/],
  ["an array", [], /frame/],
  ["no type", {}, /type/],
  ["an unknown type", { type: "publish" }, /type/],
  ["a server's type", { type: "welcome" }, /type/],
  ["filters that are no object", { type: "subscribe", filters: [] }, /filters/],
  [
    "an unknown filter key",
    { type: "subscribe", filters: { symbol: ["A"] } },
    /filters\.symbol: unknown member/,
  ],
  ["an unknown dimension", { type: "subscribe", filters: { tags: { mood: ["x"] } } }, /filters\.tags\.mood/],
  [
    "an unknown tag value",
    { type: "subscribe", filters: { tags: { market: ["junk"] } } },
    /filters\.tags\.market\[0\]: 'junk' is not one of stock, etf/,
  ],
  [
    "an unknown country",
    { type: "subscribe", filters: { tags: { market_country: ["XX"] } } },
    /market_country/,
  ],
  ["a value that is no text", { type: "subscribe", filters: { symbols: [1] } }, /filters\.symbols\[0\]/],
  ["an empty value", { type: "subscribe", filters: { symbols: [" "] } }, /filters\.symbols\[0\]/],
  ["a NUL in a value", { type: "subscribe", filters: { symbols: ["A\u0000"] } }, /filters\.symbols\[0\]/],
  ["a lone surrogate in a value", { type: "subscribe", filters: { symbols: ["\ud800"] } }, /symbols\[0\]/],
  ["a value list that is text", { type: "subscribe", filters: { symbols: "A" } }, /filters\.symbols/],
  ["actionability as text", { type: "subscribe", filters: { actionability: "true" } }, /actionability/],
  ["a sentiment over 10", { type: "subscribe", filters: { sentiment_max: 11 } }, /sentiment_max/],
  ["half a sentiment", { type: "subscribe", filters: { sentiment_min: 0.5 } }, /sentiment_min/],
  ["crossed bounds", { type: "subscribe", filters: { sentiment_min: 6, sentiment_max: 5 } }, /sentiment_min/],
  ["a negative snapshot", { type: "subscribe", snapshot: -1 }, /snapshot/],
  ["half a snapshot", { type: "subscribe", snapshot: 1.5 }, /snapshot/],
  ["a cursor that is no text", { type: "subscribe", after: 7 }, /after/],
  ["a cursor with a snapshot", { type: "subscribe", after: "e.1", snapshot: 1 }, /after/],
  ["a cursor with a snapshot of 0", { type: "subscribe", after: "e.1", snapshot: 0 }, /after/],
  [
    "more values than an axis takes",
    { type: "subscribe", filters: { symbols: Array.from({ length: 1001 }, (_, i) => `S${i}`) } },
    /filters\.symbols: at most 1000/,
  ],
];
for (const [sentence, frame, message] of badFrames)
  test(`${sentence} is an error that says so`, () => assert.match(messageOf(frame), message));

test("1,000 values of an axis are taken", () => {
  const symbols = Array.from({ length: 1000 }, (_, i) => `S${i}`);
  assert.equal(requestOf({ filters: { symbols } }).filters.symbols?.length, 1000);
});

test("a binary message is a bad frame", () => {
  assert.deepEqual(newConversation().receive(null, 0).map(short), ["error invalid_frame"]);
});

test("an error answers with the id of a subscribe that it could read", () => {
  const [action] = newConversation().receive(
    JSON.stringify({ type: "subscribe", after: "e.1", snapshot: 1, id: "s1" }),
    0,
  );
  assert.ok(action?.do === "send" && action.frame.type === "error");
  assert.equal(action.frame.id, "s1");
});
