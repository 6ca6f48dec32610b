import { countryCodes } from "@tapewire/contract/countries.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Provider, SourceDetail, TagDimensionValues } from "@tapewire/contract/reference.ts";
import { type Dictionary, tagDimensions } from "@tapewire/contract/tags.ts";
import type { SymbolTable } from "@tapewire/scoring/linking/table/symbol-table.ts";
import type { ProviderConfig } from "../../config/providers.ts";
import { cachedFor } from "../../runtime/cached-for.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Db } from "../../store/engine/db.ts";
import { type TermCount, termCount, termCounts } from "../../store/list/reference.ts";
import type { History } from "../../store/log/history.ts";
import type { Handlers } from "../contract-routes.ts";
import { EncodedBody } from "../wire/wire.ts";

export interface ReferenceDeps {
  readonly db: Db;
  /** Counts of what was stored may come from a replica. */
  readonly history: Pick<History, "read">;
  readonly clock: Clock;
  readonly dictionary: Dictionary;
  readonly providers: readonly ProviderConfig[];
  /** The current symbol table. It is replaced when listings are updated. */
  readonly symbols: () => SymbolTable;
  /** Absolute address of a logo (logos.ts). */
  readonly logoUrl: (id: string) => string;
  readonly sourceNames: () => Promise<string[]>;
  /** @returns null when there is no such source */
  readonly sourceDetail: (name: string) => Promise<SourceDetail | null>;
}

/** Longest time that lists with counts lag behind the items. Reads of single entries do not lag. */
const listMaxAgeMs = 3_000;

const collator = new Intl.Collator("en");

type ReferenceRoute =
  | "listProviders"
  | "readProvider"
  | "listSourceNames"
  | "readSource"
  | "listTags"
  | "readTagDimension"
  | "listEvents";

/** The handlers of the section, except symbols. */
export function referenceHandlers(deps: ReferenceDeps): Pick<Handlers, ReferenceRoute> {
  return {
    listProviders: listProviders(deps),
    readProvider: readProvider(deps),
    listSourceNames: listSourceNames(deps),
    readSource: readSource(deps),
    listTags: listTags(deps),
    readTagDimension: readTagDimension(deps),
    listEvents: listEvents(deps),
  };
}

/** GET /v1/sources. */
function listSourceNames({ sourceNames }: ReferenceDeps): Handlers["listSourceNames"] {
  return async () => ({ body: { data: await sourceNames() } });
}

/** GET /v1/sources/{name}. Case does not matter, as in filters. */
function readSource({ sourceDetail }: ReferenceDeps): Handlers["readSource"] {
  return async ({ params: { name } }) => {
    const found = await sourceDetail(name.toLowerCase());
    if (found === null) throw new ApiError("not_found", { detail: `There is no source '${name}'` });
    return { body: found };
  };
}

/** GET /v1/providers: configured providers and those that items name, sorted by name. */
function listProviders(deps: ReferenceDeps): Handlers["listProviders"] {
  const { db, clock, providers } = deps;
  const list = cachedFor(clock, listMaxAgeMs, async () => {
    const counts = new Map((await termCounts(db.main, ["provider"])).map((term) => [term.value, term]));
    const ids = new Set([...providers.map(({ id }) => id), ...counts.keys()]);
    const data = [...ids].map((id) => providerOf(deps, id, counts.get(id) ?? null));
    return new EncodedBody(JSON.stringify({ data: data.toSorted(byName) }));
  });
  return async () => ({ body: await list() });
}

/** GET /v1/providers/{id}. */
function readProvider(deps: ReferenceDeps): Handlers["readProvider"] {
  return async ({ params: { id } }) => {
    const term = await termCount(deps.db.main, { kind: "provider", value: id });
    if (term === null && !deps.providers.some((known) => known.id === id))
      throw new ApiError("not_found", { detail: `There is no provider '${id}'` });
    return { body: providerOf(deps, id, term) };
  };
}

/** A provider that only items name is shown with its id as name. */
function providerOf({ providers, logoUrl }: ReferenceDeps, id: string, term: TermCount | null): Provider {
  const known = providers.find((provider) => provider.id === id);
  return {
    id,
    name: known?.name ?? id,
    logo: logoUrl(id),
    url: known?.url ?? null,
    kind: known?.kind ?? null,
    feed_count: term?.count ?? 0,
    latest_at: term?.latestAt.toISOString() ?? null,
  };
}

const byName = (a: Provider, b: Provider) => collator.compare(a.name, b.name) || collator.compare(a.id, b.id);

/** GET /v1/tags. */
function listTags(deps: ReferenceDeps): Handlers["listTags"] {
  const list = cachedFor(
    deps.clock,
    listMaxAgeMs,
    async () => new EncodedBody(JSON.stringify({ data: await dimensionsOf(deps) })),
  );
  return async () => ({ body: await list() });
}

/** GET /v1/tags/{dimension}. The parameter schema refuses an unknown dimension. */
function readTagDimension(deps: ReferenceDeps): Handlers["readTagDimension"] {
  const list = cachedFor(deps.clock, listMaxAgeMs, () => dimensionsOf(deps));
  return async ({ params: { dimension } }) => {
    const found = (await list()).find((values) => values.dimension === dimension);
    if (found === undefined) throw new ApiError("not_found");
    return { body: found };
  };
}

/** GET /v1/events. */
function listEvents({ db, clock, dictionary }: ReferenceDeps): Handlers["listEvents"] {
  const sorted = dictionary.events.toSorted(
    (a, b) => collator.compare(a.group, b.group) || collator.compare(a.name, b.name),
  );
  const list = cachedFor(clock, listMaxAgeMs, async () => {
    const counts = new Map((await termCounts(db.main, ["event"])).map(({ value, count }) => [value, count]));
    const data = sorted.map((kind) => ({ ...kind, count: counts.get(kind.name) ?? 0 }));
    return new EncodedBody(JSON.stringify({ data }));
  });
  return async () => ({ body: await list() });
}

/** The dictionary with its counts, in the order of the dimensions. */
async function dimensionsOf({ db, dictionary: { tags } }: ReferenceDeps): Promise<TagDimensionValues[]> {
  const byDimension = Map.groupBy(await termCounts(db.main, tagDimensions), ({ kind }) => kind);
  return tagDimensions.map((dimension) => {
    const counts = new Map(byDimension.get(dimension)?.map(({ value, count }) => [value, count]));
    const values =
      dimension === "market_country"
        ? countriesWith(counts)
        : tags[dimension].values.map((entry) => ({ ...entry, count: counts.get(entry.value) ?? 0 }));
    return { dimension, label: tags[dimension].label, values };
  });
}

const countryNames = new Intl.DisplayNames(["en"], { type: "region" });

/** Countries that items have, sorted by name. */
function countriesWith(counts: ReadonlyMap<string, number>): TagDimensionValues["values"] {
  return [...counts]
    .filter(([value]) => countryCodes.has(value))
    .map(([value, count]) => ({ value, label: countryNames.of(value) ?? value, count }))
    .toSorted((a, b) => collator.compare(a.label, b.label));
}
