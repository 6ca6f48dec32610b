import type { FeedItem, NewItem } from "../../feed/item.ts";

/** Items that go in together, with the source whose progress commits with them. */
export interface AppendRequest {
  readonly items: readonly NewItem[];
  /** State key of the source; null for pushes and the operator. */
  readonly sourceId: string | null;
  /** The items are seen as they come: their lag tells how fast the source is. */
  readonly live?: boolean;
  /** Items that the source, or the operator, withdraws, and when we learned of it. */
  readonly retracted?: { readonly identities: readonly string[]; readonly at: string };
}

export interface AppendOutcome {
  readonly id: string;
  readonly uniqueId: string;
  status: "created" | "duplicate" | "revised";
  /** Its source went back to an earlier version once too often; see isDamped. */
  damped?: true;
}

/** What tells whether a source uses a guid again. */
export type Told = Pick<FeedItem, "title" | "link" | "source_time">;

/** What is known beyond the database of who names items by what. */
export interface IdentityRules {
  /**
   * Whether the entry of the sources has a better right to the item that this form names than who brought it. Never true
   * both ways.
   */
  takesOver(sourceId: string, form: string, from: string | null): boolean;
  /** Whether the two, told under one guid, are two items: nothing by which they could be one is left. */
  isReissue(before: Told, now: Told): boolean;
  /** The identity of what was told under a guid that is used again; null: it cannot be told. */
  reissueOf(guid: string, told: Told): string | null;
}

/** A feed without a sources file: whoever brought an item has it for ever. */
export const firstComes: IdentityRules = {
  takesOver: () => false,
  isReissue: () => false,
  reissueOf: () => null,
};
