import type { LogItem } from "../feed/item.ts";

/**
 * Tells that items were committed, and carries them. It only wakes: the table is the truth, so a lost or repeated
 * message costs a read, never an item.
 */
export interface Bus {
  /** @param items consecutive in seq, in order */
  publish(items: readonly LogItem[]): void;
  /** @returns unsubscribe */
  subscribe(listener: (items: readonly LogItem[]) => void): () => void;
}

/** Within one process. */
export function inProcessBus(): Bus {
  const listeners = new Set<(items: readonly LogItem[]) => void>();
  return {
    publish: (items) => {
      for (const listener of listeners) listener(items);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
