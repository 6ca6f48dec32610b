import type { Adapters } from "../adapter.ts";
import { edgarAdapter } from "./edgar/edgar.ts";
import { federalRegisterAdapter } from "./federal-register.ts";
import { feedAdapter } from "./feed/feed.ts";
import { haltsAdapter } from "./halts.ts";
import { nseAdapter } from "./nse.ts";
import { openFdaAdapter } from "./openfda.ts";

/** How each format of config/sources.json is read. */
export const adapters: Adapters = {
  feed: feedAdapter,
  edgar: edgarAdapter,
  halts: haltsAdapter,
  federal_register: federalRegisterAdapter,
  openfda: openFdaAdapter,
  nse: nseAdapter,
};
