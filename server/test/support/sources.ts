import type { Queries } from "../../src/store/engine/db.ts";
import { type SourceState, sourceStates } from "../../src/store/intake/sources.ts";

/** What the database has of one source; null before it was registered. */
export async function sourceState(db: Queries, id: string): Promise<SourceState | null> {
  return (await sourceStates(db)).find((state) => state.id === id) ?? null;
}
