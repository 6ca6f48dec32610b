import { headlineWords } from "./headline-words.ts";
import { languageWords } from "./words.ts";

/** By language its words in lower case, separated by white space. */
export const vocabulary: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(languageWords).map(([language, words]) => {
    const more = headlineWords[language];
    return [language, more === undefined ? words : `${words} ${more}`];
  }),
);
