import type { SourceConfig } from "../../config/sources.ts";
import { type Adapters, type ParsedPage, ParseError } from "../adapter.ts";
import type { FetchedResponse } from "../fetch/types.ts";
import type { RawItem } from "../raw-item.ts";

/** A task for an adapter, as plain data, so that it can be sent to a thread. */
export type Reading =
  | { readonly of: "page" | "archive"; readonly source: SourceConfig; readonly response: FetchedResponse }
  | {
      readonly of: "documents";
      readonly source: SourceConfig;
      readonly item: RawItem;
      readonly responses: readonly FetchedResponse[];
    };

export type ReadingResult =
  | { readonly of: "page"; readonly page: ParsedPage }
  | { readonly of: "item"; readonly item: RawItem };

/** refusal: the message of the ParseError; tookMs: time of reading alone. */
export type ReadingAnswer = { readonly tookMs: number } & (
  | { readonly result: ReadingResult; readonly refusal: null }
  | { readonly result: null; readonly refusal: string }
);

/**
 * What the adapter reads, without the texts of a source that keeps headlines only: nothing behind this sees them.
 * @throws {ParseError} when the answer is not what the source promises
 */
export function read(adapters: Adapters, reading: Reading): ReadingResult {
  const result = readWhole(adapters, reading);
  if (!reading.source.headline_only) return result;
  if (result.of === "item") return { of: "item", item: { ...result.item, body: "" } };
  const items = result.page.items.map((item) => ({ ...item, body: "" }));
  return { of: "page", page: { ...result.page, items } };
}

function readWhole(adapters: Adapters, reading: Reading): ReadingResult {
  const { source } = reading;
  const adapter = adapters[source.format];
  if (reading.of === "documents")
    return { of: "item", item: adapter.withDocuments(reading.item, reading.responses, source) };
  if (reading.of === "page") return { of: "page", page: adapter.parse(reading.response, source) };
  if (adapter.parseArchive === undefined) throw new ParseError("the source has no archive");
  return { of: "page", page: adapter.parseArchive(reading.response, source) };
}
