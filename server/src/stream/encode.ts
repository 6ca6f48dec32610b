import type { LogItem } from "../feed/item.ts";
import { latencyOf, streamItem } from "../feed/view.ts";

export interface EncodeOptions {
  readonly epoch: string;
  readonly now: Date;
  readonly locked: boolean;
}

const shared = { open: new WeakMap<LogItem, string>(), locked: new WeakMap<LogItem, string>() };

/**
 * A feed frame. All but its head is encoded once per item and shared by every connection; publish_time is the moment of
 * that first encoding.
 */
export function feedFrame(item: LogItem, count: number, snapshot: boolean, options: EncodeOptions): string {
  const cache = options.locked ? shared.locked : shared.open;
  const tail = cache.get(item) ?? encodeTail(item, options);
  cache.set(item, tail);
  return `{"type":"feed","snapshot":${snapshot},"count":${count},${tail}`;
}

function encodeTail({ seq, item }: LogItem, { epoch, now, locked }: EncodeOptions): string {
  return JSON.stringify({
    cursor: cursorOf({ epoch, seq }),
    seq,
    latency: latencyOf(item, now),
    data: streamItem(item, { locked }),
  }).slice(1);
}

export function cursorOf({ epoch, seq }: { epoch: string; seq: number }): string {
  return `${epoch}.${seq}`;
}

/** @returns null when the text is no cursor */
export function parseCursor(text: string): { epoch: string; seq: number } | null {
  const found = /^([0-9a-z]{1,32})\.(\d{1,15})$/.exec(text);
  return found?.[1] === undefined ? null : { epoch: found[1], seq: Number(found[2]) };
}
