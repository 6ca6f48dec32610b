import type { ApiKey, CreatedKey } from "@tapewire/contract/admin.ts";
import type { KeyUpdate } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { AttemptLimit } from "../../runtime/sharing/attempt-limit.ts";
import { type KeyRow, keyById } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import type { Accounts } from "../keys/accounts.ts";
import { takeAttempt } from "../refusals.ts";
import type { Action, Audit } from "./audit.ts";
import { demand, may } from "./rights.ts";
import type { Sessions } from "./sessions.ts";
import type { Visitor } from "./types.ts";

const createdRate = { atOnce: 200, perSecond: 200 / 86_400 } as const;

/** API keys as people manage them: owners all of the account, members those that they created. */
export class AccountKeys {
  readonly #db: Queries;
  readonly #accounts: Accounts;
  readonly #audit: Audit;
  readonly #sessions: Sessions;
  /** By account and person: revoked keys stay in the list, so creating and revoking would fill it. */
  readonly #created: AttemptLimit;

  constructor(deps: {
    db: Queries;
    clock: Clock;
    accounts: Accounts;
    audit: Audit;
    sessions: Sessions;
  }) {
    this.#created = new AttemptLimit(deps.clock, createdRate);
    this.#db = deps.db;
    this.#accounts = deps.accounts;
    this.#audit = deps.audit;
    this.#sessions = deps.sessions;
  }

  /** @throws {ApiError} forbidden, not_found: all methods; conflict, rate_limited: those that create keys */
  async list(visitor: Visitor, accountId: string): Promise<ApiKey[]> {
    const right = await demand(this.#db, visitor, accountId, "holdKeys");
    const createdBy = may(right, "manageAllKeys") ? null : visitor.personId;
    return this.#accounts.listKeys({ accountId, createdBy });
  }

  async create(
    visitor: Visitor,
    accountId: string,
    wanted: { name: string; expires_at?: string | undefined },
  ): Promise<CreatedKey> {
    await demand(this.#db, visitor, accountId, "holdKeys");
    this.#countCreated(visitor, accountId);
    const made = await this.#accounts.createKey({ ...wanted, account_id: accountId }, visitor.personId);
    await this.#demandStill(visitor, made);
    await this.#note(visitor, "key.created", made);
    return made;
  }

  async update(visitor: Visitor, id: string, changes: KeyUpdate): Promise<ApiKey> {
    const { key, mayExtend } = await this.#demandKey(visitor, id);
    if (!mayExtend && isLonger(changes.expires_at, key.expires_at))
      throw new ApiError("forbidden", { detail: "Only an owner makes a key live longer" });
    const updated = await this.#accounts.updateKey(id, changes);
    await this.#note(visitor, "key.updated", updated);
    return updated;
  }

  async rotate(visitor: Visitor, id: string, graceMs: number): Promise<CreatedKey> {
    const { key } = await this.#demandKey(visitor, id);
    this.#countCreated(visitor, key.account_id);
    const made = await this.#accounts.rotateKey(id, { graceMs, createdBy: visitor.personId });
    await this.#demandStill(visitor, made);
    await this.#note(visitor, "key.rotated", made);
    return made;
  }

  async revoke(visitor: Visitor, id: string): Promise<ApiKey> {
    await this.#demandKey(visitor, id);
    const revoked = await this.#accounts.revokeKey(id);
    await this.#note(visitor, "key.revoked", revoked);
    return revoked;
  }

  #countCreated({ personId }: Visitor, accountId: string): void {
    const detail = "Too many keys were created for this account today";
    takeAttempt(this.#created, `${accountId} ${personId}`, { policy: "keys", detail });
  }

  /** Takes a key back that was made while its maker lost the right to it. @throws {ApiError} forbidden */
  async #demandStill(visitor: Visitor, { id, account_id }: ApiKey): Promise<void> {
    const right = await this.#sessions.rightNow(visitor, account_id);
    if (right !== null && may(right, "holdKeys")) return;
    await this.#accounts.revokeKey(id);
    throw new ApiError("forbidden");
  }

  async #demandKey(visitor: Visitor, id: string): Promise<{ key: KeyRow; mayExtend: boolean }> {
    const key = await keyById(this.#db, id);
    if (key === null || key.kind !== "live")
      throw new ApiError("not_found", { detail: "There is no key with this id" });
    const right = await demand(this.#db, visitor, key.account_id, "holdKeys");
    const isOwn = visitor.personId !== null && key.created_by === visitor.personId;
    if (!isOwn && !may(right, "manageAllKeys"))
      throw new ApiError("forbidden", { detail: "Somebody else created this key: an owner may change it" });
    return { key, mayExtend: may(right, "manageAllKeys") };
  }

  #note({ actor }: Visitor, action: Action, { id, name, account_id, replaces }: ApiKey): Promise<void> {
    const detail = { key_id: id, ...(replaces === null ? {} : { replaces }) };
    return this.#audit.note({ actor, action, subject: name, accountId: account_id, detail });
  }
}

/** @param wanted undefined: stays; null: never */
function isLonger(wanted: string | null | undefined, before: Date | null): boolean {
  if (wanted === undefined || before === null) return false;
  return wanted === null || new Date(wanted) > before;
}
