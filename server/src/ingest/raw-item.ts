import type { ArtifactType } from "@tapewire/contract/feeds.ts";
import type { FilingFacts } from "@tapewire/contract/filings.ts";
import type { OriginalSought } from "../feed/item.ts";
import type { StoryPages } from "./identity/identity.ts";

/**
 * An item as an adapter read it, before linking and scoring. All text is clean: markup stripped, entities decoded, NFC,
 * no control characters or lone surrogates (see text.ts). White space is folded; a filing's body keeps its lines.
 */
export interface RawItem {
  readonly source: string;
  readonly providerId: string;
  readonly type: ArtifactType;
  /** The identity ladder, best first (see identity.ts): [0] becomes unique_id, all are aliases. Never empty. */
  readonly identity: readonly [string, ...string[]];
  /** Names that its source may not give it; see ItemIdentity. */
  readonly claims: readonly string[];
  readonly pages?: StoryPages | undefined;
  /** See ItemIdentity. */
  readonly declared?: boolean | undefined;
  readonly title: string | null;
  readonly link: string | null;
  readonly body: string;
  /** When the answer that brought it was read. */
  readonly seenAt: Date;
  /** The source's own time; null when it gives none, or none that can be read. */
  readonly publishedAt: Date | null;
  /** "day": the source gives only a date. */
  readonly precision: "second" | "day" | "none";
  /** ISO 639-1, if the source gives it. */
  readonly language: string | null;
  readonly symbols: readonly string[];
  readonly isins: readonly string[];
  readonly ciks: readonly string[];
  readonly categories: readonly string[];
  /** ISO 3166-1 alpha-2: market countries in addition to those of its symbols. */
  readonly countries?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2 of the source, where its clock tells it: the tickers of its market count as names. */
  readonly homeCountry?: string | undefined;
  readonly filing: FilingFacts | null;
  /** See NewItem; absent or null: none. */
  readonly original?: OriginalSought | null | undefined;
  /** The source has withdrawn it. */
  readonly retracted: boolean;
}
