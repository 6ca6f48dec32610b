import type { Bus, BusListener, BusMessage } from "./types.ts";

/** A bus within one process, which can also hand round what a carrier brings. */
export interface LocalBus extends Bus {
  /** Hands a message to every listener. */
  hand(message: BusMessage): void;
}

export function inProcessBus(): LocalBus {
  const listeners = new Set<BusListener>();
  const hand = (message: BusMessage) => {
    for (const listener of listeners) listener(message);
  };
  return {
    hand,
    publish: (committed) => hand({ kind: "committed", committed }),
    announce: (change) => hand({ kind: "changed", change }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
