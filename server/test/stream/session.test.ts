import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filterOfSubscription, subscriptionFilters } from "@tapewire/contract/filter.ts";
import { clientFrame, streamLimits } from "@tapewire/contract/stream.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import fc from "fast-check";
import {
  type Action,
  Session,
  type SessionEvent,
  type SessionState,
  transitions,
} from "../../src/stream/session.ts";

const dictionary = tagDictionary.parse(
  JSON.parse(readFileSync(new URL("../../../config/tags.json", import.meta.url), "utf8")),
);
const schema = clientFrame(dictionary);
const newSession = () => new Session(schema, { nowMs: 0, jitter: 1 });

/** An action in a word: what a table of cases can hold. */
function short(action: Action): string {
  switch (action.do) {
    case "send":
      return action.frame.type === "error"
        ? `error ${action.frame.code}${action.frame.fatal ? " fatal" : ""}`
        : action.frame.type;
    case "close":
      return `close ${action.code}`;
    default:
      return action.do;
  }
}

function receive(session: Session, frame: unknown, nowMs = 0): string[] {
  return session.receive(JSON.stringify(frame), nowMs).map(short);
}

function requestOf(frame: object) {
  const [action] = newSession().receive(JSON.stringify({ type: "subscribe", ...frame }), 0);
  assert.equal(action?.do, "subscribe", JSON.stringify(action));
  return action.request;
}

function messageOf(frame: unknown): string {
  const [action] = newSession().receive(typeof frame === "string" ? frame : JSON.stringify(frame), 0);
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
  const [told] = newSession().receive('{"type":"unsubscribe","id":null}', 0);
  assert.deepEqual(told, { do: "unsubscribe", id: undefined });
  const refused = newSession().receive('{"type":"subscribe","id":null,"snapshot":-1}', 0);
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
  assert.deepEqual(newSession().receive(null, 0).map(short), ["error invalid_frame"]);
});

test("an error answers with the id of a subscribe that it could read", () => {
  const [action] = newSession().receive(
    JSON.stringify({ type: "subscribe", after: "e.1", snapshot: 1, id: "s1" }),
    0,
  );
  assert.ok(action?.do === "send" && action.frame.type === "error");
  assert.equal(action.frame.id, "s1");
});

test("three bad frames in a row close 4500; a good one between starts the count again", () => {
  const bad = { type: "nonsense" };
  const session = newSession();
  assert.deepEqual(receive(session, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(session, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(session, { type: "ping" }), ["pong"]);
  assert.deepEqual(receive(session, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(session, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(session, bad), ["error invalid_frame fatal", "close 4500"]);
});

test("ping and unsubscribe are passed on, with the id", () => {
  assert.deepEqual(newSession().receive('{"type":"ping"}', 0), [{ do: "pong" }]);
  assert.deepEqual(newSession().receive('{"type":"unsubscribe","id":7}', 0), [{ do: "unsubscribe", id: 7 }]);
});

test("members that a frame does not have are ignored", () => {
  assert.deepEqual(receive(newSession(), { type: "subscribe", colour: "blue" }), ["subscribe"]);
});

test("5 subscribes in 10 seconds are taken, the sixth is refused without end of the connection", () => {
  const session = newSession();
  const subscribe = { type: "subscribe" };
  for (let i = 0; i < 5; i++) assert.deepEqual(receive(session, subscribe, i), ["subscribe"]);
  for (let i = 0; i < 4; i++) assert.deepEqual(receive(session, subscribe, 9_999), ["error rate_limited"]);
  // The refused ones do not count: with the first gone there is room for one.
  assert.deepEqual(receive(session, subscribe, 10_000), ["subscribe"]);
  assert.deepEqual(receive(session, subscribe, 10_000), ["error rate_limited"]);
});

test("more than 100 frames in 10 seconds close 4429", () => {
  const session = newSession();
  for (let i = 0; i < 100; i++) assert.deepEqual(receive(session, { type: "ping" }, i), ["pong"]);
  assert.deepEqual(receive(session, { type: "ping" }, 9_999), ["close 4429"]);
  assert.deepEqual(receive(session, { type: "ping" }, 10_050), []);
  const steady = newSession();
  for (let i = 0; i < 300; i++) assert.deepEqual(receive(steady, { type: "ping" }, i * 101), ["pong"]);
});

test("whatever arrives is answered, and closes only by the third bad frame", () => {
  const anyFrame = fc.oneof(
    fc.json(),
    fc.string({ unit: "binary" }),
    fc.constant(null),
    fc.constantFrom("subscribe", "unsubscribe", "ping").map((type) => JSON.stringify({ type })),
    fc.constant(JSON.stringify({ type: "subscribe", after: "x.1", snapshot: 1 })),
    fc
      .record({
        type: fc.constant("subscribe"),
        filters: fc.anything(),
        snapshot: fc.anything(),
        after: fc.anything(),
      })
      .map((frame) => JSON.stringify(frame, (_, value) => (typeof value === "bigint" ? null : value))),
  );
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 12 }), (frames) => {
      const session = newSession();
      let bad = 0;
      for (const frame of frames) {
        const actions = session.receive(frame, 0).map(short);
        bad = actions[0]?.startsWith("error invalid_frame") === true ? bad + 1 : 0;
        assert.equal(actions.includes("close 4500"), bad >= streamLimits.badFramesInARow);
        assert.ok(actions.length >= 1);
        if (bad >= streamLimits.badFramesInARow) break;
      }
    }),
  );
});

/** A session brought into a state the way a client would. */
function sessionIn(state: SessionState): Session {
  const session = newSession();
  if (state === "connected") return session;
  if (state === "closed") session.close(4500, "bad frames");
  else receive(session, { type: "subscribe" });
  if (state === "stopped") session.capReached(50, "2026-03-02");
  assert.equal(session.state, state);
  return session;
}

const events: Readonly<Record<SessionEvent, (session: Session) => void>> = {
  subscribe: (session) => receive(session, { type: "subscribe" }),
  unsubscribe: (session) => receive(session, { type: "unsubscribe" }),
  cap_reached: (session) => session.capReached(50, "2026-03-02"),
  day_turned: (session) => session.dayIs("2026-03-03"),
  close: (session) => session.close(4501, "key revoked or expired"),
};

for (const [state, moves] of typedEntries(transitions))
  for (const [event, fire] of typedEntries(events))
    test(`${state}: ${event} leads to ${moves[event] ?? "no other state"}`, () => {
      const session = sessionIn(state);
      fire(session);
      assert.equal(session.state, moves[event] ?? state);
    });

function typedEntries<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  const keys: K[] = [];
  for (const key in record) keys.push(key);
  return keys.map((key) => [key, record[key]]);
}

test("quota_exceeded is told once a day, however often the client subscribes again", () => {
  const session = sessionIn("subscribed");
  assert.deepEqual(session.capReached(50, "2026-03-02").map(short), ["quota_exceeded"]);
  receive(session, { type: "subscribe" });
  assert.deepEqual(session.capReached(50, "2026-03-02").map(short), []);
  assert.equal(session.state, "stopped");
  session.dayIs("2026-03-03");
  assert.deepEqual(session.capReached(50, "2026-03-03").map(short), ["quota_exceeded"]);
});

const tick = (session: Session, nowMs: number, unsentBytes = 0) =>
  session.tick({ nowMs, day: "2026-03-02", unsentBytes }).map(short);

test("a ping every 30 s, a heartbeat every 15 s while subscribed, 4408 after 60 s of silence", () => {
  const session = newSession();
  assert.deepEqual(tick(session, 15_000), []);
  assert.deepEqual(tick(session, 30_000), ["ping"]);
  receive(session, { type: "subscribe" }, 30_000);
  assert.deepEqual(tick(session, 44_999), []);
  assert.deepEqual(tick(session, 45_000), ["heartbeat"]);
  session.heard(45_000);
  assert.deepEqual(tick(session, 60_000), ["heartbeat", "ping"]);
  assert.deepEqual(tick(session, 90_000), ["heartbeat", "ping"]);
  assert.deepEqual(tick(session, 104_999), []);
  assert.deepEqual(tick(session, 105_000), ["close 4408"]);
  assert.deepEqual(tick(session, 150_000), []);
});

test("4413 with the cursor when what is unsent has not shrunk for 30 s", () => {
  const session = sessionIn("subscribed");
  assert.deepEqual(tick(session, 1_000, 70_000), []);
  assert.deepEqual(tick(session, 14_000, 80_000), []);
  // It shrinks: a client that is slow but reads is left alone.
  assert.deepEqual(tick(session, 14_900, 60_000), []);
  assert.deepEqual(tick(session, 29_000, 80_000), ["heartbeat"]);
  session.heard(29_000);
  assert.deepEqual(tick(session, 30_000, 79_000), ["ping"]);
  assert.deepEqual(tick(session, 44_000, 79_000), ["heartbeat"]);
  session.heard(44_000);
  assert.deepEqual(tick(session, 59_999, 90_000), ["heartbeat"]);
  const [action] = session.tick({ nowMs: 60_000, day: "2026-03-02", unsentBytes: 90_000 });
  assert.deepEqual(action, { do: "close", code: 4413, reason: "slow", withCursor: true });
});
