import { compareListKeys, type ListKey } from "../list-key.ts";
import type { Hit } from "../window/types.ts";
import { blockItems, type KeyBlock } from "./blocks.ts";
import type { Segment } from "./segment.ts";
import type { Sight } from "./sight.ts";

function keyAt(segment: Segment, { times, ids }: KeyBlock, at: number): ListKey {
  return {
    ms: segment.baseMs + (times[at] ?? 0),
    a: ids[4 * at] ?? 0,
    b: ids[4 * at + 1] ?? 0,
    c: ids[4 * at + 2] ?? 0,
    d: ids[4 * at + 3] ?? 0,
  };
}

/** The item of a slot; undefined: its block is to be read first. */
export function hitAt(segment: Segment, slot: number, sight: Sight): Hit | undefined {
  const block = sight.keys(segment, Math.floor(slot / blockItems));
  if (block === undefined) return undefined;
  const at = slot % blockItems;
  return { seq: segment.baseSeq + (block.seqs[at] ?? 0), key: keyAt(segment, block, at) };
}

/** How many items are older than the key; undefined: a block is to be read first. */
export function countBelow(segment: Segment, key: ListKey, sight: Sight): number | undefined {
  if (compareListKeys(key, segment.oldest) <= 0) return 0;
  if (compareListKeys(key, segment.newest) > 0) return segment.items;
  const at = segment.keyBlockOf(key);
  const block = sight.keys(segment, at);
  if (block === undefined) return undefined;
  let low = 0;
  let high = segment.itemsOfBlock(at);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareListKeys(keyAt(segment, block, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return at * blockItems + low;
}

/** How many items were published before the time; undefined: a block is to be read first. */
export function countBefore(segment: Segment, ms: number, sight: Sight): number | undefined {
  if (ms <= segment.oldest.ms) return 0;
  if (ms > segment.newest.ms) return segment.items;
  const at = segment.keyBlockOf({ ms, a: 0, b: 0, c: 0, d: 0 });
  const times = sight.times(segment, at);
  if (times === undefined) return undefined;
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segment.baseMs + (times[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return at * blockItems + low;
}

/** The slot of the item with this key; null: there is none; undefined: a block is to be read first. */
export function slotOf(segment: Segment, key: ListKey, sight: Sight): number | null | undefined {
  const slot = countBelow(segment, key, sight);
  if (slot === undefined) return undefined;
  if (slot >= segment.items) return null;
  const hit = hitAt(segment, slot, sight);
  if (hit === undefined) return undefined;
  return compareListKeys(hit.key, key) === 0 ? slot : null;
}
