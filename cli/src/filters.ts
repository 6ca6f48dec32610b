import type { SubscriptionFilters } from "tapewire";
import { CliError } from "./errors.ts";
import type { Options } from "./options.ts";

/** Webhooks have no filter by source. */
export const webhookFilterOptions = [
  "actionable",
  "event",
  "exchange",
  "min-actionability-score",
  "min-conviction",
  "q",
  "symbol",
] as const;
export const filterOptions = [...webhookFilterOptions, "source"] as const;

/**
 * The filters of a subscription or a webhook.
 * @throws {CliError} for a bound that is not a whole number of 0 to 100
 */
export function filtersOf(options: Options): SubscriptionFilters {
  const list = (text: string | undefined) => text?.split(",").map((part) => part.trim());
  return {
    symbols: list(options.symbol),
    exchanges: list(options.exchange),
    aggregators: list(options.source),
    event: list(options.event),
    ...(options.q === undefined ? {} : { q: options.q }),
    min_conviction: percent(options, "min-conviction"),
    min_actionability_score: percent(options, "min-actionability-score"),
    ...(options.actionable === true ? { actionability: true } : {}),
  };
}

function percent(options: Options, name: "min-conviction" | "min-actionability-score"): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100)
    throw new CliError(`--${name} must be a whole number, 0 to 100`, 2);
  return Number(text);
}
