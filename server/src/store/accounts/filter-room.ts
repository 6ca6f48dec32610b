import { maxAccountFilterLength } from "@tapewire/contract/filter.ts";
import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/**
 * Whether the account's other rows of the table leave room for these filters, which are listed together. Exact while the
 * account is locked.
 * @param id of the row that has the filters, or gets them
 */
export async function hasFilterRoom(
  tx: Queries,
  table: "webhook_endpoints" | "views",
  { accountId, id }: { accountId: string; id: string },
  filters: string,
): Promise<boolean> {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(length(filters::text)), 0)::int as used
    from ${sql.table(table)} where account_id = ${accountId} and id <> ${id}`.execute(tx);
  return (rows[0]?.used ?? 0) + filters.length <= maxAccountFilterLength;
}
