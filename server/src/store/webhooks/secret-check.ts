import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** Name of the setting that identifies the secret with which the signing secrets of this database are sealed. */
const checkName = "secret_check";

export const selectSecretCheck = (db: Queries) =>
  db.selectFrom("settings").select("value").where("name", "=", checkName);

/** Identifies the secret that seals this database; null: none has yet. */
export async function readSecretCheck(db: Queries): Promise<string | null> {
  return (await selectSecretCheck(db).executeTakeFirst())?.value ?? null;
}

/**
 * Records which secret seals the secrets of this database.
 * @param check identifies the secret
 * @returns false when something is sealed with another secret; until then a new secret replaces the old one
 */
export async function claimSecretCheck(db: Queries, check: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await tx
      .insertInto("settings")
      .values({ name: checkName, value: check })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { value } = await selectSecretCheck(tx).forUpdate().executeTakeFirstOrThrow();
    if (value === check) return true;
    const replaced = await sql`
      update settings set value = ${check}
      where name = ${checkName} and not exists (select from webhook_endpoints)`.execute(tx);
    return replaced.numAffectedRows === 1n;
  });
}

/** An endpoint whose signing secret is sealed. */
export interface SealedEndpoint {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
}

/** The endpoints of all accounts, oldest first. */
export async function sealedEndpoints(db: Queries): Promise<SealedEndpoint[]> {
  return db
    .selectFrom("webhook_endpoints")
    .select(["id", "account_id", "url"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/**
 * Replaces the signing secret of every endpoint, and the secret that seals them: all of it or nothing. What was sealed before
 * cannot be opened any more, so no previous secret stays.
 * @param check identifies the new sealing secret
 * @param sealedFor the sealed signing secret of an endpoint
 */
export async function replaceAllSecrets(
  db: Queries,
  check: string,
  sealedFor: (endpointId: string) => Uint8Array,
): Promise<SealedEndpoint[]> {
  return db.transaction().execute(async (tx) => {
    // The lock that insertWebhook shares: no endpoint is added meanwhile.
    await selectSecretCheck(tx).forUpdate().executeTakeFirst();
    const endpoints = await sealedEndpoints(tx);
    for (const { id } of endpoints)
      await tx
        .updateTable("webhook_endpoints")
        .set({
          secret: sealedFor(id),
          previous_secret: null,
          previous_secret_until: null,
          updated_at: sql`clock_timestamp()`,
          changed_at: sql`clock_timestamp()`,
        })
        .where("id", "=", id)
        .execute();
    await sql`
      insert into settings (name, value) values (${checkName}, ${check})
      on conflict (name) do update set value = excluded.value`.execute(tx);
    return endpoints;
  });
}
