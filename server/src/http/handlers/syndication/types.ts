import type { Entry } from "./entry.ts";

/** A page of the list for feed readers. */
export interface ReaderFeed {
  /** Address of the service. */
  readonly home: string;
  /** Address of this feed, without a key. */
  readonly self: string;
  /** Address of the page of older items, with the key that the query had; null: there is none. */
  readonly next: string | null;
  /** Newest first. */
  readonly entries: readonly Entry[];
}
