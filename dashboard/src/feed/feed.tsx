import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { at, go, here, setTitle, useParams } from "../core/address.ts";
import { filterOf, isEmpty, paramsOf } from "../core/filter.ts";
import { isOpen, type Range, rangeOf } from "../core/range.ts";
import { signedOutWhy, tabKey } from "../core/session.ts";
import type { Filters } from "../core/types.ts";
import { lazy } from "../draw/lazy.tsx";
import { useSteady } from "../draw/steady.ts";
import { Button } from "../forms/button.tsx";
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
  const live = useMemo(() => new Live(filter), [key]);
  const older = useOlder(live, filter, range, key);
  useStream(live, filter, range, older.read);
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
  const fill = useSteady(
    (row: Row) => void import("../shell/door.ts").then((door) => door.fillGap(live, filter, row)),
  );
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
function useStream(live: Live, filter: Filters, range: Range, read: () => void): void {
  // Both not after the next frame: the stream is what the first row waits for.
  useLayoutEffect(() => {
    live.onNoSnapshot = read;
    const watch = watchLater(live, filter);
    return () => {
      watch.end();
      live.close();
    };
  }, [live]);
  const byItself = watchesByItself();
  const isOut = signedOutWhy.value !== null;
  useLayoutEffect(() => {
    if (isOut) return;
    if (byItself === true && isOpen(range)) live.start();
    else if (byItself !== null) read();
    else void tabKey().catch(() => {});
  }, [live, byItself, isOut]);
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
