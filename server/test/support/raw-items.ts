import type { RawItem } from "../../src/ingest/raw-item.ts";

/** A raw item without date, text or symbols, except for the given members. */
export const rawItem = (
  given: Partial<RawItem> & Pick<RawItem, "source" | "type" | "identity" | "title" | "seenAt">,
): RawItem => ({
  providerId: given.source,
  claims: [],
  link: null,
  body: "",
  publishedAt: null,
  precision: "none",
  language: "en",
  symbols: [],
  isins: [],
  ciks: [],
  categories: [],
  filing: null,
  retracted: false,
  ...given,
});
