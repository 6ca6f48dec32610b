import { useEffect, useMemo, useRef } from "preact/hooks";
import { queryText } from "../api.ts";
import { at, go, setTitle, useParams } from "../core/address.ts";
import { loadEventLabels } from "../core/event-labels.ts";
import { filterOf, paramsOf } from "../core/filter.ts";
import { iso } from "../core/range.ts";
import type { Filters } from "../core/types.ts";
import { useSteady } from "../draw/steady.ts";
import { Pill } from "../feed/notes.tsx";
import type { Older } from "../feed/older.ts";
import { FilterChips, FilterPanel, hasRoomForItem, ItemAside } from "../feed/panels.tsx";
import { tapeShortcuts } from "../feed/shortcuts.ts";
import { TapeView } from "../feed/tape-view.tsx";
import { Button } from "../forms/button.tsx";
import { FirstItem } from "../forms/first-item.tsx";
import { Problem } from "../parts/states.tsx";
import { useShortcuts } from "../shell/keyboard.ts";
import { Choose } from "./choose.tsx";
import { Controls, type Hands } from "./controls.tsx";
import { Player } from "./player.ts";
import { ReplayCharts } from "./replay-charts.tsx";
import { type Asked, askedFor } from "./stretch.ts";
import "./replay.css";

const nothingOlder: Older = { read: () => {}, again: () => {}, end: "", button: "" };

/** The feed as it ran in a stretch of the past. The address holds the stretch, the speed, the place and the filter. */
export default function Replay() {
  const [params, change] = useParams();
  const filterKey = JSON.stringify(paramsOf(filterOf(params)));
  const filter = useMemo(() => filterOf(params), [filterKey]);
  const asked = askedFor(params);
  if (asked === null) return <Choose filter={filter} play={(chosen) => change({ ...chosen }, true)} />;
  return <Playing key={`${params.from} ${params.to} ${filterKey}`} asked={asked} filter={filter} />;
}

function usePlayer(asked: Asked, filter: Filters): Player {
  const player = useMemo(() => new Player({ filter, fromMs: asked.fromMs, toMs: asked.toMs }, asked), []);
  useEffect(() => () => player.close(), []);
  return player;
}

function Playing({ asked, filter }: { asked: Asked; filter: Filters }) {
  const [params, change] = useParams();
  const player = usePlayer(asked, filter);
  const isHeld = useRef(false);
  const scroller = useRef<HTMLElement | null>(null);
  const chosen = params.item ?? null;
  /** What the address says of the place, so that a reload goes on from there. */
  const here = () => ({ at: iso(player.clock.peek()) });
  const open = useSteady((id: string | null) => {
    const isPage = id !== null && !hasRoomForItem();
    // As it was then, not as it is now.
    const item = isPage || id === null ? { item: null, as_of: null } : { item: id, as_of: here().at };
    change({ ...here(), ...item });
    if (isPage) go(at("item", id) + queryText({ as_of: here().at }));
  });
  const follow = () => {
    isHeld.current = false;
    scroller.current?.scrollTo({ top: 0 });
    player.follow();
  };
  const hands = handsOf(player, (changed) => change({ ...here(), ...changed }));
  const setFilter = (next: Filters) => change({ ...paramsOf(next), ...here() });
  const isFilterOpen = params.filter === "open";
  const toggleFilter = () => change({ ...here(), filter: isFilterOpen ? null : "open" });
  useShortcuts([
    ...tapeShortcuts({ live: player, chosen, open, isHeld, scroller }),
    {
      keys: "space",
      does: "Play or stop",
      run: () => (["playing", "reading"].includes(player.step.peek()) ? hands.stop() : hands.play()),
    },
    { keys: "n", does: "Over the quiet time to the next item", run: hands.skip },
    { keys: ".", does: "Newest item", run: follow },
    { keys: "f", does: "Filter", run: toggleFilter },
  ]);
  useEffect(() => {
    setTitle("Replay");
    void loadEventLabels().catch(() => {});
  }, []);
  const failure = player.failure.value;
  return (
    <div class="feed replay">
      <Top filter={filter} setFilter={setFilter} isFilterOpen={isFilterOpen} toggleFilter={toggleFilter} />
      <Controls player={player} hands={hands} />
      {failure === null ? <ReplayCharts player={player} /> : <Problem failure={failure} again={hands.play} />}
      <div class={`feed-body ${isFilterOpen ? "with-filter" : ""} ${chosen !== null ? "with-item" : ""}`}>
        {isFilterOpen && <FilterPanel filter={filter} setFilter={setFilter} close={toggleFilter} />}
        <div class="tape-frame-place">
          <TapeView
            {...{ chosen, open, isHeld, scroller }}
            live={player}
            fill={() => {}}
            older={nothingOlder}
          />
          <Pill live={player} follow={follow} />
          <Nothing player={player} />
        </div>
        <ItemAside chosen={chosen} close={() => open(null)} />
      </div>
    </div>
  );
}

/** @param tell writes into the address */
function handsOf(player: Player, tell: (changed: Readonly<Record<string, string | null>>) => void): Hands {
  return {
    play: () => {
      player.play();
      tell({ stopped: null });
    },
    stop: () => {
      player.stop();
      tell({ stopped: "1" });
    },
    jump: (ms) => {
      player.jump(ms);
      tell({});
    },
    skip: () => {
      player.skip();
      tell({});
    },
    setSpeed: (speed) => {
      player.speed.value = speed;
      tell({ speed: String(speed) });
    },
  };
}

interface TopProps {
  readonly filter: Filters;
  readonly setFilter: (filter: Filters) => void;
  readonly isFilterOpen: boolean;
  readonly toggleFilter: () => void;
}

/** Says that this is the past, and leads back to what comes now. */
function Top({ filter, setFilter, isFilterOpen, toggleFilter }: TopProps) {
  const [, change] = useParams();
  return (
    <div class="replay-top">
      <h1>Replay</h1>
      <span class="soft grow">This is the past, as it ran: nothing here comes now.</span>
      <FilterChips {...{ filter, setFilter }} />
      <Button aria-expanded={isFilterOpen} run={toggleFilter}>
        Filter
      </Button>
      <Button
        run={() => change({ from: null, to: null, at: null, stopped: null, item: null, as_of: null }, true)}
      >
        Other time
      </Button>
      <a class="button main" href={at("feed") + queryText(paramsOf(filter))}>
        Back to live
      </a>
    </div>
  );
}

function Nothing({ player }: { player: Player }) {
  const [, change] = useParams();
  player.painted.value;
  if (player.tape.length > 0) return null;
  return (
    <div class="feed-note over soft">
      {player.step.value === "ended" ? (
        <>
          No item came in this time.
          <FirstItem set={(from) => change({ from, at: null })} />
        </>
      ) : (
        "No item has come yet. Next item goes over the quiet time."
      )}
    </div>
  );
}
