import type { SubscriptionFilters } from "../types.ts";

const mostQueryValues = 50;

/** Why a query cannot say these filters; null: it can. */
export function queryProblem({ tags, providers, ...filters }: SubscriptionFilters): string | null {
  if (isGiven(providers)) return "a query has no filter of providers";
  for (const [name, values] of Object.entries({ ...filters, ...tags })) {
    if (!Array.isArray(values)) continue;
    if (values.length > mostQueryValues) return `a query takes at most ${mostQueryValues} values of ${name}`;
    if (values.some((value) => value.includes(",")))
      return `a value of ${name} has a comma, which separates values in a query`;
  }
  return null;
}

export const isGiven = (values: readonly string[] | null | undefined) => (values ?? []).length > 0;
