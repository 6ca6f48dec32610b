import { itemIdOf, type NewItem } from "../../feed/item.ts";
import type { Queries } from "../engine/db.ts";
import type { AppendRequest, IdentityRules } from "./append-request.ts";
import { type ItemAlias, type KnownItem, knownItems, ownerOf } from "./item-keys.ts";
import { currentVersions } from "./versions.ts";

/** An item that came under the guid of another item of its source. */
interface Reissue {
  readonly guid: string;
  /** The name that the other item gets in place of the guid. */
  readonly former: ItemAlias;
}

export interface Reissues {
  readonly requests: readonly AppendRequest[];
  /** By item of these requests. */
  readonly of: ReadonlyMap<NewItem, Reissue>;
}

/**
 * Gives items that come under a used guid an identity of their own, made of guid, day and address, which is the same at
 * every poll. The guid then names the newest item, so that later versions of that one revise it.
 * @param known receives the owners of the new identities
 */
export async function withReissues(
  tx: Queries,
  requests: readonly AppendRequest[],
  known: Map<string, KnownItem>,
  rules: IdentityRules,
): Promise<Reissues> {
  const suspects = requests.flatMap(({ items, sourceId }) =>
    items.flatMap((newItem) => usedGuid(newItem, known, sourceId) ?? []),
  );
  const of = new Map<NewItem, Reissue>();
  if (suspects.length === 0) return { requests, of };
  const current = await currentVersions(
    tx,
    suspects.map(({ id }) => id),
  );
  const renamed = new Map<NewItem, NewItem>();
  for (const { newItem, guid, id } of suspects) {
    const before = current.get(id)?.item;
    if (before === undefined || !rules.isReissue(before, newItem.item)) continue;
    const [own, former] = [rules.reissueOf(guid, newItem.item), rules.reissueOf(guid, before)];
    if (own === null || former === null) continue;
    const reissue = renamedItem(newItem, guid, own);
    renamed.set(newItem, reissue);
    of.set(reissue, { guid, former: { alias: former, item_id: id } });
  }
  const forms = [...of].flatMap(([{ identity }, { former }]) => [...identity, former.alias]);
  for (const [form, owner] of await knownItems(tx, forms)) known.set(form, owner);
  const reissued = requests.map((request) => ({
    ...request,
    items: request.items.map((item) => renamed.get(item) ?? item),
  }));
  return { requests: reissued, of };
}

/**
 * The stored item that this one would revise by its guid alone. Not for pushes, whose ids the operator chooses, and not
 * for notices of withdrawal, which mean the item that they name.
 */
function usedGuid(newItem: NewItem, known: ReadonlyMap<string, KnownItem>, sourceId: string | null) {
  const found = ownerOf(newItem, (form) => known.get(form), sourceId);
  if (found === null || sourceId === null || !found.form.startsWith("guid:")) return null;
  if (newItem.item.status === "retracted") return null;
  const { form: guid, owner } = found;
  const saysOtherwise = owner.contentKey !== null && owner.contentKey !== newItem.contentKey;
  return owner.sourceId === sourceId && saysOtherwise ? { newItem, guid, id: owner.id } : null;
}

function renamedItem(newItem: NewItem, guid: string, own: string): NewItem {
  const [first, ...rest] = newItem.identity;
  const uniqueId = first === guid ? own : first;
  const id = itemIdOf(uniqueId);
  return {
    ...newItem,
    identity: [uniqueId, ...rest.map((form) => (form === guid ? own : form))],
    item: { ...newItem.item, id, unique_id: uniqueId, story_id: id },
  };
}
