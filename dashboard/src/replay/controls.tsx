import { useState } from "preact/hooks";
import { count, dayTime, fullTime, inUtc, plural } from "../core/format.ts";
import { Button } from "../forms/button.tsx";
import { Options } from "../forms/field.tsx";
import type { Player, Step } from "./player.ts";

const speeds = [1, 2, 5, 10, 20, 50, 100] as const;

/** How many times as fast as it was. */
export function Speed({
  given = {},
  speed,
  choose,
}: {
  given?: object;
  speed: number;
  choose: (speed: number) => void;
}) {
  const offered = speeds.some((one) => one === speed) ? speeds : [...speeds, speed].sort((a, b) => a - b);
  return (
    <Options
      {...given}
      class="button"
      value={speed}
      options={offered.map((one) => [one, one === 1 ? "As it was" : `${one} times as fast`])}
      set={(to) => choose(Number(to))}
    />
  );
}

const words: Readonly<Record<Step, string>> = {
  playing: "Playing",
  reading: "Reading",
  stopped: "Stopped",
  ended: "At the end",
  failed: "Failed",
};

export interface Hands {
  readonly play: () => void;
  readonly stop: () => void;
  readonly jump: (ms: number) => void;
  readonly skip: () => void;
  readonly setSpeed: (speed: number) => void;
}

/** The clock of the replay, and all that a person does with it. */
export function Controls({ player, hands }: { player: Player; hands: Hands }) {
  const step = player.step.value;
  const isRunning = step === "playing" || step === "reading";
  return (
    <div class="replay-bar">
      <Button look="main" run={isRunning ? hands.stop : hands.play}>
        {isRunning ? "Stop" : step === "ended" ? "Play again" : "Play"} <kbd>space</kbd>
      </Button>
      <Button title="Over the quiet time (n)" run={hands.skip}>
        Next item
      </Button>
      <Speed given={{ "aria-label": "Speed" }} speed={player.speed.value} choose={hands.setSpeed} />
      <Clock player={player} said={words[step]} />
      <Place player={player} jump={hands.jump} />
    </div>
  );
}

function Clock({ player, said }: { player: Player; said: string }) {
  const at = player.clock.value;
  player.painted.value;
  const { items, actionable } = player.tally;
  return (
    <p class="replay-clock num" title={inUtc(at)}>
      <strong class="strong">{fullTime(at)}</strong>
      <span class="quiet small">
        {said} · {plural(items, "item")}, {count(actionable)} actionable
      </span>
    </p>
  );
}

/** Where the clock stands in its stretch. What is dragged holds when it is let go. */
function Place({ player, jump }: { player: Player; jump: (ms: number) => void }) {
  const [dragged, setDragged] = useState<number | null>(null);
  const { fromMs, toMs } = player.stretch;
  const at = dragged ?? player.clock.value;
  return (
    <div class="replay-place">
      <span class="quiet small num">{dayTime(fromMs)}</span>
      <input
        type="range"
        aria-label="Time of the replay"
        aria-valuetext={fullTime(at)}
        title={fullTime(at)}
        min={fromMs}
        max={toMs}
        step="any"
        value={at}
        onInput={({ currentTarget }) => setDragged(Number(currentTarget.value))}
        onChange={({ currentTarget }) => {
          setDragged(null);
          jump(Number(currentTarget.value));
        }}
      />
      <span class="quiet small num">{dayTime(toMs)}</span>
    </div>
  );
}
