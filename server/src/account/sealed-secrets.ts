import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, minSecretLength } from "../config/config.ts";
import type { Queries } from "../store/engine/db.ts";
import { sharedSecret } from "../store/engine/settings.ts";
import { claimSecretCheck } from "../store/webhooks/secret-check.ts";
import { newSecret } from "./secrets.ts";

/** The operator's secret is not available, or not the one of this database; the message says what to do. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}

/** File of the data directory that keeps the secret when none is configured; readable by the owner only. */
const secretFile = "secret";

/** A sealed secret: version, key id, nonce, tag, then the cipher text, which is as long as the secret. */
const version = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;

/** Encrypts secrets that the database stores, with a key that it does not store. */
export class SealedSecrets {
  readonly #key: Buffer;
  /** Version and key id: they show which version and key sealed a secret. */
  readonly #head: Buffer;
  /** Identifies the operator's secret without revealing it. */
  readonly check: string;

  /** @param secret the operator's; the key is derived from it (RFC 5869, SHA-256) */
  constructor(secret: string) {
    const derive = (use: string, bytes: number) =>
      Buffer.from(hkdfSync("sha256", secret, "", `tapewire sealed secrets 1: ${use}`, bytes));
    this.#key = derive("key", 32);
    this.#head = Buffer.concat([Buffer.of(version), derive("key id", keyIdBytes)]);
    this.check = derive("check", 32).toString("base64");
  }

  /** @param owner id of the record that stores the secret; only `open` with the same owner succeeds */
  seal(secret: string, owner: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce).setAAD(this.#aad(owner));
    const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([this.#head, nonce, cipher.getAuthTag(), text]);
  }

  /** @throws {SecretError} when it was sealed for another owner, with another key, or has changed since */
  open(sealed: Uint8Array, owner: string): string {
    const bytes = Buffer.from(sealed);
    const nonceEnd = headBytes + nonceBytes;
    const textStart = nonceEnd + tagBytes;
    if (bytes.length < textStart || !bytes.subarray(0, headBytes).equals(this.#head))
      throw new SecretError(`the secret of ${owner} is sealed with another key`);
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(headBytes, nonceEnd));
    decipher.setAAD(this.#aad(owner)).setAuthTag(bytes.subarray(nonceEnd, textStart));
    try {
      return decipher.update(bytes.subarray(textStart), undefined, "utf8") + decipher.final("utf8");
    } catch (cause) {
      throw new SecretError(`the secret of ${owner} has been changed in the database`, { cause });
    }
  }

  #aad(owner: string): Buffer {
    return Buffer.concat([this.#head, Buffer.from(owner)]);
  }
}

/** Where the secret of an operator stands. */
export type SecretPlace = Pick<Config, "secret" | "dataDir" | "databaseUrl">;

/**
 * The seal of the operator's secret: the configured one, else one generated once. That is stored in the data directory, or,
 * with PostgreSQL, which several machines may share, in the database itself; there it protects only a stray copy of the one
 * table.
 * @throws {SecretError} when the secret cannot be kept, or is damaged
 */
export async function sealOf(
  { secret, dataDir, databaseUrl }: SecretPlace,
  db: Queries,
): Promise<SealedSecrets> {
  const made = async () =>
    databaseUrl === null
      ? keptSecret(dataDir)
      : (await sharedSecret(db, "sealing_secret")).toString("base64");
  return new SealedSecrets(secret ?? (await made()));
}

/**
 * Opens the seal with the operator's secret.
 * @throws {SecretError} when the database holds secrets sealed with another secret: they could not be read
 */
export async function openSealedSecrets(place: SecretPlace, db: Queries): Promise<SealedSecrets> {
  const { secret, dataDir } = place;
  const isMade = isWithoutSecret(place);
  const sealed = await sealOf(place, db);
  if (await claimSecretCheck(db, sealed.check)) return sealed;
  // What was made just now would be taken for the right one later.
  if (isMade) {
    rmSync(secretPath(dataDir), { force: true });
    throw new SecretError(missing(secretPath(dataDir)));
  }
  const given = secret === null ? "the secret of this data directory" : "TAPEWIRE_SECRET";
  throw new SecretError(
    `${given} is not the one that the webhooks of this database are sealed with: set TAPEWIRE_SECRET to that one, the same in every process. Where it was never set, it is in the file ${secretFile} of the data directory used before: copy that file to ${secretPath(dataDir)}; or in the settings table of a PostgreSQL. ${whenLost}`,
  );
}

const missing = (path: string) =>
  `${path} is missing: it keeps the secret that the signing secrets of this database's webhooks are sealed with, and no backup has it. Without it the service can neither sign deliveries nor show those secrets, so it does not start; nothing else is lost. Copy the file ${secretFile} of the data directory used before to that place, or set TAPEWIRE_SECRET to what it holds, or to what it was set to before (on a PostgreSQL, look into its settings table). ${whenLost}`;

const whenLost =
  "When it is lost, `tapewire secret` tells what is lost with it, and `tapewire secret renew` makes new signing secrets";

const secretPath = (dataDir: string) => join(dataDir, secretFile);

/** No secret is configured, none is in the data directory, and none can be in the database. */
export function isWithoutSecret({ secret, dataDir, databaseUrl }: SecretPlace): boolean {
  return secret === null && databaseUrl === null && !existsSync(secretPath(dataDir));
}

/** Whether the file of the secret is there, but holds no secret. */
export function isDamaged({ secret, dataDir, databaseUrl }: SecretPlace): boolean {
  if (secret !== null || databaseUrl !== null) return false;
  const kept = readSecret(secretPath(dataDir));
  return kept !== null && kept.length < minSecretLength;
}

/** Makes room for another secret; the old file stays beside it. @returns where it is now */
export function setAside({ dataDir }: SecretPlace): string {
  const aside = `${secretPath(dataDir)}.damaged`;
  renameSync(secretPath(dataDir), aside);
  return aside;
}

function keptSecret(dataDir: string): string {
  const path = secretPath(dataDir);
  try {
    const kept = readSecret(path) ?? makeSecret(dataDir, path);
    if (kept.length >= minSecretLength) return kept;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SecretError(`cannot keep a secret in ${path} (${reason}): set TAPEWIRE_SECRET`, { cause });
  }
  throw new SecretError(
    `${path} is damaged: put it back from a backup, or set TAPEWIRE_SECRET to what it held. ${whenLost}`,
  );
}

/** Of processes that start at once in one directory, one makes the secret: a hard link appears complete or not at all. */
function makeSecret(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${newSecret()}\n`, { mode: 0o600 });
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return readSecret(path) ?? "";
}

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}
