import type { SubscriptionFilters } from "../types.ts";

const mostValues = 50;

/** Why a query cannot say these filters; null: it can. */
export function queryProblem({ tags, providers, ...filters }: SubscriptionFilters): string | null {
  if (providers?.length) return "a query has no filter of providers";
  for (const [name, values] of Object.entries({ ...filters, ...tags }))
    if (Array.isArray(values) && (values.length > mostValues || values.some((value) => /^$|,/.test(value))))
      return `a query takes at most ${mostValues} values of ${name}, none empty or with a comma`;
  return null;
}
