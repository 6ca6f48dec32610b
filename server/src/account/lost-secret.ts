import { randomUUID } from "node:crypto";
import type { Db } from "../store/engine/db.ts";
import { areOthersSeen, processGone, processSeen } from "../store/log/processes.ts";
import {
  readSecretCheck,
  replaceAllSecrets,
  type SealedEndpoint,
  sealedEndpoints,
} from "../store/webhooks/secret-check.ts";
import {
  isDamaged,
  isWithoutSecret,
  SecretError,
  type SecretPlace,
  sealOf,
  setAside,
} from "./sealed-secrets.ts";
import { newSigningSecret } from "./secrets.ts";

/**
 * - fits: the signing secrets of webhooks can be read.
 * - shadowed: they could be with the secret that is stored; TAPEWIRE_SECRET is another one.
 * - lost: no secret is there, it is damaged, or it is not the one that they are sealed with.
 */
export type SecretState = "fits" | "shadowed" | "lost";

/** Looks at the operator's secret. It makes no file and records no secret as that of the database. */
export async function secretState(
  place: SecretPlace,
  db: Db,
): Promise<{ readonly state: SecretState; readonly endpoints: readonly SealedEndpoint[] }> {
  const endpoints = await sealedEndpoints(db.main);
  if (isDamaged(place)) return { state: "lost", endpoints };
  if (endpoints.length === 0) return { state: "fits", endpoints };
  const check = await readSecretCheck(db.main);
  const fits = async (one: SecretPlace) =>
    !isWithoutSecret(one) && !isDamaged(one) && (await sealOf(one, db.main)).check === check;
  if (await fits(place)) return { state: "fits", endpoints };
  const state = (await fits({ ...place, secret: null })) ? "shadowed" : "lost";
  return { state, endpoints };
}

/** What to do where TAPEWIRE_SECRET is set to another secret than the one that is stored. */
export const adviceShadowed =
  "the stored secret is the one of this database, and TAPEWIRE_SECRET is another: start without TAPEWIRE_SECRET";

/**
 * Gives every endpoint a new signing secret, sealed with the operator's secret as it is now; one is made where there is none.
 * The endpoints stay as they are otherwise.
 * @throws {SecretError} when nothing is lost, or a process runs on the database
 */
export async function renewSecrets(place: SecretPlace, db: Db): Promise<readonly SealedEndpoint[]> {
  const { state } = await secretState(place, db);
  if (state === "shadowed") throw new SecretError(adviceShadowed);
  if (state === "fits")
    throw new SecretError(
      "nothing is lost: the signing secrets of this database can be read. `tapewire webhooks rotate ID` gives one endpoint a new one",
    );
  if (await isInUse(db))
    throw new SecretError(
      "a process has used this database within the last minute: if it runs, its TAPEWIRE_SECRET is the one; else stop all processes and try again in a minute",
    );
  if (isDamaged(place)) setAside(place);
  const seal = await sealOf(place, db.main);
  return replaceAllSecrets(db.main, seal.check, (id) => seal.seal(newSigningSecret(), id));
}

/** The embedded database has one process, and that is this one. */
async function isInUse(db: Db): Promise<boolean> {
  if (db.engine !== "postgres") return false;
  const id = randomUUID();
  // A sign of life of our own deletes the processes that were killed.
  await processSeen(db.main, id);
  try {
    return await areOthersSeen(db.main, id);
  } finally {
    await processGone(db.main, id);
  }
}
