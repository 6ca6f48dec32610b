import type { IdentityRules } from "../../store/append-request.ts";
import type { Db } from "../../store/db.ts";
import type { ownerOf } from "../../store/item-keys.ts";
import { isTakenOver } from "../../store/takeover.ts";
import { currentVersions } from "../../store/versions.ts";
import type { Adapter } from "../adapter.ts";
import type { RawItem } from "../raw-item.ts";
import { contentKey } from "./content-key.ts";

type Owner = NonNullable<ReturnType<typeof ownerOf>>;

/** An item of an answer, and the stored one that has a name of it; null: none has. */
export interface Found {
  readonly item: RawItem;
  readonly found: Owner | null;
}

interface Asking {
  readonly sourceId: string;
  readonly rules: IdentityRules;
}

/** What an answer says, apart: items that are not stored, and stored ones of which their source now says otherwise. */
export async function sortedOut(
  db: Db,
  items: readonly Found[],
  { adapter, ...asking }: Asking & { readonly adapter: Pick<Adapter, "laidOver"> },
): Promise<{ fresh: RawItem[]; changed: RawItem[] }> {
  const fresh = items.flatMap(({ item, found }) => (found === null ? [item] : []));
  const changed = items.flatMap(({ item, found }) =>
    found !== null && isChanged(found, item, asking) ? [{ item, owner: found.owner }] : [],
  );
  const { laidOver } = adapter;
  if (laidOver === undefined || changed.length === 0)
    return { fresh, changed: changed.map(({ item }) => item) };
  const stored = await currentVersions(
    db.main,
    changed.map(({ owner }) => owner.id),
  );
  const merged = changed.map(({ item, owner }) => {
    // What another source said of it is not this one's to add to.
    if (owner.sourceId !== asking.sourceId) return item;
    const before = stored.get(owner.id);
    return before === undefined ? null : laidOver(item, before);
  });
  return { fresh, changed: merged.filter((item) => item !== null) };
}

/** Whether the source that brought the item now says something else of it, or takes it over from who brought it. */
function isChanged({ form, owner }: Owner, item: RawItem, { sourceId, rules }: Asking): boolean {
  if (owner.sourceId !== sourceId) return isTakenOver(rules, owner, form, sourceId);
  return owner.contentKey !== null && owner.contentKey !== contentKey(item);
}
