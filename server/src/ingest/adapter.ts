import type { FeedItem } from "@tapewire/contract/feeds.ts";
import type { SourceConfig } from "../config/sources.ts";
import type { PendingDocument } from "../feed/item.ts";
import type { FetchedResponse, FetchRequest } from "./fetch/types.ts";
import type { RawItem } from "./raw-item.ts";

/** Where a walk over a source's pages begins, and how far it must go. */
export interface Walk {
  readonly request: FetchRequest;
  /** Known items do not end the walk before it has passed this time: new ones may stand behind them. */
  readonly floor: Date | null;
}

/** What an adapter may know when it plans a walk. */
export interface PlanContext {
  readonly now: Date;
  /** When the last walk with a floor began that was completed. */
  readonly sweptAt: Date | null;
}

/** What an adapter may know when it looks for an archive to read. */
export interface ArchiveContext {
  readonly now: Date;
  /** The last day whose archive was read, YYYY-MM-DD; null for none. Days are read in order. */
  readonly reconciledTo: string | null;
}

/** The archive of one day: everything that the source brought on it. */
export interface ArchiveDue {
  /** YYYY-MM-DD, where the source is. */
  readonly day: string;
  readonly request: FetchRequest;
}

/** What one page of a source held. */
export interface ParsedPage {
  readonly items: readonly RawItem[];
  /** The page behind this one; followed only while a page brings something new. */
  readonly nextPage: FetchRequest | null;
  /** Set when the document was damaged and only part of it could be read. */
  readonly salvaged: boolean;
  /** What was left out because there is too much of it; null: nothing. */
  readonly cut: string | null;
  /** How long the document asks readers to wait before they come again; null when it does not say. */
  readonly ttlMs: number | null;
  /** Where the source announces changes (WebSub); null when it does not. */
  readonly hub: { readonly url: string; readonly topic: string } | null;
  /** Identities of items that the source has withdrawn. */
  readonly retracted: readonly string[];
}

/** The answer was not what the source promises (an HTML error page with status 200, no items to recognise ...). */
export class ParseError extends Error {
  override readonly name = "ParseError";
}

/** An item as it stands. */
export interface StoredItem {
  readonly item: Pick<FeedItem, "filing" | "link">;
  readonly body: string;
}

/** How one kind of source is read: pure functions, so that every recorded answer is a test. */
export interface Adapter {
  /** The kind of identity (the part before the first colon) that only items of this format have. */
  readonly identityKind?: string;
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
  /** How soon the documents of an item are read when many wait, 2 first; 1 without this. */
  documentClass?(item: RawItem): PendingDocument["class"];
  /** The item with what its documents add (one or more, in the order of enrich). @throws {ParseError} */
  withDocuments(item: RawItem, read: readonly FetchedResponse[], source: SourceConfig): RawItem;
  /**
   * A listed item merged with the stored one that it names: for sources whose pages may end within an item.
   * null: nothing new. Without this, the listed item replaces the stored one.
   */
  mergeListed?(item: RawItem, stored: StoredItem): RawItem | null;
  /**
   * The archive to compare with what is stored, of the first day that was not reconciled; null when none is due.
   * An answer of 403 or 404 means that there is none for the day, or not yet: the caller tries again later, and after two
   * days takes it for a holiday.
   */
  dueArchive?(source: SourceConfig, context: ArchiveContext): ArchiveDue | null;
  /** Everything the archive lists, without a page behind it. @throws {ParseError} when it is no archive */
  parseArchive?(response: FetchedResponse, source: SourceConfig): ParsedPage;
}

/** How each format of config/sources.json is read. */
export type Adapters = Readonly<Record<SourceConfig["format"], Adapter>>;

/** A page of a source that says nothing of itself beyond its items. */
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
