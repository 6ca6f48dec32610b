import { type PlanTable, planTable } from "@tapewire/contract/plans.ts";
import { type Dictionary, tagDictionary } from "@tapewire/contract/tags.ts";
import { eventCatalogue } from "@tapewire/scoring/flash/events/catalogue.ts";
import type { Config } from "../config/config.ts";
import { readConfigFile } from "../config/files.ts";
import { type ProviderConfig, providersFile } from "../config/providers.ts";
import { type SourceConfig, sourcesFile } from "../config/sources.ts";

/** The files of config/, or the files that the operator uses instead. */
export interface OperatorFiles {
  readonly plans: PlanTable;
  /** The tags of the file, and the kinds of events that the engine finds. */
  readonly dictionary: Dictionary;
  readonly contact: string | null | undefined;
  readonly sources: readonly SourceConfig[];
  readonly tickersUrl: string | null;
  readonly providers: readonly ProviderConfig[];
}

const shipped = (name: string) => new URL(`../../../config/${name}`, import.meta.url);

/** @throws ConfigError */
export function readFiles(config: Config): OperatorFiles {
  const plans = readConfigFile(config.plansFile, planTable);
  const tags = readConfigFile(shipped("tags.json"), tagDictionary);
  const {
    contact,
    sources,
    sec_tickers_url: tickersUrl = null,
  } = readConfigFile(config.sourcesFile, sourcesFile);
  const { providers } = readConfigFile(shipped("providers.json"), providersFile);
  return {
    plans,
    dictionary: { tags, events: eventCatalogue },
    contact,
    sources,
    tickersUrl,
    providers,
  };
}
