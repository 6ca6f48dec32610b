import { type PlanLimits, usageDays } from "@tapewire/contract/account.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Plan } from "@tapewire/contract/plans.ts";
import type { Authenticator } from "../../account/keys/auth.ts";
import { dayText } from "../../account/usage.ts";
import { dayMs } from "../../runtime/utc-day.ts";
import { keyById } from "../../store/accounts/accounts.ts";
import { openStreams } from "../../store/accounts/stream-slots.ts";
import type { UsageRow } from "../../store/accounts/usage.ts";
import type { Db } from "../../store/engine/db.ts";
import type { Handlers, HandlersOf } from "../contract-routes.ts";

export interface AccountDeps {
  readonly db: Db;
  readonly auth: Authenticator;
}

export function accountHandlers(deps: AccountDeps): HandlersOf<"account"> {
  return { me: readMe(deps), usage: readUsage(deps) };
}

/** GET /v1/me. */
function readMe({ db, auth }: AccountDeps): Handlers["me"] {
  return async ({ caller }) => {
    const [key, [today]] = await Promise.all([
      keyById(db.main, caller.keyId),
      auth.usage.read(caller.accountId, 1),
    ]);
    // Deleted after the request was admitted.
    if (key === null) throw new ApiError("unauthorized");
    const { account_id, account_name, id, name, prefix, last4 } = key;
    const { day: _, errors: __, ...counts } = today ?? noUse(dayText(auth.usage.today));
    return {
      body: {
        key: {
          id,
          name,
          prefix,
          last4,
          created_at: key.created_at.toISOString(),
          last_used_at: auth.useBefore(id, key.last_used_at)?.toISOString() ?? null,
          expires_at: key.expires_at?.toISOString() ?? null,
        },
        account: { id: account_id, name: account_name },
        tier: caller.tier,
        limits: limitsOf(caller.plan),
        usage: { ...counts, reset_at: resetAt(auth.usage.today) },
      },
    };
  };
}

/** GET /v1/usage. */
function readUsage({ db, auth }: AccountDeps): Handlers["usage"] {
  return async ({ query, caller }) => {
    const days = query.days ?? usageDays.fallback;
    const [rows, open] = await Promise.all([
      auth.usage.read(caller.accountId, days),
      openStreams(db.main, caller.accountId),
    ]);
    const data = rows.map(({ day, ...counts }) => ({ date: day, ...counts }));
    const { day, ...counts } = rows.at(-1) ?? noUse(dayText(auth.usage.today));
    return {
      body: {
        days,
        timezone: "UTC",
        data,
        limits: limitsOf(caller.plan),
        open_streams: open,
        today: { date: day, ...counts, reset_at: resetAt(auth.usage.today) },
      },
    };
  };
}

function noUse(day: string): UsageRow {
  return { day, feed: 0, score: 0, requests: 0, errors: 0 };
}

/** 00:00 UTC of the day after `today`, which is in days since the epoch. */
function resetAt(today: number): string {
  return new Date((today + 1) * dayMs).toISOString();
}

function limitsOf(plan: Plan): PlanLimits {
  return {
    requests_per_minute: plan.requests_per_minute,
    page_limit_max: plan.feed_list?.page_max ?? null,
    realtime_feeds_per_day: plan.realtime_feeds_per_day,
    score_per_day: plan.score_per_day,
    stream_connections: plan.stream_connections,
    webhook_endpoints: plan.webhook_endpoints,
    replay: plan.replay,
    scored_feed: plan.scores_visible,
  };
}
