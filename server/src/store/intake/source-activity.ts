import type { Queries } from "../engine/db.ts";
import { type TermActivity, termActivity, termCounts } from "../list/reference.ts";

/** The source names of items. */
export async function sourceNames(db: Queries): Promise<string[]> {
  return (await termCounts(db, ["aggregator"])).map(({ value }) => value);
}

/** The activity of a source, as its items show it. */
export function sourceActivity(db: Queries, name: string, now: Date): Promise<TermActivity> {
  return termActivity(db, { kind: "aggregator", value: name.toLowerCase() }, now);
}
