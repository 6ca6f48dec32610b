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
  /** In its document another item has the same guid: with its address it is told apart. */
  readonly guidRepeats?: boolean;
  /** In its document other items point to the same address: it is a landing page, not the item's. */
  readonly linkRepeats?: boolean;
}

const longest = 400;

/**
 * The ladder of identities, best first: wire release number, guid, address, and only where there is neither guid nor
 * address, source, title and day. [0] is the unique_id, all are aliases. Filings have their accession (edgar.ts).
 */
export function itemIdentity(facts: IdentityFacts): readonly [string, ...string[]] {
  const { source, guid, link } = facts;
  const url = link === null || facts.linkRepeats === true ? null : canonicalUrl(link);
  const forms = [
    ...wireRelease(link),
    ...(guid === null || guid === "" ? [] : [guidForm(source, guid, facts)]),
    ...(url === null ? [] : [`url:${url}`]),
  ].map(bounded);
  const [first, ...rest] = forms;
  return first === undefined ? [bounded(hashForm(facts))] : [first, ...rest];
}

/** http and https are one: sources move from the one to the other and repeat everything. */
function guidForm(source: string, guid: string, { guidRepeats, link }: IdentityFacts): string {
  const folded = guid.trim().replace(/^http:/i, "https:");
  return `guid:${source}:${folded}${guidRepeats === true && link !== null ? `|${canonicalUrl(link) ?? link}` : ""}`;
}

const wires: readonly { wire: string; form: RegExp }[] = [
  { wire: "gnw", form: /globenewswire\.com\/(?:[a-z-]+\/)?news-release\/\d{4}\/\d{2}\/\d{2}\/(\d{5,})/ },
  { wire: "prn", form: /prnewswire\.com\/news-releases\/[^/?#]*?-(\d{8,})\.html/ },
  { wire: "bw", form: /businesswire\.com\/news\/home\/(\d{12,})/ },
  { wire: "acn", form: /accessnewswire\.com\/newsroom\/[a-z-]+\/[^?#]*?-(\d{6,})$/ },
  { wire: "nf", form: /newsfilecorp\.com\/release\/(\d{5,})/ },
];

/** The number a press release has on its wire: the same in every feed that carries it. */
function wireRelease(link: string | null): string[] {
  if (link === null) return [];
  return wires.flatMap(({ wire, form }) => {
    const number = form.exec(link)?.[1];
    return number === undefined ? [] : [`wire:${wire}:${number}`];
  });
}

function hashForm({ source, title, publishedAt }: IdentityFacts): string {
  const day = publishedAt?.toISOString().slice(0, 10) ?? "nodate";
  return `hash:${source}:${titleKey(title ?? "")}:${day}`;
}

/** A headline reduced to what identifies it: letters and digits, lower case. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Identities are keys of an index: long ones become their hash. */
function bounded(identity: string): string {
  if (identity.length <= longest) return identity;
  const kind = identity.slice(0, identity.indexOf(":"));
  return `${kind}:sha256:${createHash("sha256").update(identity).digest("hex")}`;
}
