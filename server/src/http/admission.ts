import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "@tapewire/contract/errors.ts";
import { lowestPlan, type Plan, type PlanTable } from "@tapewire/contract/plans.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import { type Authenticator, bearerToken, type Caller } from "../account/auth.ts";
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

/** @throws {ApiError} not_ready */
export function checkReady({ ready }: Pick<Gate, "ready">): void {
  if (!ready()) throw new ApiError("not_ready", { headers: { "Retry-After": "2" } });
}

/** @returns lets a request in by the token that the route wants; null stands for the operator, and for nobody */
export function admission(gate: Gate, route: Route) {
  const admitOperator = operatorOnly(gate);
  return async (request: IncomingMessage): Promise<Caller | null> => {
    if (route.auth === "none") return null;
    if (route.auth === "key") return gate.auth.admit(tokenOf(request), request);
    admitOperator(request);
    return null;
  };
}

/** @returns lets a request with the admin token in; throws {ApiError} unauthorized, or rate_limited, at any other */
export function operatorOnly({ auth, adminToken }: Pick<Gate, "auth" | "adminToken">) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(adminToken);
  return (request: IncomingMessage): void => {
    // The right token passes whatever else comes from there: behind a proxy, one client must not lock the operator out.
    if (timingSafeEqual(digest(tokenOf(request)), expected)) return;
    throw auth.refusal(request, "The admin token is missing or wrong");
  };
}

/** The bearer token; empty when there is none. */
function tokenOf({ headers, rawHeaders }: IncomingMessage): string {
  // Of two, Node shows the first; a proxy in front may have looked at the other.
  let given = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 13 && rawHeaders[at]?.toLowerCase() === "authorization") given += 1;
  return given === 1 ? (bearerToken(headers.authorization) ?? "") : "";
}

/** Does the work for a caller who has a request left, and counts it. */
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
  // The verdict is worth more than its headers.
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

/** A plan without a list has null, one without score calls 0: there null is "no limit". */
function includes({ feed_list, score_per_day }: Plan, ability: NonNullable<Route["needs"]>): boolean {
  return ability === "feed_list" ? feed_list !== null : score_per_day !== 0;
}
