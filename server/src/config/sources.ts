import { artifactType } from "@tapewire/contract/feeds.ts";
import { slug } from "@tapewire/contract/input.ts";
import { z } from "zod";
import { isZone } from "./zone.ts";

const httpUrl = z.url({ protocol: /^https?$/ });
const hostName = z.string().max(253).refine(isHostName, "is no host name, as news.example");

/** As addresses have it, and more than a top-level domain. */
function isHostName(text: string): boolean {
  return /[^.]\.[^.]/.test(text) && URL.parse(`https://${text}/`)?.host === text;
}

/** Also where no entry says at which pace a host may be asked. */
export const defaultRequestsPerS = 5;

/** One channel that items are read from: an entry of config/sources.json. */
export const sourceConfig = z.strictObject({
  name: slug.describe(
    "Shown as FeedItem.source; several entries may share it. The key of the state is `id`.",
  ),
  id: slug.describe("Unique among the entries."),
  provider: slug.describe("provider_id of its items."),
  format: z
    .enum(["feed", "edgar", "halts", "federal_register", "openfda", "nse"])
    .describe(
      "feed: RSS, Atom, RDF or JSON Feed. halts: Nasdaq's list of trade halts. federal_register, openfda: lists of their JSON APIs. nse: announcements of NSE India.",
    ),
  url: httpUrl.describe(
    "edgar: a getcurrent address, output=atom. federal_register, openfda: a query that lists the newest first.",
  ),
  hosts: z
    .array(hostName)
    .max(50)
    .default([])
    .describe(
      "Hosts that it speaks for beside that of `url`, with those under them: its items are known by their addresses there, and by the release number where one is a wire's. Any other address only joins an item to the story of its owner. An item whose page is there is no copy of another source's whose page is on no declared host.",
    ),
  shared_host: z
    .boolean()
    .default(false)
    .describe(
      "Others publish on the host of `url` too, as on a host of blogs: addresses there are not its own. Understood of hosts that feeds of several names are read from.",
    ),
  enabled: z.boolean().default(true),
  interval_s: z.number().min(1).max(86_400).default(60).describe("Time between polls, +-10 %."),
  type: artifactType.default("news"),
  language: z.string().length(2).nullable().default(null),
  zone: z
    .string()
    .refine(isZone, "is no IANA time zone")
    .default("UTC")
    .describe("IANA zone of dates that name none."),
  articles: z
    .boolean()
    .default(false)
    .describe("Read the page of an item for its text; only where the publisher allows it."),
  entry_providers: z
    .boolean()
    .default(false)
    .describe("Items of several publishers: the provider is the one that the entry names."),
  stale_after_h: z
    .number()
    .positive()
    .optional()
    .describe(
      "Alarm when the newest item is older than so many hours; by default after several times the source's usual gap between items.",
    ),
  headline_only: z.boolean().default(false).describe("Keep title and link, drop the text (media licences)."),
  documents: z.boolean().default(true).describe("edgar: read the documents of filings worth it."),
  archives_url: httpUrl.default("https://www.sec.gov/Archives").describe("edgar: where documents are read."),
  max_pages: z
    .int()
    .min(1)
    .max(51)
    .default(51)
    .describe("edgar, federal_register, openfda: pages of one walk."),
  requests_per_s: z
    .number()
    .positive()
    .max(100)
    .default(defaultRequestsPerS)
    .describe(
      "Per host, over all its entries. What leads to a host from elsewhere, a link or a redirect, comes behind the polls of the entries there, at the slowest pace of theirs.",
    ),
});
export type SourceConfig = z.infer<typeof sourceConfig>;

/** config/sources.json, or the file that TAPEWIRE_SOURCES names. */
export const sourcesFile = z
  .strictObject({
    contact: z
      .string()
      .max(200)
      .optional()
      .describe("Contact address for the User-Agent; the SEC refuses requests without one."),
    sec_tickers_url: httpUrl
      .optional()
      .describe("The SEC's list of tickers, read weekly; absent: the symbols as shipped."),
    sources: z.array(sourceConfig),
  })
  .superRefine(({ sources }, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of sources.entries()) {
      if (seen.has(id))
        context.addIssue({ code: "custom", path: ["sources", index, "id"], message: `'${id}' repeats` });
      seen.add(id);
    }
  })
  .overwrite((file) => ({ ...file, sources: withSharedHosts(file.sources) }));

/** The other formats name no item by its address. */
const namedByAddress: readonly SourceConfig["format"][] = ["feed", "nse"];

function withSharedHosts(sources: readonly SourceConfig[]): SourceConfig[] {
  const names = new Map<string, Set<string>>();
  for (const { url, name, format } of sources) {
    if (!namedByAddress.includes(format)) continue;
    const { host } = new URL(url);
    names.set(host, (names.get(host) ?? new Set()).add(name));
  }
  return sources.map((source) => {
    const isShared = (names.get(new URL(source.url).host)?.size ?? 0) > 1;
    return { ...source, shared_host: source.shared_host || isShared };
  });
}
