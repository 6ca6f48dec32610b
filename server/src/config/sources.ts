import { artifactType } from "@tapewire/contract/feeds.ts";
import { slug } from "@tapewire/contract/input.ts";
import { z } from "zod";
import { isZone } from "./zone.ts";

const httpUrl = z.url({ protocol: /^https?$/ });
const hostName = z.string().max(253).refine(isHostName, "must be a host name such as news.example");

/** Whether the text is the host of a URL, in normal form, and not just a top-level domain. */
function isHostName(text: string): boolean {
  return /[^.]\.[^.]/.test(text) && URL.parse(`https://${text}/`)?.host === text;
}

/** Also used for hosts that no entry of the sources file names. */
export const defaultRequestsPerS = 5;

/** One source that items are read from: an entry of config/sources.json. */
export const sourceConfig = z.strictObject({
  name: slug.describe("Name shown as FeedItem.source. Several entries may share a name."),
  id: slug.describe(
    "Id of the entry, unique in the file. The service keeps the state of the source under this id: do not change it.",
  ),
  provider: slug.describe("FeedItem.provider_id of the items."),
  format: z
    .enum(["feed", "edgar", "halts", "federal_register", "openfda", "nse"])
    .describe(
      "feed: RSS, Atom, RDF or JSON Feed. edgar: SEC EDGAR. halts: Nasdaq's list of trade halts. federal_register, openfda: lists of their JSON APIs. nse: announcements of NSE India.",
    ),
  url: httpUrl.describe(
    "Address to poll. edgar: a getcurrent address with output=atom; what its `type`, `owner` and `CIK` (a number) leave out is left out of the daily index too, and with any other filter, such as `company`, the daily index is not read. federal_register, openfda: a query that lists the newest first.",
  ),
  hosts: z
    .array(hostName)
    .max(50)
    .default([])
    .describe(
      "Further hosts of the publisher, including their subdomains, when item pages are not on the host of `url`. Addresses on these hosts, and the release numbers of a wire whose host is listed, identify items of this source. An address on any other host than these and that of `url` does not identify an item: it only connects the item to the story of the source whose host it is. An item on a listed host does not become a copy of another source's item whose page is on no listed host.",
    ),
  shared_host: z
    .boolean()
    .default(false)
    .describe(
      "true: other publishers use the host of `url` too (a blog host, for example), so addresses there do not identify items of this source. It is always true for a host from which feeds with different names are read.",
    ),
  enabled: z.boolean().default(true),
  interval_s: z
    .number()
    .min(1)
    .max(86_400)
    .default(60)
    .describe(
      "Shortest poll interval in seconds, varied by up to 10 %. A quiet source is polled up to half as often, and one that asks for longer waits up to a quarter as often.",
    ),
  type: artifactType.default("news"),
  language: z.string().length(2).nullable().default(null),
  zone: z
    .string()
    .refine(isZone, "must be an IANA time zone")
    .default("UTC")
    .describe(
      "IANA time zone of dates without one. It also tells whether 03/12/2026 is in March or in December.",
    ),
  articles: z
    .boolean()
    .default(false)
    .describe(
      "true: read the article page of each item for its text, at most two of a source at once. A page that does not come is given up after ten tries, some eight hours. Set it only when the publisher allows it.",
    ),
  entry_providers: z
    .array(slug, { error: "is no list of provider ids" })
    .max(500)
    .default([])
    .describe(
      "For a feed with items of several publishers: ids of the providers that its items may name. An item that names one of them gets it as its provider; any other item gets the `provider` above. The publisher's name is removed from the end of the title.",
    ),
  stale_after_h: z
    .number()
    .positive()
    .optional()
    .describe(
      "The source is stale when its newest item is older than this many hours. Default: 20 times the usual time between two items, at least 3 days.",
    ),
  headline_only: z
    .boolean()
    .default(false)
    .describe(
      "true: store only title and link, not the text (for media licences): the text is neither scored nor kept, and responses of the source are not stored for `tapewire replay`, and articles is without effect.",
    ),
  show_text: z
    .boolean()
    .default(false)
    .describe(
      "true: clients may read the stored text of the items (GET /v1/feeds/{id}/text). Set it only when the publisher allows it. The text of pushed items can always be read, except under the name of a source without this.",
    ),
  documents: z.boolean().default(true).describe("edgar: read the documents of important filings."),
  archives_url: httpUrl
    .default("https://www.sec.gov/Archives")
    .describe("edgar: base address of the documents."),
  follow_pages: z
    .boolean()
    .default(false)
    .describe(
      'feed: read the pages of older items that the feed links to on its own host (rel="next", next_url) while they bring new items, at most max_pages. Use it for a feed whose first page is shorter than what may come between two polls, such as that of another Tapewire.',
    ),
  max_pages: z
    .int()
    .min(1)
    .max(51)
    .default(51)
    .describe(
      "edgar, federal_register, openfda, and feed with follow_pages: most pages to read in one poll.",
    ),
  requests_per_s: z
    .number()
    .positive()
    .max(100)
    .default(defaultRequestsPerS)
    .describe(
      "Most requests per second to the host, shared by all entries of that host. Requests that other sources' links or redirects cause wait behind the polls of the host's own entries and use their slowest rate.",
    ),
});
export type SourceConfig = z.infer<typeof sourceConfig>;

/** The text of an article would not be kept. */
const withoutArticles = <S extends { articles: boolean; headline_only: boolean }>(source: S): S =>
  source.headline_only ? { ...source, articles: false } : source;

/** config/sources.json, or the file that TAPEWIRE_SOURCES names. */
export const sourcesFile = z
  .strictObject({
    contact: z
      .string()
      .max(200)
      .optional()
      .describe(
        "Contact e-mail address for the User-Agent. The SEC refuses requests without one. TAPEWIRE_CONTACT takes precedence.",
      ),
    sec_tickers_url: httpUrl
      .optional()
      .describe(
        "Address of the SEC's list of tickers, read weekly. Absent: only the symbols that ship with Tapewire are used.",
      ),
    sources: z.array(sourceConfig).describe("The sources, see below."),
  })
  .superRefine(({ sources }, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of sources.entries()) {
      if (seen.has(id))
        context.addIssue({ code: "custom", path: ["sources", index, "id"], message: `'${id}' repeats` });
      seen.add(id);
    }
  })
  .overwrite((file) => ({ ...file, sources: withSharedHosts(file.sources.map(withoutArticles)) }));

/** Formats that identify items by their address. */
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

/**
 * Whether clients may read the stored text of an item.
 * @param source the entry that brought it, null for a pushed item; and the item's FeedItem.source
 */
export function showsText(
  sources: readonly Pick<SourceConfig, "id" | "name" | "show_text">[],
  { sourceId, name }: { readonly sourceId: string | null; readonly name: string },
): boolean {
  const own = sources.filter((source) => source.id === sourceId || source.name === name);
  // An entry that was removed from the file has not said that its texts may be shown.
  const isKnown = sourceId === null || own.some(({ id }) => id === sourceId);
  return isKnown && own.every(({ show_text }) => show_text);
}
