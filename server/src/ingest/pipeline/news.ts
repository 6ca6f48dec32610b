import type { IdentityRules } from "../../store/append/append-request.ts";
import { formsOf, isTakenOver, type KnownItem, knownItems, ownerOf } from "../../store/append/item-keys.ts";
import { currentVersions } from "../../store/append/versions.ts";
import type { Db } from "../../store/engine/db.ts";
import { readKept } from "../../store/retention/kept-since.ts";
import { isBeforeKept, retiredNames } from "../../store/retention/too-old.ts";
import type { Adapter } from "../adapter.ts";
import type { RawItem } from "../raw-item.ts";
import { contentKey } from "./content-key.ts";

type Owner = NonNullable<ReturnType<typeof ownerOf>>;

/** An item of an answer, and the stored item that has one of its names; null: none has. */
interface Listed {
  readonly item: RawItem;
  readonly found: Owner | null;
}

interface Scope {
  readonly sourceId: string;
  readonly rules: IdentityRules;
}

/** The part of an answer that is not stored yet. */
export interface News {
  /** Number of distinct items of the answer. */
  readonly listed: number;
  /** Number of them that are not stored and are left out because they are older than what is kept. */
  readonly tooOld: number;
  readonly fresh: readonly RawItem[];
  /** Stored items with other content than before. */
  readonly changed: readonly RawItem[];
}

/** The new and the changed items of an answer; known items without changes, and items older than what is kept, are left out. */
export async function newsOf(
  db: Db,
  items: readonly RawItem[],
  { adapter, ...scope }: Scope & { readonly adapter: Pick<Adapter, "mergeListed"> },
): Promise<News> {
  const known = await knownItems(db.main, items.flatMap(formsOf));
  const listed = firstOfEach(items, known, scope.sourceId);
  const unknown = listed.flatMap(({ item, found }) => (found === null ? [item] : []));
  const fresh = await keptOf(db, unknown);
  const counts = { listed: listed.length, tooOld: unknown.length - fresh.length };
  const changed = listed.flatMap(({ item, found }) =>
    found !== null && isChanged(found, item, scope) ? [{ item, owner: found.owner }] : [],
  );
  const { mergeListed } = adapter;
  if (mergeListed === undefined || changed.length === 0)
    return { ...counts, fresh, changed: changed.map(({ item }) => item) };
  const stored = await currentVersions(
    db.main,
    changed.map(({ owner }) => owner.id),
  );
  const merged = changed.map(({ item, owner }) => {
    // Only the owner of an item may add to it.
    if (owner.sourceId !== scope.sourceId) return item;
    const before = stored.get(owner.id);
    return before === undefined ? null : mergeListed(item, before);
  });
  return { ...counts, fresh, changed: merged.filter((item) => item !== null) };
}

/** The items that are not older than what is kept: a source that lists its archive would have all of it scored at every poll. */
async function keptOf({ main }: Db, items: readonly RawItem[]): Promise<readonly RawItem[]> {
  const { since } = items.length === 0 ? { since: null } : await readKept(main);
  if (since === null) return items;
  const recent = items.filter(({ publishedAt }) => !isBeforeKept(publishedAt, since));
  const latest = recent.reduce<Date>((last, { seenAt }) => (seenAt > last ? seenAt : last), since);
  const retired = await retiredNames(
    main,
    recent.flatMap(({ identity }) => identity),
    latest,
  );
  return recent.filter(({ identity }) => !identity.some((name) => retired.has(name)));
}

/**
 * The items of a page without repeats: an answer that has an item twice, with different content, would otherwise revise it
 * at every poll.
 */
function firstOfEach(
  items: readonly RawItem[],
  known: ReadonlyMap<string, KnownItem>,
  sourceId: string,
): Listed[] {
  const seen = new Set<string>();
  return items.flatMap((item) => {
    const found = ownerOf(item, (form) => known.get(form), sourceId);
    const names = found === null ? item.identity : [...item.identity, found.owner.id];
    const isRepeat = names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return isRepeat ? [] : [{ item, found }];
  });
}

/** Whether the owner of the item now says something else, or this source takes the item over. */
function isChanged({ form, owner }: Owner, item: RawItem, { sourceId, rules }: Scope): boolean {
  if (owner.sourceId !== sourceId) return isTakenOver(rules, owner, form, sourceId);
  return owner.contentKey !== null && owner.contentKey !== contentKey(item);
}
