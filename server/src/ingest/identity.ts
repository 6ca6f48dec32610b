import { createHash } from "node:crypto";
import { canonicalUrl } from "./canonical-url.ts";

/** What an item can be known by. */
export interface IdentityFacts {
  readonly source: string;
  /** The source's own id for it. */
  readonly guid: string | null;
  readonly link: string | null;
  /** canonicalUrl of the link, where the caller has it already. */
  readonly page?: string | null;
  /** canonicalUrl of the page itself, where the link leads there by way of a feed service. */
  readonly originPage?: string | null;
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
  const { source, guid, originPage = null } = facts;
  const page = pageOf(facts);
  // The page itself before the address that leads there: a feed service's changes.
  const ownPage = facts.linkRepeats === true || page === originPage ? null : page;
  const pages = [originPage, ownPage].filter((found) => found !== null);
  const release = wireRelease(page);
  const forms = release.length > 0 ? release : wireRelease(originPage);
  if (guid !== null && guid !== "") {
    forms.push(guidForm(facts, guid, page));
    const words = pages.length > 0 ? wordsKey(facts) : "";
    for (const each of pages) forms.push(`page:${source}:${words}:${each}`);
  } else for (const each of pages) forms.push(`url:${each}`);
  const [first = hashForm(facts), ...rest] = forms;
  return [bounded(first), ...rest.map(bounded)];
}

function pageOf({ link, page }: IdentityFacts): string | null {
  return page !== undefined || link === null ? (page ?? null) : canonicalUrl(link);
}

/** The identity that a source's own id alone makes: what it withdraws is named by it. */
export function guidIdentity(source: string, guid: string): string {
  return bounded(`guid:${source}:${guidKey(guid)}`);
}

/** http and https are one: sources move from the one to the other and repeat everything. */
export function guidKey(guid: string): string {
  return guid.trim().replace(/^http:/i, "https:");
}

/** An item without address is told from others of its guid by its words. */
function guidForm(facts: IdentityFacts, guid: string, page: string | null): string {
  const form = `guid:${facts.source}:${guidKey(guid)}`;
  return facts.guidRepeats === true ? `${form}|${page ?? facts.link ?? wordsKey(facts)}` : form;
}

/** The second group, where there is one, is the language: versions of a release share its number and are two items. */
const wires: readonly { wire: string; host: string; path: RegExp }[] = [
  {
    wire: "gnw",
    host: "globenewswire.com",
    path: /^\/(?:[a-z-]+\/)?news-release\/\d{4}\/\d{2}\/\d{2}\/(\d{5,})(?:\/\d+\/([a-z]{2})(?:\/|$))?/,
  },
  { wire: "prn", host: "prnewswire.com", path: /^\/news-releases\/[^/]*?-(\d{8,})\.html/ },
  { wire: "bw", host: "businesswire.com", path: /^\/news\/home\/(\d{12,})(?:\/([a-z]{2})(?:\/|$))?/ },
  { wire: "acn", host: "accessnewswire.com", path: /^\/newsroom\/[a-z-]+\/.*?-(\d{6,})$/ },
  { wire: "nf", host: "newsfilecorp.com", path: /^\/release\/(\d{5,})/ },
];
const scheme = "https://";

/** The number a press release has on its wire: the same in every feed that carries it. */
function wireRelease(page: string | null): string[] {
  if (page === null) return [];
  const slash = page.indexOf("/", scheme.length);
  const host = page.slice(scheme.length, slash === -1 ? page.length : slash);
  const found = wires.find((known) => host === known.host || host.endsWith(`.${known.host}`));
  if (found === undefined || slash === -1) return [];
  const [path = ""] = page.slice(slash).split("?", 1);
  const [, number, language = "en"] = found.path.exec(path) ?? [];
  if (number === undefined) return [];
  return [`wire:${found.wire}:${number}${language === "en" ? "" : `:${language}`}`];
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
  if (!beyondAscii.test(title)) return plainKey(title.toLowerCase());
  const spaced = title.replaceAll(typographic, " ");
  if (!beyondAscii.test(spaced)) return plainKey(spaced.toLowerCase());
  const lower = title.normalize("NFKC").toLowerCase();
  const told = /\p{N}/u.test(lower)
    ? lower.replaceAll(/(?<![\p{L}\p{N}])[-\u2212](?=\d)/gu, "minus").replaceAll(/(?<=\d)\.(?=\d)/g, "point")
    : lower;
  return told.replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

const beyondAscii = /[^\0-\x7f]/;
/** Dashes and quotation marks: often all of a headline that is not ASCII, and no part of its key. */
const typographic = /[\u2013\u2014\u2018-\u201d]/g;

/** The same for ASCII, which needs none of the tables of Unicode. */
function plainKey(lower: string): string {
  const told = /\d/.test(lower)
    ? lower.replaceAll(/(?<![a-z0-9])-(?=\d)/g, "minus").replaceAll(/(?<=\d)\.(?=\d)/g, "point")
    : lower;
  return told.replaceAll(/[^a-z0-9]+/g, "");
}

const isPrintable = /^[ -~]*$/;

/** Identities are keys of an index: long ones become their hash, and what PostgreSQL refuses as text goes. */
function bounded(form: string): string {
  const identity = isPrintable.test(form) ? form : form.toWellFormed().replaceAll(/\p{Cc}/gu, "");
  if (identity.length <= longest) return identity;
  const kind = identity.slice(0, identity.indexOf(":"));
  return `${kind}:sha256:${createHash("sha256").update(identity).digest("hex")}`;
}
