/** What stands beside a tape, of the feed and of a replay. */
import { chipsOf } from "../core/filter.ts";
import type { Filters } from "../core/types.ts";
import { lazy } from "../draw/lazy.tsx";
import { Guard } from "../parts/states.tsx";

export const FilterPanel = lazy(() => import("../shell/door.ts").then((door) => door.FilterPanel));
const ItemPanel = lazy(() => import("../item/door.ts").then((door) => door.ItemView));

const panelFromPx = 1_100;

/** Where there is no room for a panel an item is a page. */
export const hasRoomForItem = (): boolean => innerWidth >= panelFromPx;

/** @param chosen id of the item; null: none */
export function ItemAside({ chosen, close }: { chosen: string | null; close: () => void }) {
  if (chosen === null) return null;
  return (
    <aside key={chosen} class="item-panel" aria-label="Item">
      <Guard>
        <ItemPanel id={chosen} close={close} />
      </Guard>
    </aside>
  );
}

/** The parts of a filter, each of which can be taken away. */
export function FilterChips({ filter, setFilter }: { filter: Filters; setFilter: (next: Filters) => void }) {
  return (
    <div class="chips">
      {chipsOf(filter).map(({ text, without }) => (
        <button
          key={text}
          type="button"
          class="chip on"
          aria-label={`Remove ${text}`}
          onClick={() => setFilter(without)}
        >
          <bdi>{text}</bdi> <span aria-hidden="true">×</span>
        </button>
      ))}
    </div>
  );
}
