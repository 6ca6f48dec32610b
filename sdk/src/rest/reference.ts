import type { Call } from "../http/call.ts";
import type { Api, CallOptions } from "../http/requests.ts";
import type {
  EventList,
  Provider,
  ProviderList,
  SourceDetail,
  SourceList,
  SymbolDetail,
  SymbolList,
  TagDimension,
  TagDimensionValues,
  TagList,
} from "../types.ts";

export interface Symbols {
  /** Tracked symbols, largest first; with `q` those whose ticker or name begins so. */
  list(query?: { readonly q?: string; readonly limit?: number }, options?: CallOptions): Call<SymbolList>;
  /** @param ticker AAPL, or NASDAQ:AAPL for one exchange */
  get(ticker: string, options?: CallOptions): Call<SymbolDetail>;
}

export interface Sources {
  /** Names of sources: the values of the aggregator filter. */
  list(options?: CallOptions): Call<SourceList>;
  get(name: string, options?: CallOptions): Call<SourceDetail>;
}

export interface Providers {
  list(options?: CallOptions): Call<ProviderList>;
  get(id: string, options?: CallOptions): Call<Provider>;
}

export interface Tags {
  /** Every dimension with its values. */
  list(options?: CallOptions): Call<TagList>;
  get(dimension: TagDimension, options?: CallOptions): Call<TagDimensionValues>;
}

export interface Events {
  /** Kinds of events: the values of the event filter. */
  list(options?: CallOptions): Call<EventList>;
}

export interface Reference {
  readonly symbols: Symbols;
  readonly sources: Sources;
  readonly providers: Providers;
  readonly tags: Tags;
  readonly events: Events;
}

export const referenceOf = ({ request }: Api): Reference => ({
  symbols: {
    list: (query, options) => request("GET /v1/symbols", { query, ...options }),
    get: (ticker, options) => request("GET /v1/symbols/{ticker}", { params: { ticker }, ...options }),
  },
  sources: {
    list: (options) => request("GET /v1/sources", options),
    get: (name, options) => request("GET /v1/sources/{name}", { params: { name }, ...options }),
  },
  providers: {
    list: (options) => request("GET /v1/providers", options),
    get: (id, options) => request("GET /v1/providers/{id}", { params: { id }, ...options }),
  },
  tags: {
    list: (options) => request("GET /v1/tags", options),
    get: (dimension, options) => request("GET /v1/tags/{dimension}", { params: { dimension }, ...options }),
  },
  events: {
    list: (options) => request("GET /v1/events", options),
  },
});
