import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { decode, encodeChange, encodeEntries, encodePosition, Seal } from "../../src/bus/nats-messages.ts";
import type { LogItem } from "../../src/feed/item.ts";
import { logItemOf } from "../../src/store/log/item-reads.ts";
import { newItem } from "../support/items.ts";

const epoch = "0a1b2c3d";
const entry = (seq: number, title: string): LogItem =>
  logItemOf(JSON.stringify({ ...newItem({ uniqueId: `guid:entry:${seq}`, title }).item, seq }));

test("a batch comes apart into messages within the limit, and together again", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 3_000 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 20_000, max: 40_000 }),
      (texts, maxPayload) => {
        const items = texts.map((text, at) => entry(at + 7, text));
        const seal = new Seal(randomBytes(32));
        const messages = encodeEntries({ epoch, items }, maxPayload).map(({ body }) => seal.close("s", body));
        assert.ok(messages.every(({ length }) => length <= maxPayload));
        const told = messages.map((message) => decode(seal.open("s", message) ?? Buffer.alloc(0)));
        const read = told.flatMap((one) => (one.kind === "entries" ? one.committed.items : []));
        assert.deepEqual(read, items);
      },
    ),
    { numRuns: 30 },
  );
});

test("from an entry that fits no message on, the rest of a batch is a position", () => {
  const items = [entry(1, "small"), entry(2, "x".repeat(5_000)), entry(3, "small too")];
  const [first, second, ...rest] = encodeEntries({ epoch, items }, 4_096).map(({ body }) => decode(body));
  assert.deepEqual(first, { kind: "entries", committed: { epoch, items: items.slice(0, 1) } });
  assert.deepEqual(second, { kind: "position", epoch, seq: 3 });
  assert.deepEqual(rest, []);
});

test("positions and changes are read as they were sent", () => {
  assert.deepEqual(decode(encodePosition(epoch, 9).body), { kind: "position", epoch, seq: 9 });
  assert.deepEqual(decode(encodeChange("keys").body), { kind: "changed", change: "keys" });
});

test("only messages of the installation, for the same subject, and unchanged, are opened", () => {
  const key = randomBytes(32);
  const { body } = encodePosition(epoch, 9);
  const message = new Seal(key).close("tapewire.a.log", body);
  assert.deepEqual(new Seal(key).open("tapewire.a.log", message), body);
  assert.equal(new Seal(key).open("tapewire.b.log", message), null);
  assert.equal(new Seal(randomBytes(32)).open("tapewire.a.log", message), null);
  for (const at of [0, 15, 16, message.length - 1]) {
    const changed = Buffer.from(message);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(new Seal(key).open("tapewire.a.log", changed), null, `byte ${at}`);
  }
  assert.equal(new Seal(key).open("tapewire.a.log", Buffer.alloc(3)), null);
});

test("a message whose entries are not those that it names is refused", () => {
  const [{ body } = { body: Buffer.alloc(0) }] = encodeEntries(
    { epoch, items: [entry(1, "a"), entry(2, "b")] },
    100_000,
  );
  const text = body.toString();
  assert.throws(() => decode(Buffer.from(text.replace('"first":1', '"first":2'))), /not those/);
  assert.throws(() => decode(Buffer.from(text.replace('"count":2', '"count":3'))), /not those/);
  assert.throws(() => decode(Buffer.from("{}\n")));
  assert.throws(() => decode(Buffer.alloc(0)));
});
