import type { SourceConfig } from "../../config/sources.ts";
import type { IdentityRules, Listing } from "../../store/append/append-request.ts";
import type { Adapter } from "../adapter.ts";
import { canonicalUrl } from "./canonical-url.ts";
import { bounded, hostOf, isShared, isWithin, titleKey, wires } from "./identity.ts";

/** Whether the source may name items by the addresses of a host: its own, a declared one, or its wire's. */
export function speaksFor(source: SourceConfig, host: string): boolean {
  const { url, shared_host } = source;
  if (declares(source, host)) return true;
  const own = withoutWww(new URL(url).host);
  if (wires.some((wire) => wire.host === host)) return isWithin(own, host);
  return own === host && !shared_host;
}

/** Whether the sources file declares the host for the source. */
export function declares({ hosts }: SourceConfig, host: string): boolean {
  return hosts.some((declared) => isWithin(host, withoutWww(declared)));
}

function withoutWww(host: string): string {
  return host.startsWith("www.") ? host.slice(4) : host;
}

/** Who may name items by which identities, by the sources file. */
export class Speakers implements IdentityRules {
  readonly #sources: ReadonlyMap<string, SourceConfig>;
  /** Kinds of identity that only one format gives, with the format. */
  readonly #formats: ReadonlyMap<string, string>;

  constructor(
    sources: readonly SourceConfig[],
    adapters: Readonly<Record<string, Pick<Adapter, "identityKind">>>,
  ) {
    this.#sources = new Map(sources.map((source) => [source.id, source]));
    this.#formats = new Map(
      Object.entries(adapters).flatMap(([format, { identityKind }]) =>
        identityKind === undefined ? [] : [[identityKind, format] as const],
      ),
    );
  }

  /**
   * A release number or an address goes from a source that does not speak for it to one that does. Names that are valid
   * within a source take nothing from another source: otherwise a source that lost an item by a better name would take it
   * back.
   */
  takesOver(sourceId: string, form: string, from: string | null): boolean {
    if (!this.speaks(sourceId, form)) return false;
    return isShared(form) ? !this.speaks(from, form) : from === null || !this.#sources.has(from);
  }

  /** Whether the entry may name items by this form. Pushes, and sources that the sources file does not list, may not. */
  speaks(sourceId: string | null, form: string): boolean {
    const source = sourceId === null ? undefined : this.#sources.get(sourceId);
    if (source === undefined) return false;
    const [kind = "", scope = ""] = form.split(":", 2);
    const format = this.#formats.get(kind);
    if (format !== undefined) return format === source.format;
    // A hashed name no longer shows its host.
    if (scope === "sha256") return true;
    if (kind === "wire") return wires.some(({ wire, host }) => wire === scope && speaksFor(source, host));
    return kind === "url" ? speaksFor(source, hostOf(form.slice("url:".length))) : scope === source.name;
  }

  isReissue(before: Listing, now: Listing): boolean {
    const [a, b] = [keyOf(before), keyOf(now)];
    return a !== null && b !== null && a.title !== b.title && a.page !== b.page && a.day !== b.day;
  }

  reissueOf(guid: string, listing: Listing): string | null {
    const key = keyOf(listing);
    return key === null ? null : bounded(`${guid}|${key.day}|${key.page}`);
  }
}

/** null: without an address or a day a later item of the same guid looks like a revision. */
function keyOf({ title, link, source_time }: Listing): { title: string; page: string; day: string } | null {
  const page = link === null ? null : canonicalUrl(link);
  if (page === null || source_time === null) return null;
  return { title: titleKey(title ?? ""), page, day: source_time.slice(0, 10) };
}
