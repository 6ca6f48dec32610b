import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, minSecretLength } from "../config/config.ts";
import type { Queries } from "../store/engine/db.ts";
import { dropFirstLinks } from "../store/people/links.ts";
import { isUnvisited } from "../store/people/sessions.ts";
import type { Accounts } from "./keys/accounts.ts";
import type { People } from "./people/people.ts";

/** Files that the first start leaves in the data directory, readable by the owner only. */
const keyFile = "first-key";
const tokenFile = "admin-token";
const linkFile = "sign-in-link";

/** The operator's token: the configured one, else one generated once and stored in the data directory. */
export function adminTokenOf({ adminToken, dataDir }: Config): string {
  if (adminToken !== null) return adminToken;
  const path = join(dataDir, tokenFile);
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  // Less is what a full disk or an edit left: with an empty token everybody would be the operator.
  if (kept.length >= minSecretLength) return kept;
  const made = `tw_admin_${randomBytes(24).toString("base64url")}`;
  writeSecret(dataDir, path, made);
  return made;
}

/**
 * An enterprise key for an installation that has no key yet; also written to the data directory.
 * @returns null when there are keys
 */
export async function firstKey({ dataDir }: Config, accounts: Accounts): Promise<string | null> {
  const created = await accounts.createFirstKey({ name: "first key", plan: "enterprise" });
  if (created === null) return null;
  const path = join(dataDir, keyFile);
  // A key file of another database that used this directory before: it may be the only copy of that key.
  if (existsSync(path)) renameSync(path, `${path}.${statSync(path).mtimeMs.toFixed()}`);
  writeSecret(dataDir, path, created.key);
  return created.key;
}

/**
 * The link with which the operator opens the dashboard; also written to the data directory. Every start makes one that
 * replaces the one before, until somebody has signed in.
 * @returns null when somebody has
 */
export async function firstLink({ dataDir }: Config, db: Queries, { links }: People): Promise<string | null> {
  const path = join(dataDir, linkFile);
  rmSync(path, { force: true });
  if (!(await isUnvisited(db))) return null;
  await dropFirstLinks(db);
  const { url } = await links.make({ purpose: "first" }, { name: "first start", personId: null });
  writeSecret(dataDir, path, url);
  return url;
}

/** A process that ends meanwhile leaves no half of the file. */
function writeSecret(dataDir: string, path: string, secret: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(aside, path);
}
