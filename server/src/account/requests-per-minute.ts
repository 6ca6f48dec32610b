import type { Caller } from "./keys/auth.ts";
import { rateLimited } from "./refusals.ts";
import type { RateLimits, Standing } from "./request-buckets.ts";

/** Reads that use no quota have a bucket of their own, ten times as large, which only protects the server. */
const referenceFactor = 10;

/**
 * The headers of limits, each as a member of the IETF fields (draft-ietf-httpapi-ratelimit-headers-11); the older
 * X-RateLimit-* show the first limit only. X-RateLimit-Reset is in seconds from now, as in the IETF fields.
 */
export function rateHeaders(first: Standing, second?: Standing): Record<string, string> {
  const { quota, remaining, resetSeconds } = first;
  return {
    "RateLimit-Policy": second === undefined ? policyOf(first) : `${policyOf(first)}, ${policyOf(second)}`,
    RateLimit: second === undefined ? stateOf(first) : `${stateOf(first)}, ${stateOf(second)}`,
    "X-RateLimit-Limit": String(quota),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetSeconds),
  };
}

function policyOf({ policy, quota, windowSeconds }: Standing): string {
  return `"${policy}";q=${quota};w=${windowSeconds}`;
}

function stateOf({ policy, remaining, resetSeconds }: Standing): string {
  return `"${policy}";r=${remaining};t=${resetSeconds}`;
}

/**
 * Counts one request of the caller's account.
 * @param headers of the answer, whatever its status; the rate headers are added to them
 * @throws {ApiError} rate_limited
 */
export async function takeRequest(
  rates: RateLimits,
  { caller, bucket }: { caller: Caller; bucket: "minute" | "reference" },
  headers: Record<string, string>,
): Promise<Standing> {
  const { accountId, plan } = caller;
  const perMinute = plan.requests_per_minute * (bucket === "reference" ? referenceFactor : 1);
  const standing = await rates.take(accountId, bucket, perMinute);
  Object.assign(headers, rateHeaders(standing));
  checkStanding(standing, caller);
  return standing;
}

function checkStanding({ policy, quota, retrySeconds }: Standing, { tier }: Caller): void {
  if (retrySeconds === 0) return;
  const detail = `The ${tier} plan allows ${quota} requests a minute here, for all keys of the account together`;
  throw rateLimited(retrySeconds, policy, detail);
}
