import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { computed, effect, signal } from "../src/draw/signal.ts";

describe("signals", () => {
  test("an effect runs again when what it read has changed, and only then", () => {
    const count = signal(1);
    const other = signal(1);
    const seen: number[] = [];
    effect(() => seen.push(count.value + other.peek()));
    count.value = 2;
    count.value = 2;
    other.value = 5;
    assert.deepEqual(seen, [2, 3]);
  });

  test("an effect hears no more of what it did not read the last time", () => {
    const isShort = signal(false);
    const long = signal("a");
    const seen: string[] = [];
    effect(() => seen.push(isShort.value ? "-" : long.value));
    isShort.value = true;
    long.value = "b";
    isShort.value = false;
    assert.deepEqual(seen, ["a", "-", "b"]);
  });

  test("what is computed follows what it is made of", () => {
    const name = signal("a");
    const greeting = computed(() => `Hello ${name.value}`);
    const seen: string[] = [];
    effect(() => seen.push(greeting.value));
    name.value = "b";
    assert.equal(greeting.value, "Hello b");
    assert.deepEqual(seen, ["Hello a", "Hello b"]);
  });
});
