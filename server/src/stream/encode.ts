import type { LogItem } from "../feed/item.ts";
import { latencyOf, streamItem } from "../feed/view.ts";

/** What differs from connection to connection. */
export interface FrameHead {
  readonly snapshot: boolean;
  readonly count: number;
  readonly cursor: string;
}

export interface EncodeOptions {
  readonly now: Date;
  readonly locked: boolean;
}

const shared = { open: new WeakMap<LogItem, string>(), locked: new WeakMap<LogItem, string>() };

/**
 * A feed frame. All but its head is encoded once per item and shared by every connection; publish_time is the moment of
 * that first encoding.
 */
export function feedFrame(item: LogItem, head: FrameHead, options: EncodeOptions): string {
  const cache = options.locked ? shared.locked : shared.open;
  const tail = cache.get(item) ?? encodeTail(item, options);
  cache.set(item, tail);
  const { snapshot, count, cursor } = head;
  return `{"type":"feed","snapshot":${snapshot},"count":${count},"cursor":"${cursor}",${tail}`;
}

function encodeTail({ seq, item }: LogItem, { now, locked }: EncodeOptions): string {
  return JSON.stringify({
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
