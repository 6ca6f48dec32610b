import { artifactType } from "@tapewire/contract/feeds.ts";
import { filingFacts } from "@tapewire/contract/filings.ts";
import { z } from "zod";
import type { RawItem } from "../raw-item.ts";

const texts = z.array(z.string());

const original = z.object({
  forms: texts,
  senders: texts,
  filed: z.string().nullable(),
  ofPeriod: z.boolean(),
});

/** A member that is not named here would be lost. */
const members = {
  source: z.string(),
  providerId: z.string(),
  type: artifactType,
  identity: z.tuple([z.string()]).rest(z.string()),
  claims: texts.default([]),
  pages: z.object({ own: texts, others: texts }).optional(),
  declared: z.boolean().optional(),
  title: z.string().nullable(),
  link: z.string().nullable(),
  body: z.string(),
  seenAt: z.coerce.date(),
  publishedAt: z.coerce.date().nullable(),
  precision: z.enum(["second", "day", "none"]),
  language: z.string().nullable(),
  symbols: texts,
  isins: texts,
  ciks: texts,
  categories: texts,
  countries: texts.optional(),
  homeCountry: z.string().optional(),
  filing: filingFacts.nullable(),
  original: original.nullish(),
  retracted: z.boolean(),
} satisfies Record<keyof RawItem, z.ZodType>;
const storedRawItem = z.object(members);

/** Reads a raw item that was stored until its documents are read. @throws {z.ZodError} */
export function readStoredRawItem(stored: unknown): RawItem {
  return storedRawItem.parse(stored);
}
