import { randomBytes } from "node:crypto";
import type { Queries } from "./db.ts";

/** A secret that all processes on one database share; made by the first that asks. */
export async function sharedSecret(db: Queries, name: string): Promise<Buffer> {
  const value = randomBytes(32).toString("base64");
  await db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return Buffer.from(row.value, "base64");
}
