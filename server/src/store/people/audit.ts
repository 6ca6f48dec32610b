import type { Selectable } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";
import { asJson } from "./json.ts";

export type AuditRow = Selectable<Tables["audit"]>;

export async function insertAudit(db: Queries, { detail, ...entry }: Omit<AuditRow, "id">): Promise<void> {
  await db
    .insertInto("audit")
    .values({ ...entry, detail: asJson(detail) })
    .execute();
}

/** Newest first. @param accountId null: of all accounts; @param before only entries with a smaller id; null: from the newest */
export async function readAudit(
  db: Queries,
  { accountId, before, limit }: { accountId: string | null; before: number | null; limit: number },
): Promise<AuditRow[]> {
  let entries = db.selectFrom("audit").selectAll().orderBy("id", "desc").limit(limit);
  if (accountId !== null) entries = entries.where("account_id", "=", accountId);
  if (before !== null) entries = entries.where("id", "<", before);
  return entries.execute();
}
