import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { binScale, powerScale, roundStep, stepOf, timeScale, valueScale } from "../src/charts/scale.ts";
import { barPath, linePath } from "../src/charts/shapes.ts";

const box = { top: 8, height: 144 };
const hour = 3_600;
const midnight = Date.UTC(2026, 0, 5) / 1_000;

describe("charts", () => {
  test("an axis of values has a few round ticks, all inside it, whatever its span", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (to) => {
        const { ticks, place } = valueScale({ from: 0, to }, false, box);
        assert.ok(ticks.length >= 2 && ticks.length <= 6, `${ticks.length} ticks up to ${to}`);
        for (const tick of ticks) {
          assert.ok(tick >= 0 && tick <= to * (1 + 1e-9));
          assert.ok(place(tick) >= box.top - 1e-6 && place(tick) <= box.top + box.height + 1e-6);
        }
      }),
    );
    assert.deepEqual([0.3, 1, 1.1, 4.2, 7, 2_300].map(roundStep), [0.5, 1, 2, 5, 10, 5_000]);
  });

  test("numbers of things have no ticks between two wholes", () => {
    assert.deepEqual(valueScale({ from: 0, to: 1.08 }, true, box).ticks, [0, 1]);
    assert.deepEqual(valueScale({ from: 0, to: 3.24 }, true, box).ticks, [0, 1, 2, 3]);
    assert.deepEqual(
      valueScale({ from: -5.5, to: 5.5 }, true, box).ticks.map((tick) => tick + 0),
      [-5, 0, 5],
    );
    const flat = valueScale({ from: -5.5, to: 5.5 }, false, { top: 8, height: 74 });
    assert.deepEqual(
      flat.ticks.map((tick) => tick + 0),
      [-5, 0, 5],
      "one tick alone tells no distance",
    );
  });

  test("days begin at the viewer's midnight, and a week names days only", () => {
    const times = Array.from({ length: 8 * 24 }, (_, at) => midnight + at * hour);
    const of = (offsetS: number) => timeScale(times, { room: 0, left: 0, width: 1_000, offsetS });
    assert.equal(of(0).tickS, 24 * hour);
    assert.deepEqual(of(0).ticks.slice(0, 2), [midnight, midnight + 24 * hour]);
    assert.equal(of(5.5 * hour).ticks[0], midnight + 18.5 * hour);
  });

  test("an axis of times has room for its labels, for any length", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200_000_000 }),
        fc.integer({ min: 250, max: 1_400 }),
        (length, width) => {
          const { ticks, place } = timeScale([midnight, midnight + length], {
            room: 0,
            left: 0,
            width,
            offsetS: 0,
          });
          const [a, b] = ticks.map(place);
          if (a !== undefined && b !== undefined) assert.ok(b - a >= 70, `${b - a} px between labels`);
          for (const tick of ticks) assert.ok(place(tick) >= -1e-6 && place(tick) <= width + 1e-6);
        },
      ),
    );
  });

  test("bins are named in the middle of their parts, and fewer of them where there is no room", () => {
    const wide = binScale(11, { left: 50, width: 330 });
    assert.deepEqual(
      wide.ticks.map((at) => at + 0),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    assert.deepEqual([wide.place(0), wide.place(10)], [65, 365]);
    const narrow = binScale(11, { left: 50, width: 190 });
    assert.deepEqual(
      narrow.ticks.map((at) => at + 0),
      [0, 2, 4, 6, 8, 10],
    );
  });

  test("one point alone, and none, have an axis too", () => {
    const one = timeScale([midnight], { room: 0, left: 0, width: 600, offsetS: 0 });
    assert.equal(one.place(midnight), 300);
    for (const times of [[], [midnight]]) {
      assert.equal(stepOf(times), Number.POSITIVE_INFINITY);
      const { ticks, place } = timeScale(times, { room: 0, left: 0, width: 600, offsetS: 0 });
      assert.ok(ticks.every((tick) => Number.isFinite(place(tick))));
    }
  });

  test("a logarithmic axis has powers of ten only, at equal distances", () => {
    const { ticks, place } = powerScale([3, 40, 700], box);
    assert.deepEqual(ticks, [1, 10, 100, 1_000]);
    const places = ticks.map(place);
    assert.deepEqual(places, [152, 104, 56, 8]);
    assert.deepEqual(powerScale([], box).ticks, [1, 10]);
  });

  test("a line breaks where a value is missing, and a point alone is seen", () => {
    assert.equal(linePath([[0, 1], [10, 2], null, [30, 4], [40, 5]]), "M0,1L10,2M30,4L40,5");
    assert.match(linePath([null, [5, 6], null]), /^M3,6a2,2/);
  });

  test("a stacked bar stands on the one below, and a bar of nothing is not drawn", () => {
    const floors = [50, 40];
    assert.equal(
      barPath(
        [
          [10, 30],
          [20, 40],
        ],
        floors,
        8,
      ),
      "M6,50V30h8V50z",
    );
  });
});
