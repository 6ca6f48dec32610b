import type { Queries } from "../engine/db.ts";
import { type TermActivity, termActivity, termCounts } from "../list/reference.ts";

/** Names that items came under. */
export async function sourceNames(db: Queries): Promise<string[]> {
  return (await termCounts(db, ["aggregator"])).map(({ value }) => value);
}

/** What the items of a source tell of it. */
export function sourceActivity(db: Queries, name: string, now: Date): Promise<TermActivity> {
  return termActivity(db, { kind: "aggregator", value: name.toLowerCase() }, now);
}
