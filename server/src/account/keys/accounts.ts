import { randomUUID } from "node:crypto";
import type { Account, ApiKey, CreatedKey, KeyCreate } from "@tapewire/contract/admin.ts";
import type { KeyUpdate } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { type PlanName, planName } from "@tapewire/contract/plans.ts";
import type { Clock } from "../../runtime/clock.ts";
import * as store from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import { renewTabKey } from "../../store/people/sessions.ts";
import { hashSecret } from "../secrets.ts";
import type { Authenticator } from "./auth.ts";
import { isWellFormedKey, keyHint, makeKey } from "./key.ts";

/** Of an account at a time; revoked and expired ones do not count. */
const mostKeys = 200;

/** What a tab key is made of. */
export interface TabKeyOf {
  readonly accountId: string;
  readonly name: string;
  readonly sessionId: string;
  /** Id of the person; null: a session without a person. */
  readonly createdBy: string | null;
  readonly scope: "full" | "read" | "operator";
  readonly expiresAt: Date;
}

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
    this.#auth.changed();
    return accountView(row);
  }

  /**
   * @throws {ApiError} not_found, when the account is not there; invalid_body, when neither account nor plan is given;
   *   conflict, when the account has too many keys
   */
  async createKey(
    { account_id, plan, name, expires_at }: KeyCreate,
    createdBy: string | null = null,
  ): Promise<CreatedKey> {
    if (account_id !== undefined && !(await store.hasAccount(this.#db, account_id)))
      throw new ApiError("not_found", { detail: "There is no account with this id" });
    if (account_id === undefined && plan === undefined) throw new ApiError("invalid_body");
    const accountId = account_id ?? (await this.create({ name, plan: plan ?? "free" })).id;
    const key = makeKey();
    const made = this.#newKey(key, { accountId, name, createdBy });
    await this.#db.transaction().execute(async (tx) => {
      await store.lockAccount(tx, accountId);
      await demandRoom(tx, accountId, made.created_at);
      await store.insertKey(tx, {
        ...made,
        expires_at: expires_at === undefined ? null : new Date(expires_at),
      });
    });
    // Lookups made before the key existed may be cached.
    this.#auth.forget();
    return { key, ...(await this.#key(made.id)) };
  }

  /** Makes a key for an installation that has none; null when there is one. Of processes that start at once, one makes it. */
  async createFirstKey(wanted: { name: string; plan: PlanName }): Promise<CreatedKey | null> {
    const first = await store.claimFirstKey(this.#db);
    return first ? this.createKey(wanted) : null;
  }

  async listKeys(of: store.KeysOf = { accountId: null, createdBy: null }): Promise<ApiKey[]> {
    return (await store.listKeys(this.#db, of)).map(keyView);
  }

  /** A key of a browser tab: for minutes, and not in lists. */
  async createTabKey(wanted: TabKeyOf): Promise<string> {
    const { accountId, name, createdBy, sessionId, scope, expiresAt } = wanted;
    const key = makeKey("tab");
    const made = { ...this.#newKey(key, { accountId, name, createdBy }), session_id: sessionId };
    await store.insertKey(this.#db, { ...made, kind: "tab", scope, expires_at: expiresAt });
    return key;
  }

  /** @returns whether the session has this tab key and it was still valid */
  async renewTabKey(key: string, { sessionId, until }: { sessionId: string; until: Date }): Promise<boolean> {
    if (!isWellFormedKey(key)) return false;
    const now = this.#clock.now();
    const renewed = await renewTabKey(this.#db, { sessionId, hash: hashSecret(key), now, until });
    if (renewed) this.#auth.forget();
    return renewed;
  }

  /** Takes back a tab key that nobody has seen. */
  async dropTabKey(key: string): Promise<void> {
    await store.dropKey(this.#db, hashSecret(key));
    this.#auth.forget();
  }

  /** @throws {ApiError} not_found */
  async revokeKey(id: string): Promise<ApiKey> {
    await store.revokeKey(this.#db, id, this.#clock.now());
    this.#auth.changed();
    return this.#key(id);
  }

  /** @throws {ApiError} not_found; conflict, when the key is revoked, or would be valid again beside too many others */
  async updateKey(id: string, { name, expires_at }: KeyUpdate): Promise<ApiKey> {
    const { account_id } = await this.#key(id);
    const expiry = expires_at == null ? expires_at : new Date(expires_at);
    const now = this.#clock.now();
    await this.#db.transaction().execute(async (tx) => {
      await store.lockAccount(tx, account_id);
      const key = await store.keyById(tx, id);
      if (key === null || key.revoked_at !== null)
        throw new ApiError("conflict", { detail: "The key is revoked" });
      if (!isBefore(now, key.expires_at) && expiry !== undefined && isBefore(now, expiry))
        await demandRoom(tx, account_id, now);
      await store.updateKey(tx, id, {
        ...(name === undefined ? {} : { name }),
        ...(expiry === undefined ? {} : { expires_at: expiry }),
      });
    });
    this.#auth.changed();
    return this.#key(id);
  }

  /**
   * Replaces a key by one of the same name and expiry. The old one stays valid for `graceMs`, never longer than its own
   * expiry. Of calls at once, one succeeds.
   * @throws {ApiError} not_found; conflict, when the key is revoked, expired or replaced already, or when it stays valid
   *   and the account has too many keys
   */
  async rotateKey(
    id: string,
    { graceMs, createdBy }: { graceMs: number; createdBy: string | null },
  ): Promise<CreatedKey> {
    const old = await this.#key(id);
    const now = this.#clock.now();
    const ends = Math.min(
      now.getTime() + graceMs,
      old.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(old.expires_at),
    );
    if (old.revoked_at !== null || (old.expires_at !== null && Date.parse(old.expires_at) <= now.getTime()))
      throw new ApiError("conflict", { detail: "The key is revoked or expired: create a new one" });
    const key = makeKey();
    const made = {
      ...this.#newKey(key, { accountId: old.account_id, name: old.name, createdBy }),
      expires_at: old.expires_at === null ? null : new Date(old.expires_at),
      replaces: id,
    };
    await this.#db.transaction().execute(async (tx) => {
      // Before the key, as whoever ends a person's rights does: two calls that wait for each other would both fail.
      await store.lockAccount(tx, old.account_id);
      if (!(await store.lockUnreplacedKey(tx, id)))
        throw new ApiError("conflict", { detail: "The key is revoked, or another key replaces it already" });
      if (graceMs > 0) await demandRoom(tx, old.account_id, now);
      await store.insertKey(tx, made);
      await store.updateKey(tx, id, { expires_at: new Date(ends) });
      if (graceMs === 0) await store.revokeKey(tx, id, now);
    });
    this.#auth.changed();
    return { key, ...(await this.#key(made.id)) };
  }

  #newKey(
    key: string,
    { accountId, name, createdBy }: { accountId: string; name: string; createdBy: string | null },
  ) {
    return {
      id: randomUUID(),
      account_id: accountId,
      name,
      hash: hashSecret(key),
      ...keyHint(key),
      created_at: this.#clock.now(),
      session_id: null,
      created_by: createdBy,
      replaces: null,
    };
  }

  async #key(id: string): Promise<ApiKey> {
    const row = await store.keyById(this.#db, id);
    if (row === null || row.kind !== "live")
      throw new ApiError("not_found", { detail: "There is no key with this id" });
    return keyView(row);
  }
}

/** @throws {ApiError} conflict, when the account, which is locked, has too many valid keys */
async function demandRoom(tx: Queries, accountId: string, now: Date): Promise<void> {
  if ((await store.countValidKeys(tx, accountId, now)) >= mostKeys)
    throw new ApiError("conflict", {
      detail: `The account has ${mostKeys} valid keys already: revoke some first`,
    });
}

/** @param expiry null: never */
const isBefore = (now: Date, expiry: Date | null) => expiry === null || now < expiry;

function accountView({ id, name, plan, created_at }: store.AccountRow): Account {
  return { id, name, plan: planName.parse(plan), created_at: created_at.toISOString() };
}

/** A key as the API shows it: without what only the service needs. */
export function keyView({
  kind: _,
  scope: __,
  session_id: ___,
  creator,
  creator_email: ____,
  ...row
}: store.KeyRow): ApiKey {
  return {
    ...row,
    plan: planName.parse(row.plan),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    created_by: creator,
  };
}
