import type { LogItem } from "../feed/item.ts";
import type { Calls } from "./calls.ts";

/** What one transaction added to a log. */
export interface Committed {
  readonly epoch: string;
  /** Consecutive in seq, in order. */
  readonly items: readonly LogItem[];
}

/** Rows outside the log that processes cache. keys: keys, sessions, plans of accounts. endpoints: those of webhooks. */
export const changes = ["keys", "endpoints"] as const;
export type Change = (typeof changes)[number];

/**
 * committed: this process added entries. entries: another did. position: another did, up to this position. changed: rows
 * were changed, here or elsewhere. missed: messages may have been lost, so everything may have changed.
 */
export type BusMessage =
  | { readonly kind: "committed"; readonly committed: Committed }
  | { readonly kind: "entries"; readonly committed: Committed }
  | { readonly kind: "position"; readonly epoch: string; readonly seq: number }
  | { readonly kind: "changed"; readonly change: Change }
  | { readonly kind: "missed" };

/** Called in the turn in which a message comes; must not throw. */
export type BusListener = (message: BusMessage) => void;

/**
 * Announces committed items and changed rows, and may carry the items. It only wakes readers: the tables are the truth,
 * so a lost or repeated message costs a read, never an item.
 */
export interface Bus {
  /** Call it after the commit. Neither waits nor throws. */
  publish(committed: Committed): void;
  /** Call it after the commit. Neither waits nor throws. */
  announce(change: Change): void;
  /** @returns unsubscribe */
  subscribe(listener: BusListener): () => void;
}

export const busNames = ["in-process", "postgres", "nats"] as const;
export type BusName = (typeof busNames)[number];

/** Carries messages between this process and the others on its database. */
export interface Carrier extends AsyncDisposable {
  readonly name: BusName;
  /** Whether messages of other processes arrive at present. Without them readers find everything by polling. */
  readonly isConnected: boolean;
  /** By which processes ask each other; null: this carrier has nothing for that. */
  readonly calls: Calls | null;
  /** Neither waits nor throws. */
  publish(committed: Committed): void;
  /** Neither waits nor throws. */
  announce(change: Change): void;
  /** Names the log whose messages are wanted; called at the start and whenever the log is replaced. */
  follow(epoch: string): void;
}

/** Messages since the start of the process, by kind; connects: how often other processes became audible. */
export interface BusCounts {
  readonly sent: Record<"entries" | "position" | "changed", number>;
  readonly received: Record<"entries" | "position" | "changed", number>;
  connects: number;
  /** Messages that could not be sent, or could not be read. */
  lost: number;
}

export function newCounts(): BusCounts {
  const none = () => ({ entries: 0, position: 0, changed: 0 });
  return { sent: none(), received: none(), connects: 0, lost: 0 };
}
