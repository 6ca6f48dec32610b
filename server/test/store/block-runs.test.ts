import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareListKeys, listKey } from "../../src/feed/list-key.ts";
import { Draft } from "../../src/feed/segments/draft.ts";
import { Segment } from "../../src/feed/segments/segment.ts";
import type { BlockKind, WantedBlock } from "../../src/feed/segments/sight.ts";
import { blockKey } from "../../src/itemlog/segments/blocks.ts";
import { sliceOf, statementsOf } from "../../src/store/segments/block-runs.ts";

const ids = fc.sample(fc.uuid(), { numRuns: 3_000, seed: 1 });

async function segmentOf(id: number): Promise<Segment> {
  const entries = ids.map((uuid, at) => ({
    seq: at + 1,
    key: listKey(1_770_000_000_000 + at, uuid),
    terms: [at % 700, 1_000 + at],
    title: Float64Array.of(at % 900, 5_000 + at),
  }));
  entries.sort((x, y) => compareListKeys(x.key, y.key));
  const turn = async () => {};
  const draft = await new Draft(0, new Map()).merged(entries, turn);
  return new Segment({ id, month: "202602", head: (await draft.encode(0, entries.length, turn)).head });
}

test("every block is read once, in runs of neighbours, and no statement is large", async () => {
  const segments = await Promise.all(Array.from({ length: 40 }, (_, n) => segmentOf(n + 1)));
  const blocksOf = (segment: Segment, kind: BlockKind) =>
    kind === "postings"
      ? segment.postingBlocks
      : kind === "words"
        ? (segment.wordBlocks ?? 0)
        : segment.keyBlocks;
  const anyBlock: fc.Arbitrary<WantedBlock> = fc
    .record({
      segment: fc.constantFrom(...segments),
      kind: fc.constantFrom<BlockKind>("postings", "words", "keys", "times"),
      at: fc.nat(10_000),
    })
    .map(({ segment, kind, at }) => ({ segment, kind, block: at % blocksOf(segment, kind) }));
  fc.assert(
    fc.property(fc.array(anyBlock, { maxLength: 1_500, size: "max" }), (some) => {
      const wanted = new Map(some.map((one) => [blockKey(one), one]));
      const statements = statementsOf(wanted);
      const found = statements.flat().flatMap(({ blocks }) => blocks);
      assert.equal(new Set(found.map(({ key }) => key)).size, found.length);
      assert.equal(found.length, wanted.size);
      for (const { segment, at, bytes, blocks } of statements.flat()) {
        let next = at;
        for (const block of blocks) {
          assert.equal(block.wanted.segment.id, segment);
          assert.equal(wanted.get(block.key), block.wanted);
          assert.deepEqual({ at: block.at, bytes: block.bytes }, sliceOf(block.wanted));
          assert.equal(block.at, next);
          next += block.bytes;
        }
        assert.equal(next, at + bytes);
      }
      for (const runs of statements) {
        assert.ok(runs.length <= 1_000);
        assert.ok(runs.length === 1 || runs.reduce((sum, { bytes }) => sum + bytes, 0) <= 2 ** 20);
      }
    }),
    { numRuns: 40 },
  );
});
