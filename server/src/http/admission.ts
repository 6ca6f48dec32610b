import type { IncomingMessage } from "node:http";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { lowestPlan, type Plan, type PlanTable } from "@tapewire/contract/plans.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import { type Authenticator, type Caller, isTabKey } from "../account/keys/auth.ts";
import { keyOfAddress, keyOfRequest } from "../account/keys/presented-key.ts";
import type { People } from "../account/people/people.ts";
import type { Actor, Client, Visitor } from "../account/people/types.ts";
import { takeAttempt } from "../account/refusals.ts";
import type { Standing } from "../account/request-buckets.ts";
import { rateHeaders, takeRequest } from "../account/requests-per-minute.ts";
import type { ScoreQuota } from "../account/score-quota.ts";
import { isSameSecret } from "../account/secrets.ts";
import { clientOf, type Entrance } from "./sessions/client.ts";
import { checkHost, checkSameOrigin } from "./sessions/same-origin.ts";
import type { Answer, Exchange } from "./wire/types.ts";
import { ClientGone } from "./wire/wire.ts";

/** What decides whether a request is let in. */
export interface Gate {
  readonly auth: Authenticator;
  readonly people: People;
  readonly quota: ScoreQuota;
  readonly adminToken: string;
  readonly plans: PlanTable;
  readonly entrance: Entrance;
  readonly ready: () => boolean;
}

/** Who was let in: one of them by the authentication of the route, and the client of a dashboard route. */
export interface Admitted {
  readonly caller: Caller | null;
  readonly visitor: Visitor | null;
  readonly operator: Operator | null;
  readonly client: Client | null;
}

/** The operator, for the audit. */
export interface Operator extends Actor {
  /** By the admin token itself, not by the key of a tab. */
  readonly byToken: boolean;
}

const nobody: Admitted = { caller: null, visitor: null, operator: null, client: null };

/** @returns a function that checks what a request needs for the route */
export function admission(gate: Gate, route: Route): (request: IncomingMessage) => Promise<Admitted> {
  if (route.section === "dashboard") return (request) => admitToDashboard(gate, route, request);
  if (route.auth === "none") return async () => nobody;
  if (route.auth === "key") {
    const keyOf = route.keyInQuery === true ? keyOfReader : keyOfRequest;
    return async (request) => {
      const caller = await gate.auth.admit(keyOf(request), request);
      checkScope(route, caller);
      return { ...nobody, caller };
    };
  }
  const admitOperator = operatorOnly(gate);
  return async (request) => ({ ...nobody, operator: await admitOperator(request) });
}

function keyOfReader(request: IncomingMessage): string {
  const url = URL.parse(request.url ?? "", "http://localhost");
  return url === null ? "" : keyOfAddress(url, request);
}

/**
 * @param also another token that opens this; null: there is none
 * @returns a function that checks the admin token or an operator's tab key; it throws {ApiError} unauthorized or rate_limited
 */
export function operatorOnly(
  { auth, adminToken }: Pick<Gate, "auth" | "adminToken">,
  also: string | null = null,
) {
  const expected = also === null ? [adminToken] : [adminToken, also];
  return async (request: IncomingMessage): Promise<Operator> => {
    const token = keyOfRequest(request);
    const network = auth.networkOf(request);
    // The right token passes even when its address is limited: behind a proxy, another client must not lock the operator out.
    if (expected.some((one) => isSameSecret(token, one)))
      return { name: "admin token", network, byToken: true };
    const caller = isTabKey(token) ? await auth.admit(token, request) : null;
    if (caller?.scope === "operator") return { name: caller.creator ?? "operator", network, byToken: false };
    throw auth.refusal(
      request,
      `The ${also === null ? "admin" : "admin or metrics"} token is missing or wrong: send the header \`Authorization: Bearer <TOKEN>\``,
    );
  };
}

/** The cookie counts for pages of this service only. @throws {ApiError} forbidden_origin, unauthorized, rate_limited */
async function admitToDashboard(
  { auth, people, entrance }: Gate,
  route: Route,
  request: IncomingMessage,
): Promise<Admitted> {
  checkHost(request, entrance);
  checkSameOrigin(request, entrance);
  const client = clientOf(request, auth.networkOf(request), entrance);
  if (route.auth === "none") {
    takeAttempt(people.strangers, client.network, { policy: "address" });
    return { ...nobody, client };
  }
  const { sessionSecret, network } = client;
  const visitor = sessionSecret === null ? null : await people.sessions.admit(sessionSecret, network);
  if (visitor === null) throw auth.refusal(request, "Sign in first: the session is missing or has ended");
  takeAttempt(people.requests, visitor.sessionId, { policy: "session" });
  return { ...nobody, visitor, client };
}

/** Takes one request of the caller's rate limit, does the work, and counts the request. */
export async function metered(
  gate: Gate,
  route: Route,
  exchange: Exchange,
  caller: Caller,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return counted(gate, caller, async () => {
    const standing = await takeRequest(
      gate.auth.rates,
      { caller, bucket: bucketOf(route) },
      exchange.headers,
    );
    checkPlan(route, gate.plans, caller);
    const working = work();
    return route.needs === "score_per_day"
      ? await working.finally(() => tellDay(gate, exchange, caller, standing))
      : await working;
  });
}

/** Counts one request of the caller, as failed when the work throws. */
export async function counted<T>({ auth }: Gate, { accountId }: Caller, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    auth.usage.countRequest(accountId, false);
    return done;
  } catch (error) {
    if (!(error instanceof ClientGone)) auth.usage.countRequest(accountId, true);
    throw error;
  }
}

/** @throws {ApiError} forbidden */
export function checkScope({ method }: Route, { scope }: Caller): void {
  if (scope === "read" && method !== "GET")
    throw new ApiError("forbidden", { detail: "A viewer of the account only reads" });
}

function bucketOf({ section, bucket }: Route): "reference" | "minute" {
  return bucket ?? (section === "reference" || section === "account" ? "reference" : "minute");
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
export function checkPlan({ needs }: Route, plans: PlanTable, { plan, tier }: Caller): void {
  if (needs === undefined || includes(plan, needs)) return;
  const lowest = lowestPlan(plans, (one) => includes(one, needs));
  const remedy = lowest === null ? "" : `: it needs the ${lowest} plan or higher`;
  throw new ApiError("plan_required", { detail: `The ${tier} plan does not include this endpoint${remedy}` });
}

/** feed_list null means no list. score_per_day 0 means no score calls, and null means no limit. */
function includes({ feed_list, score_per_day, replay }: Plan, ability: NonNullable<Route["needs"]>): boolean {
  return { feed_list: feed_list !== null, score_per_day: score_per_day !== 0, replay }[ability];
}
