import { queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { isEmpty, paramsOf } from "../core/filter.ts";
import { isOpen, type Range } from "../core/range.ts";
import type { Filters } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { TimeField } from "../forms/time-field.tsx";
import { FilterFields } from "./filter-fields.tsx";
import { WouldMatch } from "./would-match.tsx";

interface PanelProps {
  readonly filter: Filters;
  readonly setFilter: (filter: Filters) => void;
  /** The feed can show a stretch of time, a replay has its own. */
  readonly range?: Range;
  readonly setRange?: (range: Range) => void;
  /** Of the feed: keeps the filter as a view. */
  readonly save?: () => void;
  readonly close: () => void;
}

const noRange: Range = { since: null, until: null };

/** The filter of the feed as fields; a change holds at once. */
export default function FilterPanel({
  filter,
  setFilter,
  range = noRange,
  setRange,
  save,
  close,
}: PanelProps) {
  return (
    <aside class="filter-panel stack" aria-label="Filter">
      <div class="row">
        <h2 class="grow">Filter</h2>
        {!isEmpty(filter) && (
          <>
            {save !== undefined && <Button run={save}>Save view</Button>}
            <Button look="plain" run={() => setFilter({})}>
              Clear
            </Button>
          </>
        )}
        <Button look="plain" run={close}>
          Close
        </Button>
      </div>
      <WouldMatch filter={filter} range={range} />
      <FilterFields filter={filter} setFilter={setFilter} />
      {setRange !== undefined && <TimeRange filter={filter} range={range} setRange={setRange} />}
    </aside>
  );
}

function TimeRange({
  filter,
  range,
  setRange,
}: {
  filter: Filters;
  range: Range;
  setRange: (range: Range) => void;
}) {
  const { since, until } = range;
  const isWrong = since !== null && until !== null && Date.parse(until) <= Date.parse(since);
  return (
    <fieldset class="stack">
      <legend>Time of publication</legend>
      <TimeField label="From" value={since} set={(to) => setRange({ since: to, until })} />
      <TimeField
        label="Before"
        value={until}
        set={(to) => setRange({ since, until: to })}
        wrong={isWrong ? "Must be after the beginning" : null}
      />
      <p class="quiet small">
        With a time the feed stands still: a stream has no range of time.{" "}
        {since !== null && (
          <a href={at("replay") + queryText({ ...paramsOf(filter), from: since, to: until })}>
            Play this time instead
          </a>
        )}
      </p>
      {!isOpen(range) && (
        <div>
          <Button run={() => setRange(noRange)}>Back to live</Button>
        </div>
      )}
    </fieldset>
  );
}
