import type { FeedItem } from "@tapewire/contract/feeds.ts";
import type { SourceConfig } from "../config/sources.ts";
import type { PendingDocument } from "../feed/item.ts";
import type { BlockNotice, FetchedResponse, FetchRequest } from "./fetch/types.ts";
import type { RawItem } from "./raw-item.ts";

/** Where a walk over a source's pages begins, and how far it must go. */
export interface Walk {
  readonly request: FetchRequest;
  /** Known items do not end the walk before this time, because new ones may stand behind them. */
  readonly floor: Date | null;
}

/** The state that an adapter gets when it plans a walk. */
export interface PlanContext {
  readonly now: Date;
  /** When the last completed walk with a floor began. */
  readonly sweptAt: Date | null;
}

/** The state that an adapter gets when it looks for an archive to read. */
export interface ArchiveContext {
  readonly now: Date;
  /** The last day whose archive was read, YYYY-MM-DD; null for none. Days are read in order. */
  readonly reconciledTo: string | null;
}

/** The archive of one day: everything that the source published on it. */
export interface ArchiveDue {
  /** YYYY-MM-DD, in the source's time zone. */
  readonly day: string;
  /** The archive has what was published after `from`, up to and including `to`. */
  readonly from: Date;
  readonly to: Date;
  readonly request: FetchRequest;
}

/** The content of one page of a source. */
export interface ParsedPage {
  readonly items: readonly RawItem[];
  /** The next page; followed only while pages bring something new. */
  readonly nextPage: FetchRequest | null;
  /** Set when the document was damaged and only part of it could be read. */
  readonly salvaged: boolean;
  /** What was left out because there was too much of it; null: nothing. */
  readonly cut: string | null;
  /** How long the document asks readers to wait before the next request; null when it does not say. */
  readonly ttlMs: number | null;
  /** Where the source announces changes (WebSub); null when it does not. */
  readonly hub: { readonly url: string; readonly topic: string } | null;
  /** Identities of items that the source has withdrawn. */
  readonly retracted: readonly string[];
}

/** The answer was not what the source promises (an HTML error page with status 200, no recognisable items ...). */
export class ParseError extends Error {
  override readonly name = "ParseError";
}

/** An item as it is stored. */
export interface StoredItem {
  readonly item: Pick<FeedItem, "filing" | "link">;
  readonly body: string;
}

/** How one kind of source is read: pure functions, so that every recorded answer is a test. */
export interface Adapter {
  /** The kind of identity (the part before the first colon) that only items of this format have. */
  readonly identityKind?: string;
  /** The error page by which the source's hosts say that they have blocked this client. */
  readonly blockNotice?: BlockNotice;
  /** The walk of one poll. */
  plan(source: SourceConfig, context: PlanContext): Walk;
  /** @throws {ParseError} when the answer is not of this format */
  parse(response: FetchedResponse, source: SourceConfig): ParsedPage;
  /**
   * The next document to read for an item.
   * @param read the documents read so far, in order
   * @returns null when there is none (more) worth a request
   */
  enrich(item: RawItem, source: SourceConfig, read: readonly FetchedResponse[]): FetchRequest | null;
  /** The priority of an item's documents when many wait, 2 first; 1 without this. */
  documentClass?(item: RawItem): PendingDocument["class"];
  /** The item with what its documents add (one or more, in the order of enrich). @throws {ParseError} */
  withDocuments(item: RawItem, read: readonly FetchedResponse[], source: SourceConfig): RawItem;
  /**
   * A listed item merged with the stored one that it names: for sources whose pages may end within an item.
   * null: nothing new. Without this, the listed item replaces the stored one.
   */
  mergeListed?(item: RawItem, stored: StoredItem): RawItem | null;
  /**
   * The archive of the first day that was not reconciled, to be compared with what is stored; null when none is due.
   * An answer of 403 or 404 means that the day has no archive (yet): the caller tries again later, and after two days
   * takes the day for a holiday. A damaged answer is requested again, too, and given up after that time.
   */
  dueArchive?(source: SourceConfig, context: ArchiveContext): ArchiveDue | null;
  /** Everything the archive lists, without a next page. @throws {ParseError} when it is no archive */
  parseArchive?(response: FetchedResponse, source: SourceConfig): ParsedPage;
}

/** How each format of config/sources.json is read. */
export type Adapters = Readonly<Record<SourceConfig["format"], Adapter>>;

/** A page with items only. */
export function plainPage(items: readonly RawItem[], more: Partial<ParsedPage> = {}): ParsedPage {
  return {
    items,
    nextPage: null,
    salvaged: false,
    cut: null,
    ttlMs: null,
    hub: null,
    retracted: [],
    ...more,
  };
}
