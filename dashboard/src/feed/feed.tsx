import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../api.ts";
import { at, go, here, setTitle, useParams } from "../core/address.ts";
import { failureOf } from "../core/failure.ts";
import { filterOf, isEmpty, listParams, matches, paramsOf } from "../core/filter.ts";
import { plural } from "../core/format.ts";
import { isOpen, type Range, rangeOf } from "../core/range.ts";
import { tabKey } from "../core/session.ts";
import type { FeedList, Filters } from "../core/types.ts";
import { lazy } from "../draw/lazy.tsx";
import { useSteady } from "../draw/steady.ts";
import { Button } from "../forms/button.tsx";
import { tell } from "../parts/toast.tsx";
import { useShortcuts } from "../shell/keyboard.ts";
import { FeedBar } from "./bar.tsx";
import { watchesByItself } from "./cap.tsx";
import { Live } from "./live.ts";
import { FeedNotes, Pill } from "./notes.tsx";
import { useOlder } from "./older.ts";
import { FilterPanel, hasRoomForItem, ItemAside } from "./panels.tsx";
import { feedShortcuts } from "./shortcuts.ts";
import type { Row } from "./tape.ts";
import { TapeView } from "./tape-view.tsx";
import { rememberFilter } from "./watchers.ts";

const CodeDrawer = lazy(() => import("../shell/door.ts").then((door) => door.CodeDrawer));
const SaveView = lazy(() => import("../shell/door.ts").then((door) => door.SaveView));

const watchAfterMs = 1_500;

/** The live feed: what comes now, by a filter that the address holds. */
export function Feed() {
  const [params, change] = useParams();
  const filterKey = JSON.stringify(paramsOf(filterOf(params)));
  const filter = useMemo(() => filterOf(params), [filterKey]);
  const { since, until } = rangeOf(params);
  const range = useMemo(() => ({ since, until }), [since, until]);
  const key = `${filterKey} ${since} ${until}`;
  const live = useLive(filter, range, key);
  const older = useOlder(live, filter, range, key);
  const isHeld = useRef(false);
  const scroller = useRef<HTMLElement | null>(null);
  const chosen = params.item ?? null;
  const [drawn, draw] = useState<"" | "code" | "save">("");
  const save = () => draw("save");
  const setFilter = (next: Filters) => change(paramsOf(next));
  const setRange = (next: Range) => change({ ...next });
  const open = useSteady((id: string | null) => {
    if (id !== null && !hasRoomForItem()) go(at("item", id));
    else change({ item: id, as_of: null });
  });
  const fill = useSteady((row: Row) => void fillGap(live, filter, row));
  const follow = () => {
    isHeld.current = false;
    scroller.current?.scrollTo({ top: 0 });
    live.follow();
  };
  const isFilterOpen = params.filter === "open";
  const toggleFilter = () => change({ filter: isFilterOpen ? null : "open" });
  useShortcuts(
    feedShortcuts({
      live,
      chosen,
      open,
      follow,
      isHeld,
      scroller,
      toggleFilter,
      openCode: () => draw("code"),
    }),
  );
  // The next screen has the address while it is loaded.
  const { path } = here();
  useEffect(() => {
    if (path === at("feed")) rememberFilter(filter);
  }, [path, filter]);
  useEffect(() => setTitle("Live", live.waiting.value), [live.waiting.value]);
  const shape = `feed-body ${isFilterOpen ? "with-filter" : ""} ${chosen !== null ? "with-item" : ""}`;
  return (
    <div class="feed">
      <FeedBar
        {...{ live, filter, setFilter, range, setRange, toggleFilter, isFilterOpen, follow }}
        openCode={() => draw("code")}
        save={save}
        hold={() => {
          isHeld.current = true;
          live.pause();
        }}
      />
      <FeedNotes live={live} />
      <div class={shape}>
        {isFilterOpen && (
          <FilterPanel {...{ filter, setFilter, range, setRange, save }} close={toggleFilter} />
        )}
        <div class="tape-frame-place">
          <TapeView {...{ live, chosen, open, fill, isHeld, scroller }} older={older} />
          <Pill live={live} follow={follow} />
          <Nothing live={live} isAll={isEmpty(filter) && isOpen(range)} />
        </div>
        <ItemAside chosen={chosen} close={() => open(null)} />
      </div>
      {drawn === "code" && <CodeDrawer filter={filter} range={range} close={() => draw("")} />}
      {drawn === "save" && <SaveView filter={filter} close={() => draw("")} />}
    </div>
  );
}

/** Drawn beside the tape, so that the whole screen is not drawn again with each painting. */
function Nothing({ live, isAll }: { live: Live; isAll: boolean }) {
  live.painted.value;
  if (!live.isRead.value || live.tape.length > 0) return null;
  return (
    <div class="feed-note over">
      <p class="soft">
        {isAll ? "No items yet: they appear here as they come." : "No recent item matches this filter."}
      </p>
      {!isAll && <Button run={() => go(at("feed"))}>Show every item</Button>}
    </div>
  );
}

/** The stream of the filter. On plans with a daily cap watching counts, so it begins when it is asked to. A range has none. */
function useLive(filter: Filters, range: Range, key: string): Live {
  const live = useMemo(() => new Live(filter), [key]);
  // Both not after the next frame: the stream is what the first row waits for.
  useLayoutEffect(() => {
    live.onNoSnapshot = () => void readNewest(live, filter, range);
    const watch = watchLater(live, filter);
    return () => {
      watch.end();
      live.close();
    };
  }, [live]);
  const byItself = watchesByItself();
  useLayoutEffect(() => {
    if (byItself === true && isOpen(range)) live.start();
    else if (byItself !== null) void readNewest(live, filter, range);
    else void tabKey().catch(() => {});
  }, [live, byItself]);
  return live;
}

/** Views, endpoints and alerts come after the first rows. */
function watchLater(live: Live, filter: Filters): { readonly end: () => void } {
  let isEnded = false;
  let end = () => {};
  const timer = setTimeout(async () => {
    const { keepWatch } = await import("../shell/door.ts");
    if (!isEnded) end = keepWatch(live, filter);
  }, watchAfterMs);
  return {
    end: () => {
      isEnded = true;
      clearTimeout(timer);
      end();
    },
  };
}

/** The newest items from the list: a stream gives only a few snapshots a minute. */
async function readNewest(live: Live, filter: Filters, range: Range): Promise<void> {
  const page = await get<FeedList>("/v1/feeds", { ...listParams(filter), ...range, limit: 100 }).catch(
    (error) => {
      tell(`The newest items could not be read: ${failureOf(error).message}`);
      return null;
    },
  );
  if (page === null) return;
  live.tape.addOlder(page.data.filter((item) => matches(filter, item)));
  live.repaint();
}

/** Reads what came while the stream could not resume. Items that are held already are told apart by their ids. */
async function fillGap(live: Live, filter: Filters, { gap }: Row): Promise<void> {
  if (gap === undefined) return;
  const page = await get<FeedList>("/v1/feeds", {
    ...listParams(filter),
    since: gap.from,
    limit: 500,
  });
  live.tape.fillGap(gap.from, page.data.filter((item) => matches(filter, item)).toReversed());
  live.repaint();
  tell(`${plural(page.data.length, "item")} read for the gap`);
}
