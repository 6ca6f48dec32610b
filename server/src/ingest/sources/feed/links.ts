import { canonicalOf, isWeb } from "../../identity/canonical-url.ts";

/** A link as shown, and the canonical address of its page. */
export interface PageLink {
  readonly link: string;
  readonly page: string;
}

/** A longer address is an embedded document or an attack, and no browser follows it. */
const longestLink = 4_000;

/** Resolves the links of one document; computes each base and each link once. */
export class LinkReader {
  /** Innermost first. */
  readonly #outer: readonly (string | null)[];
  readonly #bases = new Map<string, string | null>();

  /** @param outer bases of the whole document, innermost first (RFC 3986 5.1) */
  constructor(outer: readonly (string | null)[]) {
    this.#outer = outer;
  }

  /** @returns null when the link is no http(s) address */
  read(link: string | null, base: string | null): PageLink | null {
    const text = link?.trim();
    if (text === undefined || text === "" || text.length > longestLink) return null;
    const isAbsolute = /^https?:\/\//i.test(text);
    const url = URL.parse(text, isAbsolute ? undefined : (this.#base(base) ?? undefined));
    if (url === null || !isWeb(url)) return null;
    // An absolute address stays as written: it is shown, and compared with those of other sources.
    const isSafe = isAbsolute && !/[\s\p{Cc}]/u.test(text) && text.isWellFormed();
    return { link: isSafe ? text : url.href, page: canonicalOf(url) };
  }

  #base(inner: string | null): string | null {
    const key = inner ?? "";
    const known = this.#bases.get(key);
    if (known !== undefined) return known;
    const base = [inner, ...this.#outer].reduceRight<string | null>(
      (outer, next) => (next === null ? outer : (URL.parse(next, outer ?? undefined)?.href ?? outer)),
      null,
    );
    this.#bases.set(key, base);
    return base;
  }
}

/** A name, and what has it. */
interface Owned {
  readonly name: string;
  readonly owner: string;
}

/** The names with more than one owner. */
export function sharedByOwners(owned: Iterable<Owned>): ReadonlySet<string> {
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, owner } of owned) {
    const first = owners.get(name);
    if (first === undefined) owners.set(name, owner);
    else if (first !== owner) shared.add(name);
  }
  return shared;
}
