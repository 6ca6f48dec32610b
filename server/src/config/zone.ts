import { LRUCache } from "lru-cache";

/** More than all zone names in all usual spellings. */
const mostKnown = 2_000;
/** By name in lower case. Intl takes half a millisecond per look-up. */
const known = new LRUCache<string, { readonly name: string | null }>({ max: mostKnown });

/** The canonical name of a time zone given in any case; null when there is no such zone. */
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

/** Whether this is the name of a time zone. */
export function isZone(name: string): boolean {
  return zoneName(name) !== null;
}
