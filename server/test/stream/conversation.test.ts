import assert from "node:assert/strict";
import { test } from "node:test";
import { streamLimits } from "@tapewire/contract/stream.ts";
import fc from "fast-check";
import { anyCharacter } from "../../../scoring/test/any-character.ts";
import {
  type Conversation,
  type ConversationEvent,
  type ConversationState,
  transitions,
} from "../../src/stream/conversation.ts";
import { newConversation, receive, short } from "./driven-conversation.ts";

test("three bad frames in a row close 4500; a good one between starts the count again", () => {
  const bad = { type: "nonsense" };
  const conversation = newConversation();
  assert.deepEqual(receive(conversation, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(conversation, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(conversation, { type: "ping" }), ["pong"]);
  assert.deepEqual(receive(conversation, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(conversation, bad), ["error invalid_frame"]);
  assert.deepEqual(receive(conversation, bad), ["error invalid_frame fatal", "close 4500"]);
});

test("ping and unsubscribe are passed on, with the id", () => {
  assert.deepEqual(newConversation().receive('{"type":"ping"}', 0), [{ do: "pong" }]);
  assert.deepEqual(newConversation().receive('{"type":"unsubscribe","id":7}', 0), [
    { do: "unsubscribe", id: 7 },
  ]);
});

test("members that a frame does not have are ignored", () => {
  assert.deepEqual(receive(newConversation(), { type: "subscribe", colour: "blue" }), ["subscribe"]);
});

test("5 subscribes in 10 seconds are taken, the sixth is refused without end of the connection", () => {
  const conversation = newConversation();
  const subscribe = { type: "subscribe" };
  for (let i = 0; i < 5; i++) assert.deepEqual(receive(conversation, subscribe, i), ["subscribe"]);
  for (let i = 0; i < 4; i++)
    assert.deepEqual(receive(conversation, subscribe, 9_999), ["error rate_limited"]);
  // The refused ones do not count: with the first gone there is room for one.
  assert.deepEqual(receive(conversation, subscribe, 10_000), ["subscribe"]);
  assert.deepEqual(receive(conversation, subscribe, 10_000), ["error rate_limited"]);
});

test("more than 100 frames in 10 seconds close 4429", () => {
  const conversation = newConversation();
  for (let i = 0; i < 100; i++) assert.deepEqual(receive(conversation, { type: "ping" }, i), ["pong"]);
  assert.deepEqual(receive(conversation, { type: "ping" }, 9_999), ["close 4429"]);
  assert.deepEqual(receive(conversation, { type: "ping" }, 10_050), []);
  const steady = newConversation();
  for (let i = 0; i < 300; i++) assert.deepEqual(receive(steady, { type: "ping" }, i * 101), ["pong"]);
});

test("whatever arrives is answered, and closes only by the third bad frame", () => {
  const anyFrame = fc.oneof(
    fc.json(),
    fc.string({ unit: anyCharacter }),
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
      const conversation = newConversation();
      let bad = 0;
      for (const frame of frames) {
        const actions = conversation.receive(frame, 0).map(short);
        bad = actions[0]?.startsWith("error invalid_frame") === true ? bad + 1 : 0;
        assert.equal(actions.includes("close 4500"), bad >= streamLimits.badFramesInARow);
        assert.ok(actions.length >= 1);
        if (bad >= streamLimits.badFramesInARow) break;
      }
    }),
  );
});

/** A conversation brought into a state the way a client would. */
function conversationIn(state: ConversationState): Conversation {
  const conversation = newConversation();
  if (state === "connected") return conversation;
  if (state === "closed") conversation.close(4500, "bad frames");
  else receive(conversation, { type: "subscribe" });
  if (state === "stopped") conversation.capReached(50, "2026-03-02");
  assert.equal(conversation.state, state);
  return conversation;
}

const events: Readonly<Record<ConversationEvent, (conversation: Conversation) => void>> = {
  subscribe: (conversation) => receive(conversation, { type: "subscribe" }),
  unsubscribe: (conversation) => receive(conversation, { type: "unsubscribe" }),
  cap_reached: (conversation) => conversation.capReached(50, "2026-03-02"),
  day_turned: (conversation) => conversation.dayIs("2026-03-03"),
  close: (conversation) => conversation.close(4501, "key revoked or expired"),
};

for (const [state, moves] of typedEntries(transitions))
  for (const [event, fire] of typedEntries(events))
    test(`${state}: ${event} leads to ${moves[event] ?? "no other state"}`, () => {
      const conversation = conversationIn(state);
      fire(conversation);
      assert.equal(conversation.state, moves[event] ?? state);
    });

function typedEntries<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  const keys: K[] = [];
  for (const key in record) keys.push(key);
  return keys.map((key) => [key, record[key]]);
}

test("quota_exceeded is told once a day, however often the client subscribes again", () => {
  const conversation = conversationIn("subscribed");
  assert.deepEqual(conversation.capReached(50, "2026-03-02").map(short), ["quota_exceeded"]);
  receive(conversation, { type: "subscribe" });
  assert.deepEqual(conversation.capReached(50, "2026-03-02").map(short), []);
  assert.equal(conversation.state, "stopped");
  conversation.dayIs("2026-03-03");
  assert.deepEqual(conversation.capReached(50, "2026-03-03").map(short), ["quota_exceeded"]);
});

const tick = (conversation: Conversation, nowMs: number, unsentBytes = 0) =>
  conversation.tick({ nowMs, day: "2026-03-02", unsentBytes }).map(short);

test("a ping every 30 s, a heartbeat every 15 s while subscribed, 4408 after 60 s of silence", () => {
  const conversation = newConversation();
  assert.deepEqual(tick(conversation, 15_000), []);
  assert.deepEqual(tick(conversation, 30_000), ["ping"]);
  receive(conversation, { type: "subscribe" }, 30_000);
  assert.deepEqual(tick(conversation, 44_999), []);
  assert.deepEqual(tick(conversation, 45_000), ["heartbeat"]);
  conversation.alive(45_000);
  assert.deepEqual(tick(conversation, 60_000), ["heartbeat", "ping"]);
  assert.deepEqual(tick(conversation, 90_000), ["heartbeat", "ping"]);
  assert.deepEqual(tick(conversation, 104_999), []);
  assert.deepEqual(tick(conversation, 105_000), ["close 4408"]);
  assert.deepEqual(tick(conversation, 150_000), []);
});

test("4413 with the cursor when what is unsent has not shrunk for 30 s", () => {
  const conversation = conversationIn("subscribed");
  assert.deepEqual(tick(conversation, 1_000, 70_000), []);
  assert.deepEqual(tick(conversation, 14_000, 80_000), []);
  // It shrinks: a client that is slow but reads is left alone.
  assert.deepEqual(tick(conversation, 14_900, 60_000), []);
  assert.deepEqual(tick(conversation, 29_000, 80_000), ["heartbeat"]);
  conversation.alive(29_000);
  assert.deepEqual(tick(conversation, 30_000, 79_000), ["ping"]);
  assert.deepEqual(tick(conversation, 44_000, 79_000), ["heartbeat"]);
  conversation.alive(44_000);
  assert.deepEqual(tick(conversation, 59_999, 90_000), ["heartbeat"]);
  const [action] = conversation.tick({ nowMs: 60_000, day: "2026-03-02", unsentBytes: 90_000 });
  assert.deepEqual(action, { do: "close", code: 4413, reason: "slow", withCursor: true });
});
