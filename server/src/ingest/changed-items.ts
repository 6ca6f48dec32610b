import type { Db } from "../store/db.ts";
import type { KnownItem } from "../store/item-keys.ts";
import { currentVersions } from "../store/versions.ts";
import type { Adapter } from "./adapter.ts";
import { contentKey } from "./content-key.ts";
import type { RawItem } from "./raw-item.ts";

/** An item of an answer, and the stored one that has an identity of it. */
export interface Found {
  readonly item: RawItem;
  readonly owner: KnownItem | undefined;
}

/** What an answer says, apart: items that are not stored, and stored ones of which their source now says otherwise. */
export async function sortedOut(
  db: Db,
  found: readonly Found[],
  { sourceId, adapter }: { sourceId: string; adapter: Pick<Adapter, "laidOver"> },
): Promise<{ fresh: RawItem[]; changed: RawItem[] }> {
  const fresh = found.flatMap(({ item, owner }) => (owner === undefined ? [item] : []));
  const changed = found.filter(({ item, owner }) => owner !== undefined && isChanged(owner, item, sourceId));
  const { laidOver } = adapter;
  if (laidOver === undefined || changed.length === 0)
    return { fresh, changed: changed.map(({ item }) => item) };
  const stored = await currentVersions(
    db.main,
    changed.flatMap(({ owner }) => owner?.id ?? []),
  );
  const merged = changed.map(({ item, owner }) => {
    const before = stored.get(owner?.id ?? "");
    return before === undefined ? null : laidOver(item, before);
  });
  return { fresh, changed: merged.filter((item) => item !== null) };
}

/** Whether the source that brought the item now says something else of it. */
function isChanged({ sourceId, contentKey: said }: KnownItem, item: RawItem, ofSource: string): boolean {
  return sourceId === ofSource && said !== null && said !== contentKey(item);
}
