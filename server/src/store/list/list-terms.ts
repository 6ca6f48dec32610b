import type { Filter } from "@tapewire/contract/filter.ts";
import { sql } from "kysely";
import { termGroups } from "../../feed/filter.ts";
import type { Queries } from "../engine/db.ts";

/** What the table of terms knows about a filter. */
export interface FilterTerms {
  /** Term ids of each axis that names values. */
  readonly groups: readonly (readonly number[])[];
  /** Estimated share of the items that pass, 0..1, as if the axes were independent. */
  readonly share: number;
}

/** @returns null when an axis names only values that no item has */
export async function filterTerms(db: Queries, filter: Filter): Promise<FilterTerms | null> {
  const groups = termGroups(filter);
  if (groups.length === 0) return { groups: [], share: scoreShare(filter) };
  const found = await db
    .selectFrom("terms")
    .select(["id", "kind", "count"])
    // Every item has exactly one aggregator.
    .select(sql<number>`(select sum(count)::float8 from terms where kind = 'aggregator')`.as("items"))
    .where((where) =>
      where.or(groups.map(({ kind, values }) => where("kind", "=", kind).and("value", "in", values))),
    )
    .execute();
  const byGroup = groups.map(({ kind }) => found.filter((term) => term.kind === kind));
  if (byGroup.some((terms) => terms.length === 0)) return null;
  const shares = byGroup.map((terms) =>
    Math.min(
      1,
      terms.reduce((sum, { count, items }) => sum + count / Math.max(1, items), 0),
    ),
  );
  return {
    groups: byGroup.map((terms) => terms.map(({ id }) => id)),
    share: shares.reduce((product, share) => product * share, scoreShare(filter)),
  };
}

/** Scores are not counted; these guesses are good enough for a bet. */
function scoreShare(filter: Filter): number {
  const {
    actionability,
    sentimentMin = 0,
    sentimentMax = 10,
    minConviction = 0,
    minActionability = 0,
  } = filter;
  const judged = actionability === undefined ? 1 : actionability ? 0.1 : 0.8;
  const sure = (1 - minConviction / 101) * (1 - minActionability / 101);
  return (judged * sure * (sentimentMax - sentimentMin + 1)) / 11;
}
