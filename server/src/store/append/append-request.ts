import type { FeedItem, NewItem } from "../../feed/item.ts";

/** Items that are appended together; the progress of their source commits with them. */
export interface AppendRequest {
  readonly items: readonly NewItem[];
  /** State key of the source; null for pushes and the operator. */
  readonly sourceId: string | null;
  /** The items were seen when they appeared, so their lag measures how fast the source is. */
  readonly live?: boolean;
  /** Items that the source, or the operator, withdraws, and when we learned of it. */
  readonly retracted?: { readonly identities: readonly string[]; readonly at: string };
}

export interface AppendOutcome {
  readonly id: string;
  readonly uniqueId: string;
  /** too_old: it was published before what is kept, or is an item that was deleted; nothing was stored. */
  status: "created" | "duplicate" | "revised" | "too_old";
  /** Its source returned to an earlier version too often; see isDamped. */
  damped?: true;
  /** too_old: from when on items are kept. */
  keptSince?: Date;
}

/** The members of an item that show whether a source uses a guid again. */
export type Listing = Pick<FeedItem, "title" | "link" | "source_time">;

/** Who may name items by which identities; this knowledge is outside the database. */
export interface IdentityRules {
  /**
   * Whether this source's entry has a better right to the item that the form names than the source that brought it. Never
   * true both ways.
   */
  takesOver(sourceId: string, form: string, from: string | null): boolean;
  /** Whether two listings under one guid are different items: nothing is left by which they could be one. */
  isReissue(before: Listing, now: Listing): boolean;
  /** The identity of a listing under a reused guid; null: it has none. */
  reissueOf(guid: string, listing: Listing): string | null;
}

/** The rules without a sources file: the source that brings an item first keeps it. */
export const firstComes: IdentityRules = {
  takesOver: () => false,
  isReissue: () => false,
  reissueOf: () => null,
};
