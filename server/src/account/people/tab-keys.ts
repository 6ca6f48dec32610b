import { signInTimes, type TabKey } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { PlanTable } from "@tapewire/contract/plans.ts";
import type { Clock } from "../../runtime/clock.ts";
import { planOf } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import { countTabKeys } from "../../store/people/sessions.ts";
import type { Accounts } from "../keys/accounts.ts";
import { rateLimited } from "../refusals.ts";
import { demand, demandOperator, may } from "./rights.ts";
import type { Sessions } from "./sessions.ts";
import type { Client, Visitor } from "./types.ts";

/** Of a session at a time. A reload of a page forgets its key, which then lives on for minutes. */
const mostOfSession = 100;

/** Keys of browser tabs: rows of `keys` like others, so that limits, quotas and revocation are those of all keys. */
export class TabKeys {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #accounts: Accounts;
  readonly #sessions: Sessions;
  readonly #plans: PlanTable;

  constructor(deps: {
    db: Queries;
    clock: Clock;
    accounts: Accounts;
    sessions: Sessions;
    plans: PlanTable;
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#accounts = deps.accounts;
    this.#sessions = deps.sessions;
    this.#plans = deps.plans;
  }

  /** @throws {ApiError} forbidden, not_found; rate_limited, when the session has too many */
  async create(
    visitor: Visitor,
    { account_id: accountId, as }: { account_id: string; as: "member" | "operator" },
    client: Client,
  ): Promise<TabKey> {
    const right = await demand(this.#db, visitor, accountId, "see");
    if (as === "operator") demandOperator(visitor);
    const plan = await planOf(this.#db, accountId);
    if (plan === null) throw new ApiError("not_found", { detail: "There is no account with this id" });
    const now = this.#clock.now();
    if ((await countTabKeys(this.#db, visitor.sessionId, now)) >= mostOfSession)
      throw rateLimited(60, "tab_keys");
    const expiresAt = this.#endOf(visitor);
    const key = await this.#accounts.createTabKey({
      accountId,
      name: `tab of ${visitor.actor.name}`.slice(0, 200),
      sessionId: visitor.sessionId,
      createdBy: visitor.personId,
      scope: as === "operator" ? "operator" : may(right, "act") ? "full" : "read",
      expiresAt,
    });
    if ((await this.#sessions.rightNow(visitor, accountId)) !== right) {
      await this.#accounts.dropTabKey(key);
      throw new ApiError("unauthorized", {
        detail: "Sign in first: the session has ended, or its rights have changed",
      });
    }
    return {
      key,
      expires_at: expiresAt.toISOString(),
      right,
      realtime_feeds_per_day: this.#plans[plan].realtime_feeds_per_day,
      base_url: client.baseUrl,
      ws_url: `${client.baseUrl.replace(/^http/, "ws")}/v1/stream`,
    };
  }

  /** @throws {ApiError} not_found, when it is no valid tab key of the session */
  async renew(visitor: Visitor, key: string): Promise<{ expires_at: string }> {
    const until = this.#endOf(visitor);
    if (!(await this.#accounts.renewTabKey(key, { sessionId: visitor.sessionId, until })))
      throw new ApiError("not_found", { detail: "This session has no such key. Ask for a new one" });
    return { expires_at: until.toISOString() };
  }

  #endOf({ endsAt }: Visitor): Date {
    return new Date(Math.min(this.#clock.now().getTime() + signInTimes.tabKeyMs, endsAt.getTime()));
  }
}
