import type { LogItem } from "../feed/item.ts";

/** What one transaction added to a log. */
export interface Committed {
  readonly epoch: string;
  /** Consecutive in seq, in order. */
  readonly items: readonly LogItem[];
}

/**
 * Announces committed items, and carries them. It only wakes readers: the table is the truth, so a lost or repeated
 * message costs a read, never an item.
 */
export interface Bus {
  publish(committed: Committed): void;
  /** @returns unsubscribe */
  subscribe(listener: (committed: Committed) => void): () => void;
}

/** Within one process. */
export function inProcessBus(): Bus {
  const listeners = new Set<(committed: Committed) => void>();
  return {
    publish: (committed) => {
      for (const listener of listeners) listener(committed);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
