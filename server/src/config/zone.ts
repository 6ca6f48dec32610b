import { LRUCache } from "lru-cache";

/** More names than there are zones in every spelling that anybody means. */
const mostKnown = 2_000;
/** By name in lower case; to ask takes half a millisecond. */
const known = new LRUCache<string, { readonly name: string | null }>({ max: mostKnown });

/** The one name of a time zone that dates can be read in, which is spelled in any case; null when it is none. */
export function zoneName(text: string): string | null {
  const key = text.toLowerCase();
  const found = known.get(key);
  if (found !== undefined) return found.name;
  const name = resolved(text);
  known.set(key, { name });
  return name;
}

function resolved(name: string): string | null {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Whether this is the name of a time zone that dates can be read in. */
export function isZone(name: string): boolean {
  return zoneName(name) !== null;
}
