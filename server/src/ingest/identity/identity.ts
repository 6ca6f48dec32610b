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
  /** Whether the source may name items by the addresses of a host; absent: of none. */
  readonly speaksFor?: (host: string) => boolean;
  /** Whether the sources file declares the host to be the source's; absent: it declares none. */
  readonly declares?: (host: string) => boolean;
}

/** What an item is known by. */
export interface ItemIdentity {
  /** Best first: [0] is the unique_id, all are aliases. */
  readonly identity: readonly [string, ...string[]];
  /**
   * Forms that are another's to give: they join the item to that other's story. Only where this very source has had an
   * item under one before do they name it.
   */
  readonly claims: readonly string[];
  /** Addresses beside a guid: they name no item, and tell whose the matter is. */
  readonly pages?: StoryPages | undefined;
  /** Its page, or the one that it leads to, is on a declared host. */
  readonly declared?: boolean | undefined;
}

/** Forms of addresses, by whether the source speaks for their host. */
export interface StoryPages {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

const longest = 400;

/**
 * The ladder of identities, best first: wire release number, guid, address, and only where there is neither guid nor
 * address, source, title and day. Some formats have a kind of their own (Adapter.identityKind). A release number and an
 * address name an item only from a source that speaks for their host: from any other they are claims, and the address
 * counts within that source alone. Beside a guid the address counts only with the same title and within the source:
 * guids change under articles, yet landing pages and running stories carry many items, and another source's copy is an
 * item of its own.
 */
export function itemIdentity(facts: IdentityFacts): ItemIdentity {
  const { source, guid, originPage = null } = facts;
  const page = pageOf(facts);
  // The page itself before the address that leads there: a feed service's changes.
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

/** The names of a matter that several sources may use: release numbers and addresses. They join copies to its story. */
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

/** Not a name within one source. */
export function isShared(form: string): boolean {
  return !/^(?:guid|page|link|hash):/.test(form);
}

interface Named {
  readonly own?: string;
  readonly claim?: string;
}

/** @param within the form that counts in this source alone, where there is one */
function ownedBy({ speaksFor }: IdentityFacts, host: string, form: string, within?: string): Named {
  const named = within === undefined ? {} : { own: within };
  if (speaksFor?.(host) !== true) return { ...named, claim: form };
  return within === undefined ? { own: form } : { own: form, claim: within };
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

/** The number a press release has on its wire: the same in every feed of the wire. null: the page is no release. */
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

/** Of a canonical address. */
export function hostOf(page: string): string {
  const end = page.slice(scheme.length).search(/[/?]/);
  return end === -1 ? page.slice(scheme.length) : page.slice(scheme.length, scheme.length + end);
}

/** The host is the other, or under it. */
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

/** A headline reduced to what identifies it: letters and digits, lower case; "-0.3%" is not "0.3%", nor "3%". */
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
/** Dashes and quotation marks: often all of a headline that is not ASCII, and no part of its key. */
const typographic = /[\u2013\u2014\u2018-\u201d]/g;

/** The same for ASCII, which needs none of the tables of Unicode. */
function plainKey(lower: string): string {
  const words = /\d/.test(lower)
    ? lower.replaceAll(/(?<![a-z0-9])-(?=\d)/g, "minus").replaceAll(/(?<=\d)\.(?=\d)/g, "point")
    : lower;
  return words.replaceAll(/[^a-z0-9]+/g, "");
}

const isPrintable = /^[ -~]*$/;

/** Identities are keys of an index: long ones become their hash, and what PostgreSQL refuses as text goes. */
export function bounded(form: string): string {
  const identity = isPrintable.test(form) ? form : form.toWellFormed().replaceAll(/\p{Cc}/gu, "");
  if (identity.length <= longest) return identity;
  const kind = identity.slice(0, identity.indexOf(":"));
  return `${kind}:sha256:${createHash("sha256").update(identity).digest("hex")}`;
}
