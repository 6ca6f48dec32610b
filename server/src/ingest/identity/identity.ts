import { createHash } from "node:crypto";
import { canonicalUrl } from "./canonical-url.ts";

/** Facts from which identities are made. */
export interface IdentityFacts {
  readonly source: string;
  /** The source's own id for it. */
  readonly guid: string | null;
  readonly link: string | null;
  /** canonicalUrl of the link, if the caller has it already. */
  readonly page?: string | null;
  /** canonicalUrl of the page itself, if the link goes through a feed service. */
  readonly originPage?: string | null;
  readonly title: string | null;
  readonly publishedAt: Date | null;
  /** Used when an item has no title. */
  readonly body?: string;
  /** Another item of its document has the same guid, so its address, or its words, are needed too. */
  readonly guidRepeats?: boolean;
  /** Other items of its document have the same link, so that is a landing page and does not identify the item. */
  readonly linkRepeats?: boolean;
  /** Whether the source may name items by the addresses of a host; absent: of none. */
  readonly speaksFor?: (host: string) => boolean;
  /** Whether the sources file declares the host for the source; absent: it declares none. */
  readonly declares?: (host: string) => boolean;
}

/** The names of an item. */
export interface ItemIdentity {
  /** Best first: [0] is the unique_id, all are aliases. */
  readonly identity: readonly [string, ...string[]];
  /**
   * Names that belong to another source: they join the item to that source's story. They name the item itself only if this
   * source already had an item under one.
   */
  readonly claims: readonly string[];
  /** Addresses beside a guid: they do not name the item, but show whose story it is. */
  readonly pages?: StoryPages | undefined;
  /** Its page, or the one that it links to, is on a declared host. */
  readonly declared?: boolean | undefined;
}

/** Names made of addresses, by whether the source speaks for their host. */
export interface StoryPages {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

const longest = 400;

/**
 * The ladder of identities, best first: wire release number, guid, address; only without guid and address: source, title
 * and day. Some formats have a kind of their own (Adapter.identityKind). A release number and an address name an item
 * only from a source that speaks for their host: from any other they are claims, and the address counts within that
 * source alone. Beside a guid the address counts only with the same title and within the source: publishers change the
 * guids of articles, but landing pages and running stories carry many items, and another source's copy is an item of its
 * own.
 */
export function itemIdentity(facts: IdentityFacts): ItemIdentity {
  const { source, guid, originPage = null } = facts;
  const page = pageOf(facts);
  // The page itself before the address that leads to it, since a feed service changes its addresses.
  const ownPage = facts.linkRepeats === true || page === originPage ? null : page;
  const pages = [originPage, ownPage].filter((found) => found !== null);
  const release = wireRelease(page) ?? wireRelease(originPage);
  const hasGuid = guid !== null && guid !== "";
  const named: Named[] = release === null ? [] : [ownedBy(facts, release.host, release.form)];
  if (hasGuid) {
    named.push({ own: guidForm(facts, guid, page) });
    const words = pages.length > 0 ? wordsKey(facts) : "";
    for (const each of pages) named.push({ own: `page:${source}:${words}:${each}` });
  } else
    for (const each of pages)
      named.push(ownedBy(facts, hostOf(each), `url:${each}`, `link:${source}:${each}`));
  const forms = (all: readonly (string | undefined)[]) =>
    all.flatMap((form) => (form === undefined ? [] : [bounded(form)]));
  const [first = bounded(hashForm(facts)), ...rest] = forms(named.map(({ own }) => own));
  const identity: ItemIdentity["identity"] = [first, ...rest];
  const declared = pages.some((each) => facts.declares?.(hostOf(each)));
  const found = {
    identity,
    claims: forms(named.map(({ claim }) => claim)),
    ...(declared ? { declared } : {}),
  };
  return hasGuid && pages.length > 0 ? { ...found, pages: storyPages(facts, pages) } : found;
}

function storyPages({ speaksFor }: IdentityFacts, pages: readonly string[]): StoryPages {
  const isOwn = (page: string) => speaksFor?.(hostOf(page)) === true;
  const forms = (some: readonly string[]) => some.map((page) => bounded(`url:${page}`));
  return { own: forms(pages.filter(isOwn)), others: forms(pages.filter((page) => !isOwn(page))) };
}

/** Names of a story that several sources may use: release numbers and addresses. They join copies to it. */
export function sharedNames({ identity, claims, pages, declared = false }: ItemIdentity): {
  readonly names: readonly string[];
  readonly claims: readonly string[];
  readonly declared: boolean;
} {
  return {
    names: [...identity.filter(isShared), ...(pages?.own ?? [])],
    claims: [...claims.filter(isShared), ...(pages?.others ?? [])],
    declared,
  };
}

/** Whether a name is valid beyond one source. */
export function isShared(form: string): boolean {
  return !/^(?:guid|page|link|hash):/.test(form);
}

interface Named {
  readonly own?: string;
  readonly claim?: string;
}

/** @param within a name that counts in this source alone, if there is one */
function ownedBy({ speaksFor }: IdentityFacts, host: string, form: string, within?: string): Named {
  const named = within === undefined ? {} : { own: within };
  if (speaksFor?.(host) !== true) return { ...named, claim: form };
  return within === undefined ? { own: form } : { own: form, claim: within };
}

function pageOf({ link, page }: IdentityFacts): string | null {
  return page !== undefined || link === null ? (page ?? null) : canonicalUrl(link);
}

/** The identity made of a source's own id alone; withdrawals name it. */
export function guidIdentity(source: string, guid: string): string {
  return bounded(`guid:${source}:${guidKey(guid)}`);
}

/** http and https are equal: sources that move from one to the other repeat everything. */
export function guidKey(guid: string): string {
  return guid.trim().replace(/^http:/i, "https:");
}

/** The name for one of several items with a guid; without an address its words distinguish it. */
function guidForm(facts: IdentityFacts, guid: string, page: string | null): string {
  const form = `guid:${facts.source}:${guidKey(guid)}`;
  return facts.guidRepeats === true ? `${form}|${page ?? facts.link ?? wordsKey(facts)}` : form;
}

/** The second group, if present, is the language: two versions of a release share its number and are two items. */
export const wires: readonly { wire: string; host: string; path: RegExp }[] = [
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

/** The number of a press release on its wire, equal in all feeds of the wire; null: the page is no release. */
function wireRelease(page: string | null): { host: string; form: string } | null {
  if (page === null) return null;
  const host = hostOf(page);
  const found = wires.find((known) => isWithin(host, known.host));
  if (found === undefined) return null;
  const [path = ""] = page.slice(scheme.length + host.length).split("?", 1);
  const [, number, language = "en"] = found.path.exec(path) ?? [];
  if (number === undefined) return null;
  return { host: found.host, form: `wire:${found.wire}:${number}${language === "en" ? "" : `:${language}`}` };
}

/** The host of a canonical address. */
export function hostOf(page: string): string {
  const end = page.slice(scheme.length).search(/[/?]/);
  return end === -1 ? page.slice(scheme.length) : page.slice(scheme.length, scheme.length + end);
}

/** Whether the host is the other, or a subdomain of it. */
export function isWithin(host: string, other: string): boolean {
  return host === other || host.endsWith(`.${other}`);
}

function hashForm(facts: IdentityFacts): string {
  const day = facts.publishedAt?.toISOString().slice(0, 10) ?? "nodate";
  return `hash:${facts.source}:${wordsKey(facts)}:${day}`;
}

function wordsKey({ title, body = "" }: IdentityFacts): string {
  return titleKey(title ?? "") || titleKey(body.slice(0, 2_000));
}

/** The identifying part of a headline: letters and digits, lower case; "-0.3%" is neither "0.3%" nor "3%". */
export function titleKey(title: string): string {
  if (!beyondAscii.test(title)) return plainKey(title.toLowerCase());
  const spaced = title.replaceAll(typographic, " ");
  if (!beyondAscii.test(spaced)) return plainKey(spaced.toLowerCase());
  const lower = title.normalize("NFKC").toLowerCase();
  const words = /\p{N}/u.test(lower)
    ? lower.replaceAll(/(?<![\p{L}\p{N}])[-\u2212](?=\d)/gu, "minus").replaceAll(/(?<=\d)\.(?=\d)/g, "point")
    : lower;
  return words.replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

const beyondAscii = /[^\0-\x7f]/;
/** Dashes and quotation marks: often the only characters beyond ASCII in a headline, and not part of its key. */
const typographic = /[\u2013\u2014\u2018-\u201d]/g;

/** The same for ASCII, without Unicode tables. */
function plainKey(lower: string): string {
  const words = /\d/.test(lower)
    ? lower.replaceAll(/(?<![a-z0-9])-(?=\d)/g, "minus").replaceAll(/(?<=\d)\.(?=\d)/g, "point")
    : lower;
  return words.replaceAll(/[^a-z0-9]+/g, "");
}

const isPrintable = /^[ -~]*$/;

/** Identities are index keys: long ones are replaced by their hash, and characters that PostgreSQL refuses are removed. */
export function bounded(form: string): string {
  const identity = isPrintable.test(form) ? form : form.toWellFormed().replaceAll(/\p{Cc}/gu, "");
  if (identity.length <= longest) return identity;
  const kind = identity.slice(0, identity.indexOf(":"));
  return `${kind}:sha256:${createHash("sha256").update(identity).digest("hex")}`;
}
