import type { NewItem } from "../feed/item.ts";

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
}
