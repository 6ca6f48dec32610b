import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { lowestPlan, type Plan, type PlanTable } from "@tapewire/contract/plans.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import type { Authenticator, Caller } from "../account/keys/auth.ts";
import { keyOfRequest } from "../account/keys/presented-key.ts";
import type { Standing } from "../account/rate-limit.ts";
import { rateHeaders, takeRequest } from "../account/request-rate.ts";
import type { ScoreQuota } from "../account/score-quota.ts";
import type { Answer, Exchange } from "./wire/types.ts";
import { ClientGone } from "./wire/wire.ts";

/** What decides whether a request is let in. */
export interface Gate {
  readonly auth: Authenticator;
  readonly quota: ScoreQuota;
  readonly adminToken: string;
  readonly plans: PlanTable;
  readonly ready: () => boolean;
}

/** @returns a function that checks the token a request needs for the route. It returns null on admin and open routes. */
export function admission(gate: Gate, route: Route) {
  const admitOperator = operatorOnly(gate);
  return async (request: IncomingMessage): Promise<Caller | null> => {
    if (route.auth === "none") return null;
    if (route.auth === "key") return gate.auth.admit(keyOfRequest(request), request);
    admitOperator(request);
    return null;
  };
}

/** @returns a function that checks the admin token; it throws {ApiError} unauthorized or rate_limited */
export function operatorOnly({ auth, adminToken }: Pick<Gate, "auth" | "adminToken">) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(adminToken);
  return (request: IncomingMessage): void => {
    // The right token passes even when its address is limited: behind a proxy, another client must not lock the operator out.
    if (timingSafeEqual(digest(keyOfRequest(request)), expected)) return;
    throw auth.refusal(request, "The admin token is missing or wrong");
  };
}

/** Takes one request of the caller's rate limit, does the work, and counts the request. */
export async function metered(
  gate: Gate,
  route: Route,
  exchange: Exchange,
  caller: Caller,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { accountId } = caller;
  const isReference = route.section === "reference" || route.section === "account";
  const bucket = isReference ? "reference" : "minute";
  try {
    const standing = await takeRequest(gate.auth.rates, { caller, bucket }, exchange.headers);
    checkPlan(route, gate.plans, caller);
    const working = work();
    const answer =
      route.needs === "score_per_day"
        ? await working.finally(() => tellDay(gate, exchange, caller, standing))
        : await working;
    gate.auth.usage.countRequest(accountId, false);
    return answer;
  } catch (error) {
    if (!(error instanceof ClientGone)) gate.auth.usage.countRequest(accountId, true);
    throw error;
  }
}

/** Adds the day's limit to the headers of a score call, as it stands after the call. */
async function tellDay(
  { quota }: Gate,
  { headers }: Exchange,
  caller: Caller,
  standing: Standing,
): Promise<void> {
  // A failure here must not cost the caller the verdict.
  const day = await quota.standing(caller).catch(() => null);
  if (day !== null) Object.assign(headers, rateHeaders(standing, day));
}

/** @throws {ApiError} plan_required */
function checkPlan({ needs }: Route, plans: PlanTable, { plan, tier }: Caller): void {
  if (needs === undefined || includes(plan, needs)) return;
  const lowest = lowestPlan(plans, (one) => includes(one, needs));
  const remedy = lowest === null ? "" : `: it needs the ${lowest} plan or higher`;
  throw new ApiError("plan_required", { detail: `The ${tier} plan does not include this endpoint${remedy}` });
}

/** feed_list null means no list. score_per_day 0 means no score calls, and null means no limit. */
function includes({ feed_list, score_per_day }: Plan, ability: NonNullable<Route["needs"]>): boolean {
  return ability === "feed_list" ? feed_list !== null : score_per_day !== 0;
}
