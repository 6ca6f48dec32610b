/** Longest name of a publisher; longer ones are a part of the headline. */
const longest = { characters: 50, words: 6 } as const;

/**
 * The publisher of an entry in a feed of several publishers, and its headline without that name.
 * Aggregators end headlines in " - Publisher"; if the entry itself names its publisher, only that name is removed.
 * @param named by the entry itself (<source>, dc:publisher); null when it names none
 */
export function publisherOf(
  title: string | null,
  named: string | null,
): { title: string | null; publisher: string | null } {
  const at = title?.lastIndexOf(" - ") ?? -1;
  if (title === null || at < 1) return { title, publisher: named };
  const suffix = title.slice(at + 3);
  const isName = named === null ? looksLikeName(suffix) : suffix.toLowerCase() === named.toLowerCase();
  return isName
    ? { title: title.slice(0, at).trimEnd(), publisher: named ?? suffix }
    : { title, publisher: named };
}

/** "The Northern Post", "wire.example"; but not "analysts react" or "3%". */
function looksLikeName(text: string): boolean {
  const isShort = text.length <= longest.characters && text.split(" ").length <= longest.words;
  return isShort && (/^\p{Lu}/u.test(text) || /^[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){1,3}$/.test(text));
}

/**
 * A publisher's name as a provider id: "The Northern Post" is `the-northern-post`.
 * @returns null when nothing is left of it, for example of a name without Latin letters
 */
export function providerSlug(name: string): string | null {
  const slug = name
    .slice(0, 200)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 64)
    .replace(/[._-]+$/, "");
  return slug === "" ? null : slug;
}
