import type { SourceConfig } from "../config/sources.ts";
import type { RawItem } from "./raw-item.ts";

/** One HTTP GET that an adapter asks for; the fetcher does it (conditional headers, caps, time-outs, politeness). */
export interface FetchRequest {
  readonly url: string;
  readonly accept: string;
  /** true for the poll itself: sends If-None-Match / If-Modified-Since from the source's state. */
  readonly conditional: boolean;
}

/** A 200 answer, its body decompressed and within the cap. */
export interface FetchedResponse {
  /** After redirects. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly fetchedAt: Date;
}

/** What one page of a source held. */
export interface ParsedPage {
  readonly items: readonly RawItem[];
  /** The page behind this one; followed only while a page brings something new. */
  readonly nextPage: FetchRequest | null;
  /** Set when the document was damaged and only part of it could be read. */
  readonly salvaged: boolean;
}

/** The answer was not what the source promises (an HTML error page with status 200, no items to recognise ...). */
export class ParseError extends Error {
  override readonly name = "ParseError";
}

/** How one kind of source is read: pure functions, so that every recorded answer is a test. */
export interface Adapter {
  /** The first request of a poll. */
  plan(source: SourceConfig): FetchRequest;
  /** @throws {ParseError} when the answer is not of this format */
  parse(response: FetchedResponse, source: SourceConfig): ParsedPage;
  /** The document to read before an item is scored, null when there is none worth a request. */
  enrich(item: RawItem, source: SourceConfig): FetchRequest | null;
  /** The item with what its document adds. @throws {ParseError} */
  withDocument(item: RawItem, response: FetchedResponse): RawItem;
}
