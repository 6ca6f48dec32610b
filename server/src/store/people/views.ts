import type { Selectable, Updateable } from "kysely";
import { lockAccount } from "../accounts/accounts.ts";
import { hasFilterRoom } from "../accounts/filter-room.ts";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";
import { asJson } from "./json.ts";

export type ViewRow = Selectable<Tables["views"]>;
/** Members that are absent stay. */
export type ViewChanges = Pick<
  Updateable<Tables["views"]>,
  "name" | "filters" | "columns" | "alert" | "person_id" | "updated_at"
>;

/** filters_full: the filters of the account's views would be too long together. */
export type Saving = "saved" | "limit_reached" | "filters_full";

/** The shared views of an account and those of the person, oldest first. */
export async function listViews(db: Queries, accountId: string, personId: string | null): Promise<ViewRow[]> {
  return db
    .selectFrom("views")
    .selectAll()
    .where("account_id", "=", accountId)
    .where((where) =>
      personId === null
        ? where("person_id", "is", null)
        : where.or([where("person_id", "is", null), where("person_id", "=", personId)]),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

async function countViews(db: Queries, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("views")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function viewById(db: Queries, id: string): Promise<ViewRow | null> {
  return (await db.selectFrom("views").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Adds a view, unless its account has `limit` of them. */
export async function insertView(db: Queries, view: ViewRow, limit: number): Promise<Saving> {
  const { id, account_id: accountId } = view;
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId);
    if ((await countViews(tx, accountId)) >= limit) return "limit_reached";
    if (!(await hasRoom(tx, { id, accountId }, view.filters))) return "filters_full";
    await tx
      .insertInto("views")
      .values({ ...view, ...stored(view) })
      .execute();
    return "saved";
  });
}

export async function updateView(
  db: Queries,
  { id, account_id: accountId }: Pick<ViewRow, "id" | "account_id">,
  changes: ViewChanges,
): Promise<Exclude<Saving, "limit_reached">> {
  return db.transaction().execute(async (tx) => {
    if (changes.filters !== undefined) {
      await lockAccount(tx, accountId);
      if (!(await hasRoom(tx, { id, accountId }, changes.filters))) return "filters_full";
    }
    await tx
      .updateTable("views")
      .set({ ...changes, ...stored(changes) })
      .where("id", "=", id)
      .execute();
    return "saved";
  });
}

const hasRoom = (tx: Queries, of: { id: string; accountId: string }, filters: unknown) =>
  hasFilterRoom(tx, "views", of, JSON.stringify(filters));

export async function deleteView(db: Queries, id: string): Promise<void> {
  await db.deleteFrom("views").where("id", "=", id).execute();
}

const stored = ({ filters, columns, alert }: ViewChanges) => ({
  ...(filters === undefined ? {} : { filters: asJson(filters) }),
  ...(columns === undefined ? {} : { columns: asJson(columns) }),
  ...(alert == null ? {} : { alert: asJson(alert) }),
});
