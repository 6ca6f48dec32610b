import type { Tapewire } from "tapewire";

/** What tools, resources and prompts work with. */
export interface Room {
  /** The client of the account that asks. */
  readonly tapewire: Tapewire;
  readonly now: () => Date;
  /** How waiting for items connects. Absent: as the client library decides. */
  readonly streamBy?: "sse" | undefined;
  /** Whether subscribers are told when a symbol or an item changes. */
  readonly tellsUpdates?: boolean | undefined;
  /** Is told of failures that are bugs; the caller sees only that the tool failed. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}
