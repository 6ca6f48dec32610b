import { randomBytes } from "node:crypto";
import type { Queries } from "./db.ts";

/** A value that all processes on one database share for good; the first caller sets it. */
export async function sharedSetting(db: Queries, name: string, value: string): Promise<string> {
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
  return row.value;
}

/** A secret that all processes on one database share; the first caller makes it. */
export async function sharedSecret(db: Queries, name: string): Promise<Buffer> {
  return Buffer.from(await sharedSetting(db, name, randomBytes(32).toString("base64")), "base64");
}
