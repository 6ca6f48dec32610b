import { queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { now } from "../core/clock.ts";
import { paramsOf, sameFilter } from "../core/filter.ts";
import { span } from "../core/format.ts";
import { isOpen, type Range, rangeWords } from "../core/range.ts";
import { densities, density, turn } from "../core/settings.ts";
import type { Filters } from "../core/types.ts";
import type { Live } from "./live.ts";
import { LinkState } from "./notes.tsx";
import { FilterChips } from "./panels.tsx";
import { isWatched, unread, type View, views } from "./watchers.ts";

interface BarProps {
  readonly live: Live;
  readonly filter: Filters;
  readonly setFilter: (filter: Filters) => void;
  readonly range: Range;
  readonly setRange: (range: Range) => void;
  readonly toggleFilter: () => void;
  readonly isFilterOpen: boolean;
  readonly openCode: () => void;
  readonly save: () => void;
  readonly follow: () => void;
  readonly hold: () => void;
}

type Tab = Pick<View, "id" | "name" | "filters">;
const fixed: readonly Tab[] = [
  { id: "", name: "All", filters: {} },
  { id: "actionable", name: "Actionable", filters: { actionability: true, story_copies: false } },
];

/** How many items came since the view was last open. */
function Unread({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="unread num">
      {count > 999 ? "999+" : count}
      <span class="unseen"> new</span>
    </span>
  );
}

/** Views, the filter in words, and how the stream does. */
export function FeedBar({
  live,
  filter,
  setFilter,
  range,
  setRange,
  toggleFilter,
  isFilterOpen,
  openCode,
  save,
  follow,
  hold,
}: BarProps) {
  const shown: readonly Tab[] = [...fixed, ...views.value];
  return (
    <>
      <div class="feed-top">
        <h1 class="unseen">Live feed</h1>
        <nav class="tabs" aria-label="Views">
          {shown.map((view) => (
            <a
              key={view.id}
              href={at("feed") + queryText(paramsOf(view.filters))}
              aria-current={sameFilter(view.filters, filter) ? "page" : undefined}
            >
              <bdi>{view.name}</bdi> <Unread count={unread.value.get(view.id) ?? 0} />
            </a>
          ))}
        </nav>
      </div>
      <div class="feed-bar">
        {isOpen(range) ? (
          <LinkState live={live} hold={hold} follow={follow} />
        ) : (
          <button type="button" class="button main" onClick={() => setRange({ since: null, until: null })}>
            Back to live
          </button>
        )}
        <button type="button" class="button" aria-expanded={isFilterOpen} onClick={toggleFilter}>
          Filter
        </button>
        <FilterChips {...{ filter, setFilter }} />
        {!shown.some(({ filters }) => sameFilter(filters, filter)) && (
          <button type="button" class="chip" onClick={save}>
            Save view
          </button>
        )}
        {isOpen(range) ? <Figures live={live} /> : <p class="facts-line num">{rangeWords(range)}</p>}
        <button
          type="button"
          class="button plain density"
          title="Row height (d)"
          onClick={() => turn(density, densities)}
        >
          {density.value === "compact" ? "Compact" : "Comfortable"}
        </button>
        <button
          type="button"
          class="button"
          title="The same by curl, SDK, stream or webhook (c)"
          onClick={openCode}
        >
          Code
        </button>
      </div>
    </>
  );
}

/** Drawn once a second: figures that change faster cannot be read. */
function Figures({ live }: { live: Live }) {
  now.value;
  const lagMs = live.lagMs();
  const rate = live.ratePerMinute();
  return (
    <p class="facts-line num">
      {live.isStarted && (
        <span title="Items over the last minute">{rate === null ? "measuring…" : `${rate} a minute`}</span>
      )}
      {isWatched() && (
        <span>
          <i class="dot view" /> in a view <i class="dot endpoint" /> to a webhook
        </span>
      )}
      {lagMs !== null && (
        <span title="Median time from the source to the stream, last 100 items">lag {span(lagMs)}</span>
      )}
    </p>
  );
}
