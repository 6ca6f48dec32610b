import { isEmpty } from "../core/filter.ts";
import type { Filters } from "../core/types.ts";
import { FilterFields } from "./filter-fields.tsx";
import { WouldMatch } from "./would-match.tsx";

interface PanelProps {
  readonly filter: Filters;
  readonly setFilter: (filter: Filters) => void;
  readonly close: () => void;
}

/** The filter of the feed as fields; a change holds at once. */
export default function FilterPanel({ filter, setFilter, close }: PanelProps) {
  return (
    <aside class="filter-panel stack" aria-label="Filter">
      <div class="row">
        <h2 class="grow">Filter</h2>
        {!isEmpty(filter) && (
          <button type="button" class="button plain" onClick={() => setFilter({})}>
            Clear
          </button>
        )}
        <button type="button" class="button plain" onClick={close}>
          Close
        </button>
      </div>
      <WouldMatch filter={filter} />
      <FilterFields filter={filter} setFilter={setFilter} />
    </aside>
  );
}
