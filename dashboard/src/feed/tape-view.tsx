import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { isCompact } from "../core/settings.ts";
import { Button } from "../forms/button.tsx";
import type { Live } from "./live.ts";
import type { Older } from "./older.ts";
import { Line } from "./row.tsx";
import type { Row } from "./tape.ts";

const overscan = 8;
const overscanAfterMs = 500;
const freshMs = 600;
/** When more come at the same time, an edge that fades on each tells nothing. */
const mostFresh = 8;
const restMs = 1_000;

/** What moves a tape: the live feed, or a replay. */
export type Moving = Pick<Live, "tape" | "painted" | "isPaused" | "pause" | "follow">;

interface TapeProps {
  readonly live: Moving;
  readonly chosen: string | null;
  readonly open: (id: string) => void;
  readonly fill: (row: Row) => void;
  /** Read when the end comes near. */
  readonly older: Older;
  /** Set by a person with the space bar: then reaching the top does not follow. */
  readonly isHeld: { current: boolean };
  readonly scroller: { current: HTMLElement | null };
}

interface Size {
  readonly height: number;
  readonly width: number;
}

function useSize(box: { current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ height: 800, width: 1_200 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watcher = new ResizeObserver(() =>
      setSize({ height: element.clientHeight, width: element.clientWidth }),
    );
    watcher.observe(element);
    setSize({ height: element.clientHeight, width: element.clientWidth });
    return () => watcher.disconnect();
  }, []);
  return size;
}

/** Rows drawn beyond those in sight: none at first, since the first rows should be seen soon. */
function useOverscan(hasRows: boolean): number {
  const [rows, setRows] = useState(0);
  useEffect(() => {
    if (!hasRows) return;
    const timer = setTimeout(() => setRows(overscan), overscanAfterMs);
    return () => clearTimeout(timer);
  }, [hasRows]);
  return rows;
}

/**
 * The newest row by which places are counted for screen readers. It follows when the tape has rested for a second: else each
 * new item would draw every row anew.
 */
function useRested(head: number): number {
  const [rested, setRested] = useState(head);
  useEffect(() => {
    const timer = setTimeout(() => setRested(head), restMs);
    return () => clearTimeout(timer);
  }, [head]);
  return rested;
}

export const rowHeight = (width: number) => (width < 560 ? 80 : isCompact() ? 28 : 40);

/**
 * The rows in sight, of thousands. A row is placed once, `n` rows above the origin; new rows move the container by one
 * transform. So a new item costs one row, not fifty.
 */
export function TapeView({ live, chosen, open, fill, older, isHeld, scroller }: TapeProps) {
  live.painted.value;
  const { height, width } = useSize(scroller);
  const [top, setTop] = useState(0);
  const { tape } = live;
  const row = rowHeight(width);
  const beyond = useOverscan(tape.length > 0);
  const first = Math.max(0, Math.floor(top / row) - beyond);
  const last = Math.min(tape.length, Math.ceil((top + height) / row) + beyond);
  useEffect(() => {
    if (tape.length > 0 && last >= tape.length - 20) older.read();
  }, [last, tape.length]);
  const onScroll = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const at = currentTarget.scrollTop;
    setTop(at);
    if (at > 0) live.pause();
    else if (!isHeld.current) live.follow();
  };
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    // With a modifier the browser opens the link elsewhere.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    open(link.pathname.replace(/.*\//, ""));
  };
  const lines = [];
  for (let place = first; place < last; place++) {
    const one = tape.at(place);
    if (one !== undefined) lines.push(one);
  }
  const shape = width < 560 ? "small" : width < 1_000 ? "slim" : "";
  const since = performance.now() - freshMs;
  const isCalm = (tape.at(mostFresh)?.cameAt ?? 0) <= since;
  const rested = useRested(tape.head);
  return (
    <div class={`tape-frame ${shape}`}>
      <Head />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={scroller} class="tape" tabIndex={0} aria-label="Items, newest first" onScroll={onScroll}>
        <div class="tape-space" style={{ height: `${tape.length * row + 48}px` }}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys press the links in it, which click */}
          <ol style={{ transform: `translateY(${tape.head * row}px)` }} onClick={onClick}>
            {lines.map((one) => (
              <Line
                key={one.n}
                row={one}
                top={-one.n * row}
                place={rested - one.n}
                isChosen={one.item.id === chosen}
                isFresh={isCalm && one.cameAt > since}
                fill={fill}
              />
            ))}
          </ol>
          <p class="tape-end" style={{ top: `${tape.length * row}px` }}>
            {older.end} {older.button !== "" && <Button run={older.again}>{older.button}</Button>}
          </p>
        </div>
      </section>
    </div>
  );
}

function Head() {
  return (
    <div class="tape-head" aria-hidden="true">
      <span>Time</span>
      <span>Actionable</span>
      <span>Sentiment</span>
      <span>Symbols</span>
      <span>Headline</span>
      <span class="event">Event</span>
      <span class="from">Source</span>
      <span />
    </div>
  );
}
