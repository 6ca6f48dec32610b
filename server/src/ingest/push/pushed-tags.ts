import { countryCodes } from "@tapewire/contract/countries.ts";
import { allowedTagValues, type TagDictionary, tagDimensions } from "@tapewire/contract/tags.ts";

/** The tags of a pushed item that are not in the dictionary, by kind. */
export interface PushedTags {
  /** Codes of ISO 3166-1, which are not values of any other dimension. */
  readonly countries: readonly string[];
  /** As they were sent: no dimension knows them. */
  readonly ignored: readonly string[];
}

/** Sorts the tags that are not values of the dictionary, whatever their case. */
export function pushedTags(tags: readonly string[], dictionary: TagDictionary): PushedTags {
  const named = tagDimensions.filter((dimension) => dimension !== "market_country");
  const known = new Set(named.flatMap((dimension) => [...allowedTagValues(dictionary, dimension)]));
  const unknown = tags.filter((tag) => !known.has(tag.toLowerCase()));
  // In capitals only, as the standard writes them, since `it` and `ai` are words.
  const isCountry = (tag: string) => countryCodes.has(tag);
  return {
    countries: unknown.filter(isCountry),
    ignored: unknown.filter((tag) => !isCountry(tag)),
  };
}
