import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BlockWriter } from "../../../src/stream/wire/block-writer.ts";
import type { FrameTemplate } from "../../../src/stream/wire/encoded-item.ts";

/** Frames of different lengths; the longest do not all fit into the writer's first buffer. */
const frames: FrameTemplate[] = [20, 21, 40, 40, 3_000, 30_000, 70_000].map((length, seq) => {
  const bytes = Buffer.alloc(length, 97 + seq);
  bytes.fill(" ", 5, 15);
  return { seq, bytes, countAt: 5 };
});

const expected = (some: readonly FrameTemplate[], first: number) =>
  some.map(({ bytes }, n) => {
    const text = bytes.toString("latin1");
    return `${text.slice(0, 5)}${String(first + n).padStart(10)}${text.slice(15)}`;
  });

const block = fc.record({
  places: fc.array(fc.nat(frames.length - 1), { minLength: 1, maxLength: 6 }),
  /** Counts begin with 1. */
  first: fc.integer({ min: 1, max: 3_000_000_000 }),
  /** Frames at the end that get no count, and are dropped. */
  dropped: fc.nat(2),
  isKept: fc.boolean(),
});

test("each connection gets its frames with its counts, whatever the ones before it got", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
      const writer = new BlockWriter();
      const got: Buffer[] = [];
      const wanted: string[] = [];
      for (const { places, first, dropped, isKept } of blocks) {
        const some = places.flatMap((place) => frames[place] ?? []);
        const counted = some.slice(0, Math.max(1, some.length - dropped));
        for (const frame of some) writer.add(frame);
        writer.number({ first, count: counted.length });
        if (counted.length < some.length) writer.dropUncounted();
        writer.write({
          writeBlock: (bytes) => {
            got.push(isKept ? bytes : Buffer.from(bytes));
            return !isKept;
          },
        });
        wanted.push(expected(counted, first).join(""));
      }
      assert.deepEqual(
        got.map((bytes) => bytes.toString("latin1")),
        wanted,
      );
    }),
  );
});
