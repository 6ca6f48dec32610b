import { ApiError } from "@tapewire/contract/errors.ts";
import type { Caller } from "./auth.ts";
import type { RateLimits, Standing } from "./rate-limit.ts";

/** Reads that use no quota have a bucket of their own, ten times as large: it protects the server alone. */
const referenceFactor = 10;

/**
 * The headers of limits, each as a member of the IETF fields (draft-ietf-httpapi-ratelimit-headers-11); the older
 * X-RateLimit-* tell the first alone. X-RateLimit-Reset is in seconds from now, as in the IETF's.
 */
export function rateHeaders(first: Standing, ...others: readonly Standing[]): Record<string, string> {
  const all = [first, ...others];
  return {
    "RateLimit-Policy": all.map((one) => `"${one.policy}";q=${one.quota};w=${one.windowSeconds}`).join(", "),
    RateLimit: all.map((one) => `"${one.policy}";r=${one.remaining};t=${one.resetSeconds}`).join(", "),
    "X-RateLimit-Limit": String(first.quota),
    "X-RateLimit-Remaining": String(first.remaining),
    "X-RateLimit-Reset": String(first.resetSeconds),
  };
}

/**
 * Counts one request of the caller's account.
 * @param headers of its answer, whatever it comes to be; those of the rate are added
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
  throw new ApiError("rate_limited", {
    detail: `The ${tier} plan allows ${quota} requests a minute here, for all keys of the account together`,
    headers: { "Retry-After": String(retrySeconds) },
    violatedPolicies: [policy],
  });
}
