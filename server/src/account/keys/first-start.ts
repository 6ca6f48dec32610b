import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Accounts } from "./accounts.ts";

/** Files that the first start leaves in the data directory, readable by the owner only. */
const keyFile = "first-key";
const tokenFile = "admin-token";

/** The operator's token: the configured one, else one generated once and stored in the data directory. */
export function adminTokenOf({ adminToken, dataDir }: Config): string {
  if (adminToken !== null) return adminToken;
  const path = join(dataDir, tokenFile);
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
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

function writeSecret(dataDir: string, path: string, secret: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
}
