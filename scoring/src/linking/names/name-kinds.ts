import { placeNames } from "../name-classes.ts";
import { list } from "./word-list.ts";

/** What a company's name is besides: the more it means something else, the more must show that it means the company. */

/**
 * proper: hardly anything else ("Ford", "Snowflake"). shared: also of places, universities and persons in the news.
 * noun: also a common word ("Target"). strict: a word whose first meaning is far more frequent ("Carnival").
 */
export type NameKind = "proper" | "shared" | "noun" | "strict";

const sharedNames = list(
  "dover columbia jackson duke aspen phoenix austin arlington cleveland lexington madison franklin lincoln houston",
  "dallas denver columbus albany richmond charlotte orlando monterey princeton stanford berkeley cambridge oxford",
  "chester preston hamilton newport brighton windsor york lancaster fulton marion warren monroe pierce sterling",
  "regions republic dominion unity liberty freedom independence heritage pioneer",
  "bristol colgate westlake capri manhattan brunswick oshkosh wheaton lam kimberly rockwell burlington",
  // Persons of the news of the day: a central banker, senators, governors, envoys, film stars and players.
  "williams ross warner marsh emerson gallagher mccormick murphy walker boyd mueller cooper parsons tyler jacobs schwab levi",
);
const sharedPhrases = new Set(["main street", "wall street", "park avenue", "first lady", "old dominion"]);

const nouns = list(
  "target gap strategy visa whirlpool coke sabre waters fox zoom monster enterprise principal charter booking sands ball galicia",
  "corning travelers republic permian coherent quanta waste riot elastic plug toast amex",
  // Families in the news.
  "hilton tyson brady lear abbott wynn ryder powell",
);
const strictWords = list(
  "carnival southwest spirit frontier guess box affirm upstart lemonade oscar sprouts constellation campbell crane range",
  "southern edison simon citizens discover edwards align exact buckle express root gemini bullish archer joby array",
  "marathon summit kraft cava hinge recursion structure chime circle strive match block square snap open ally progressive",
  "mercury pinnacle nova quest mosaic jazz toro polaris frontline united norwegian paramount carrier plexus next flow",
);

/** @param name in lower case, without a possessive */
export function kindOfName(name: string): NameKind {
  if (strictWords.has(name)) return "strict";
  if (sharedNames.has(name) || sharedPhrases.has(name) || placeNames.has(name)) return "shared";
  return nouns.has(name) ? "noun" : "proper";
}
