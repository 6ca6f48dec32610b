import type { Selectable } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";
import { asJson } from "./json.ts";

export type ViewRow = Selectable<Tables["views"]>;

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

export async function countViews(db: Queries, accountId: string): Promise<number> {
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

export async function insertView(db: Queries, view: ViewRow): Promise<void> {
  await db.insertInto("views").values(stored(view)).execute();
}

export async function replaceView(db: Queries, view: ViewRow): Promise<void> {
  await db.updateTable("views").set(stored(view)).where("id", "=", view.id).execute();
}

export async function deleteView(db: Queries, id: string): Promise<void> {
  await db.deleteFrom("views").where("id", "=", id).execute();
}

const stored = (view: ViewRow) => ({
  ...view,
  filters: asJson(view.filters),
  columns: asJson(view.columns),
  alert: view.alert === null ? null : asJson(view.alert),
});
