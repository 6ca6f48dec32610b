import { randomUUID } from "node:crypto";
import type { Account, ApiKey, CreatedKey, KeyCreate } from "@tapewire/contract/admin.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { type PlanName, planName } from "@tapewire/contract/plans.ts";
import type { Clock } from "../../runtime/clock.ts";
import * as store from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import type { Authenticator } from "./auth.ts";
import { hashKey, keyHint, makeKey } from "./key.ts";

/** Accounts and their keys, as the admin API offers them. */
export class Accounts {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #auth: Authenticator;

  constructor(deps: { db: Queries; clock: Clock; auth: Authenticator }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#auth = deps.auth;
  }

  async create({ name, plan }: { name: string; plan: PlanName }): Promise<Account> {
    const row = { id: randomUUID(), name, plan, created_at: this.#clock.now() };
    await store.insertAccount(this.#db, row);
    return accountView(row);
  }

  async list(): Promise<Account[]> {
    return (await store.listAccounts(this.#db)).map(accountView);
  }

  /** @throws {ApiError} not_found */
  async update(
    id: string,
    changes: { name?: string | undefined; plan?: PlanName | undefined },
  ): Promise<Account> {
    const row = await store.updateAccount(this.#db, id, changes);
    if (row === null) throw new ApiError("not_found", { detail: "There is no account with this id" });
    this.#auth.forget();
    return accountView(row);
  }

  /** @throws {ApiError} not_found, when the account is not there; invalid_body, when neither account nor plan is given */
  async createKey({ account_id, plan, name, expires_at }: KeyCreate): Promise<CreatedKey> {
    if (account_id !== undefined && !(await store.hasAccount(this.#db, account_id)))
      throw new ApiError("not_found", { detail: "There is no account with this id" });
    if (account_id === undefined && plan === undefined) throw new ApiError("invalid_body");
    const accountId = account_id ?? (await this.create({ name, plan: plan ?? "free" })).id;
    const key = makeKey();
    const id = randomUUID();
    await store.insertKey(this.#db, {
      id,
      account_id: accountId,
      name,
      hash: hashKey(key),
      ...keyHint(key),
      created_at: this.#clock.now(),
      expires_at: expires_at === undefined ? null : new Date(expires_at),
    });
    // Lookups made before the key existed may be cached.
    this.#auth.forget();
    return { key, ...(await this.#key(id)) };
  }

  /** Makes a key for an installation that has none; null when there is one. Of processes that start at once, one makes it. */
  async createFirstKey(wanted: { name: string; plan: PlanName }): Promise<CreatedKey | null> {
    const first = await store.claimFirstKey(this.#db);
    return first ? this.createKey(wanted) : null;
  }

  async listKeys(): Promise<ApiKey[]> {
    return (await store.listKeys(this.#db)).map(keyView);
  }

  /** @throws {ApiError} not_found */
  async revokeKey(id: string): Promise<ApiKey> {
    await store.revokeKey(this.#db, id, this.#clock.now());
    this.#auth.forget();
    return this.#key(id);
  }

  async #key(id: string): Promise<ApiKey> {
    const row = await store.keyById(this.#db, id);
    if (row === null) throw new ApiError("not_found", { detail: "There is no key with this id" });
    return keyView(row);
  }
}

function accountView({ id, name, plan, created_at }: store.AccountRow): Account {
  return { id, name, plan: planName.parse(plan), created_at: created_at.toISOString() };
}

function keyView(row: store.KeyRow): ApiKey {
  return {
    ...row,
    plan: planName.parse(row.plan),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
