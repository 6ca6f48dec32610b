import { z } from "zod";
import { countryCodes } from "./countries.ts";

export const tagDimensions = ["corp_activity", "market", "market_country", "economic_category"] as const;
export const tagDimension = z
  .enum(tagDimensions)
  .meta({ id: "TagDimension", description: "Dimension of tags." });
export type TagDimension = z.infer<typeof tagDimension>;

/** Tag values by dimension. A dimension without values is absent. */
export const tagSet = z
  .partialRecord(tagDimension, z.array(z.string()))
  .meta({ id: "TagSet", description: "Tag values by dimension." });
export type TagSet = z.infer<typeof tagSet>;

const dimensionValues = z.strictObject({
  label: z.string(),
  values: z.array(z.strictObject({ value: z.string(), label: z.string(), definition: z.string() })),
});

/** config/tags.json. market_country has no list: its values are the ISO 3166-1 codes. */
export const tagDictionary = z.strictObject({
  corp_activity: dimensionValues,
  market: dimensionValues,
  market_country: z.strictObject({ label: z.string() }),
  economic_category: dimensionValues,
});
export type TagDictionary = z.infer<typeof tagDictionary>;

/** A kind of event, as the scoring engine knows it. */
export interface EventKind {
  readonly name: string;
  readonly group: string;
  readonly label: string;
  readonly meaning: string;
}

/** The values that filters may name. */
export interface Dictionary {
  readonly tags: TagDictionary;
  readonly events: readonly EventKind[];
}

/** The values that a filter may name in a dimension. For market_country: every assigned code, with or without items. */
export function allowedTagValues(dictionary: TagDictionary, dimension: TagDimension): ReadonlySet<string> {
  return dimension === "market_country"
    ? countryCodes
    : new Set(dictionary[dimension].values.map(({ value }) => value));
}
