import { createHash } from "node:crypto";
import { canonicalUrl } from "./canonical-url.ts";

/** What an item can be known by. */
export interface IdentityFacts {
  readonly source: string;
  /** The source's own id for it. */
  readonly guid: string | null;
  readonly link: string | null;
  readonly title: string | null;
  readonly publishedAt: Date | null;
  /** Stands in for the title of an item that has none. */
  readonly body?: string;
  /** In its document another item has the same guid: with its address it is told apart. */
  readonly guidRepeats?: boolean;
  /** In its document other items point to the same address: it is a landing page, not the item's. */
  readonly linkRepeats?: boolean;
}

const longest = 400;

/**
 * The ladder of identities, best first: wire release number, guid, address, and only where there is neither guid nor
 * address, source, title and day. [0] is the unique_id, all are aliases. Filings have their accession (edgar.ts).
 * Beside a guid the address counts only with the same title and within the source: guids change under articles, yet
 * landing pages and running stories carry many items, and another source's copy is an item of its own.
 */
export function itemIdentity(facts: IdentityFacts): readonly [string, ...string[]] {
  const { source, guid, link } = facts;
  const url = link === null || facts.linkRepeats === true ? null : canonicalUrl(link);
  const forms = [...wireRelease(link)];
  if (guid !== null && guid !== "") {
    forms.push(guidForm(source, guid, facts));
    if (url !== null) forms.push(`page:${source}:${wordsKey(facts)}:${url}`);
  } else if (url !== null) forms.push(`url:${url}`);
  const [first = hashForm(facts), ...rest] = forms;
  return [bounded(first), ...rest.map(bounded)];
}

/** http and https are one: sources move from the one to the other and repeat everything. */
export function guidKey(guid: string): string {
  return guid.trim().replace(/^http:/i, "https:");
}

/** An item without address is told from others of its guid by its words. */
function guidForm(source: string, guid: string, facts: IdentityFacts): string {
  const { guidRepeats, link } = facts;
  const more = link === null ? wordsKey(facts) : (canonicalUrl(link) ?? link);
  return `guid:${source}:${guidKey(guid)}${guidRepeats === true ? `|${more}` : ""}`;
}

/** The second group, where there is one, is the language: versions of a release share its number and are two items. */
const wires: readonly { wire: string; host: string; path: RegExp }[] = [
  {
    wire: "gnw",
    host: "globenewswire.com",
    path: /^\/(?:[a-z-]+\/)?news-release\/\d{4}\/\d{2}\/\d{2}\/(\d{5,})(?:\/\d+\/([a-z]{2})\/)?/,
  },
  { wire: "prn", host: "prnewswire.com", path: /^\/news-releases\/[^/]*?-(\d{8,})\.html/ },
  { wire: "bw", host: "businesswire.com", path: /^\/news\/home\/(\d{12,})(?:\/([a-z]{2})(?:\/|$))?/ },
  { wire: "acn", host: "accessnewswire.com", path: /^\/newsroom\/[a-z-]+\/.*?-(\d{6,})$/ },
  { wire: "nf", host: "newsfilecorp.com", path: /^\/release\/(\d{5,})/ },
];

/** The number a press release has on its wire: the same in every feed that carries it. */
function wireRelease(link: string | null): string[] {
  const url = link === null ? null : URL.parse(link);
  if (url === null) return [];
  return wires.flatMap(({ wire, host, path }) => {
    const ours = url.hostname === host || url.hostname.endsWith(`.${host}`);
    const [, number, language = "en"] = (ours ? path.exec(url.pathname) : null) ?? [];
    if (number === undefined) return [];
    return [`wire:${wire}:${number}${language === "en" ? "" : `:${language}`}`];
  });
}

function hashForm(facts: IdentityFacts): string {
  const day = facts.publishedAt?.toISOString().slice(0, 10) ?? "nodate";
  return `hash:${facts.source}:${wordsKey(facts)}:${day}`;
}

function wordsKey({ title, body = "" }: IdentityFacts): string {
  return titleKey(title ?? "") || titleKey(body.slice(0, 2_000));
}

/** A headline reduced to what identifies it: letters and digits, lower case; "-0.3%" is not "0.3%", nor "3%". */
export function titleKey(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/(?<![\p{L}\p{N}])[-\u2212](?=\d)/gu, "minus")
    .replaceAll(/(?<=\d)\.(?=\d)/g, "point")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Identities are keys of an index: long ones become their hash, and what PostgreSQL refuses as text goes. */
function bounded(form: string): string {
  const identity = form.toWellFormed().replaceAll(/\p{Cc}/gu, "");
  if (identity.length <= longest) return identity;
  const kind = identity.slice(0, identity.indexOf(":"));
  return `${kind}:sha256:${createHash("sha256").update(identity).digest("hex")}`;
}
