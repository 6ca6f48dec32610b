import { queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { now } from "../core/clock.ts";
import { paramsOf, sameFilter } from "../core/filter.ts";
import { span } from "../core/format.ts";
import { isOpen, type Range, rangeWords } from "../core/range.ts";
import { densities, isCompact, turn } from "../core/settings.ts";
import type { Filters } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { useInView } from "../parts/in-view.ts";
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
  const row = useInView<HTMLElement>(`${JSON.stringify(filter)} ${shown.length}`);
  return (
    <>
      <div class="feed-top">
        <h1 class="unseen">Live feed</h1>
        <nav ref={row} class="tabs" aria-label="Views">
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
          <Button look="main" run={() => setRange({ since: null, until: null })}>
            Back to live
          </Button>
        )}
        <Button aria-expanded={isFilterOpen} run={toggleFilter}>
          Filter
        </Button>
        <FilterChips {...{ filter, setFilter }} />
        {!isFilterOpen && !shown.some(({ filters }) => sameFilter(filters, filter)) && (
          <button type="button" class="chip" onClick={save}>
            Save view
          </button>
        )}
        {isOpen(range) ? <Figures live={live} /> : <p class="facts-line num">{rangeWords(range)}</p>}
        <Button look="plain density" title="Row height (d)" run={() => turn(densities)}>
          {isCompact() ? "Compact" : "Comfortable"}
        </Button>
        <Button title="The same by curl, SDK, stream or webhook (c)" run={openCode}>
          Code
        </Button>
      </div>
    </>
  );
}

/** Drawn once a second: figures that change faster cannot be read. What comes later stands left of what was there. */
function Figures({ live }: { live: Live }) {
  now.value;
  const lagMs = live.lagMs();
  const rate = live.ratePerMinute();
  return (
    <p class="facts-line num">
      {isWatched() && (
        <span>
          <i class="dot view" /> in a view <i class="dot endpoint" /> matches a webhook
        </span>
      )}
      {live.isStarted && (
        <>
          <span title="Median time from the source to the stream, last 100 items">
            lag {lagMs === null ? "—" : span(lagMs)}
          </span>
          <span title="Items over the last minute">{rate === null ? "measuring…" : `${rate} a minute`}</span>
        </>
      )}
    </p>
  );
}
