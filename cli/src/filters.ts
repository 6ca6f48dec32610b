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
 * @throws {CliError} for a bound that is not a whole number of 0 to 100, and for an empty value
 */
export function filtersOf(options: Options): SubscriptionFilters {
  const q = filled(options, "q");
  const list = (name: "symbol" | "exchange" | "source" | "event") =>
    filled(options, name)
      ?.split(",")
      .map((part) => part.trim());
  return {
    symbols: list("symbol"),
    exchanges: list("exchange"),
    aggregators: list("source"),
    event: list("event"),
    ...(q === undefined ? {} : { q }),
    min_conviction: percent(options, "min-conviction"),
    min_actionability_score: percent(options, "min-actionability-score"),
    ...(options.actionable === true ? { actionability: true } : {}),
  };
}

/** A variable of the shell that is not set is an empty value: without the filter everything would come. */
function filled(
  options: Options,
  name: "symbol" | "exchange" | "source" | "event" | "q",
): string | undefined {
  const text = options[name];
  const parts = name === "q" ? [text] : text?.split(",");
  if (parts?.some((part) => part?.trim() === ""))
    throw new CliError(`--${name} has an empty value: give one, or leave the option out`, 2);
  return text;
}

function percent(options: Options, name: "min-conviction" | "min-actionability-score"): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100)
    throw new CliError(`--${name} must be a whole number, 0 to 100`, 2);
  return Number(text);
}
