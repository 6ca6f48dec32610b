import { readFileSync } from "node:fs";
import { type Dictionary, tagDictionary } from "@tapewire/contract/tags.ts";
import { eventCatalogue } from "@tapewire/scoring/flash/events/catalogue.ts";

const tags: unknown = JSON.parse(readFileSync(new URL("../../../config/tags.json", import.meta.url), "utf8"));

/** The values of filters, as the service has them. */
export const dictionary: Dictionary = { tags: tagDictionary.parse(tags), events: eventCatalogue };
