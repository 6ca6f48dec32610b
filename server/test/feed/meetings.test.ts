import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listKey } from "../../src/feed/list-key.ts";
import { decodePostings } from "../../src/feed/segments/blocks.ts";
import { Draft } from "../../src/feed/segments/draft.ts";
import { encodeMeetings, Meetings } from "../../src/feed/segments/meetings.ts";
import { Segment } from "../../src/feed/segments/segment.ts";

const turn = async () => {};
const items = 2_000;

/** The slots of each value: value n has every (n mod 9 + 1)th item of one half of them, and a few of the other half. */
const anyTerms = fc
  .array(fc.record({ term: fc.nat(2 ** 31), half: fc.nat(1), strays: fc.nat(3) }), {
    minLength: 2,
    maxLength: 60,
  })
  .map((all) =>
    [...new Map(all.map((one) => [one.term, one])).values()]
      .sort((x, y) => x.term - y.term)
      .map(({ term, half, strays }, n) => ({
        term,
        slots: Uint16Array.from({ length: items }, (_, slot) => slot).filter(
          (slot) => (slot % 2 === half && slot % ((n % 9) + 1) === 0) || (strays === 0 && slot === 7 * n),
        ),
      })),
  );
type Terms = (typeof anyTerms extends fc.Arbitrary<infer T> ? T : never)[number];

const meet = (x: Terms, y: Terms) => x.slots.some((slot) => y.slots.includes(slot));

test("a value is left out exactly where it is told that it meets no value of another set", async () => {
  let left = 0;
  let out = 0;
  await fc.assert(
    fc.asyncProperty(
      anyTerms,
      fc.array(fc.array(fc.nat(59), { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 }),
      async (terms, picked) => {
        const bytes = await encodeMeetings(terms, items, turn);
        fc.pre(bytes !== null);
        const sets = picked.map((own) =>
          [...new Set(own.map((n) => n % terms.length))].sort((x, y) => x - y).flatMap((n) => terms[n] ?? []),
        );
        const isTold = (x: Terms, y: Terms) =>
          Math.min(x.slots.length, y.slots.length) >= 32 && Math.max(x.slots.length, y.slots.length) >= 128;
        const expected = sets.map((set) =>
          set.filter((one) =>
            sets.every(
              (others) => others === set || others.some((other) => !isTold(one, other) || meet(one, other)),
            ),
          ),
        );
        const found = Meetings.decode(bytes).left(sets.map((set) => set.map(({ term }) => term)));
        if (expected.some((set) => set.length === 0)) out++;
        else left++;
        assert.deepEqual(
          found,
          expected.some((set) => set.length === 0)
            ? null
            : expected.map((set) => set.map(({ term }) => term)),
        );
      },
    ),
    { numRuns: 500 },
  );
  assert.ok(left > 10 && out > 10, `${left} with values left, ${out} without`);
});

test("the commonest values are told of where too many are common", async () => {
  const many = 3_000;
  // Values of 40 items, then two that have half of the items each.
  const terms = Array.from({ length: many }, (_, n) => ({
    term: n,
    slots: Uint16Array.from({ length: n < many - 2 ? 40 : 1_000 }, (_, at) =>
      n === many - 1 ? 1_000 + at : at,
    ),
  }));
  const bytes = await encodeMeetings(terms, 2_000, turn);
  assert.ok(bytes !== null && bytes.length < 36 * 1_024, `${bytes?.length} bytes`);
  const meetings = Meetings.decode(bytes);
  assert.equal(meetings.left([[many - 2], [many - 1]]), null);
  assert.deepEqual(meetings.left([[many - 3], [many - 1]]), [[many - 3], [many - 1]]);
});

test("a segment that was stored before meetings were is read as it is, and a version without them reads new ones", async () => {
  const entries = Array.from({ length: 300 }, (_, n) => ({
    seq: n + 1,
    key: listKey(1_770_000_000_000 + n, `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`),
    terms: [n % 2],
    title: Float64Array.of(n),
  }));
  for (const words of [new Map(), null]) {
    const draft = await new Draft(0, words).merged(entries, turn);
    const { head, body } = await draft.encode(0, 300, turn);
    const now = new Segment({ id: 1, month: "202602", head });
    const before = new Segment({ id: 1, month: "202602", head: head.subarray(0, head.length - 8) });
    const slice = now.meetingsSlice;
    assert.ok(slice !== null);
    assert.equal(slice.at + slice.bytes, body.length);
    assert.equal(Meetings.decode(body.subarray(slice.at)).left([[0], [1]]), null);
    assert.equal(before.meetingsSlice, null);
    assert.equal(before.wordBlocks, now.wordBlocks);
    const { at, bytes } = before.postingSlice(0);
    const found: number[] = [];
    decodePostings(body.subarray(at, at + bytes), 300).each((term, slots) => found.push(term, slots.length));
    assert.deepEqual(found, [0, 150, 1, 150]);
  }
});
