import { useState } from "preact/hooks";
import { get } from "../api.ts";
import { chipsOf } from "../core/filter.ts";
import { useLoad } from "../core/load.ts";
import type { Filters, Me } from "../core/types.ts";
import { Field } from "../parts/field.tsx";
import { Screen } from "../parts/screen.tsx";
import { Lock } from "../parts/states.tsx";
import { TimeField } from "../parts/time-field.tsx";
import { Speed } from "./controls.tsx";
import { instant, usualSpeed } from "./stretch.ts";

const minuteMs = 60_000;
const usual = [
  { name: "Last 15 minutes", ms: 15 * minuteMs },
  { name: "Last hour", ms: 60 * minuteMs },
  { name: "Last 24 hours", ms: 24 * 60 * minuteMs },
] as const;

export interface Chosen {
  readonly from: string;
  readonly to: string;
  readonly speed: string;
}

/** Which stretch of the past is played, and how fast. */
export function Choose({ filter, play }: { filter: Filters; play: (chosen: Chosen) => void }) {
  const me = useLoad("me", (signal) => get<Me>("/v1/me", {}, signal));
  const [from, setFrom] = useState<string | null>(() => instant(Date.now() - 60 * minuteMs));
  const [to, setTo] = useState<string | null>(null);
  const [speed, setSpeed] = useState(usualSpeed);
  const [isAsked, setAsked] = useState(false);
  const end = to ?? instant(Date.now());
  const wrong = {
    from: from === null ? "Choose a time" : null,
    to: from !== null && end <= from ? "Must be after the beginning" : null,
  };
  const words = chipsOf(filter).map(({ text }) => text);
  const isLocked = me.data?.limits.replay === false;
  return (
    <Screen title="Replay">
      <p class="soft">
        Plays a stretch of the past on the feed: every item in the order and with the score it had then, with
        the pauses between them.
      </p>
      {isLocked && <Lock text="Replay is part of the pro plan and higher." />}
      <form
        class="stack narrow"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (from !== null && wrong.to === null) play({ from, to: end, speed: String(speed) });
        }}
      >
        <div class="row wrap">
          {usual.map(({ name, ms }) => (
            <button
              key={name}
              type="button"
              class="button"
              onClick={() => {
                setFrom(instant(Date.now() - ms));
                setTo(null);
              }}
            >
              {name}
            </button>
          ))}
        </div>
        <TimeField label="From" value={from} set={setFrom} wrong={isAsked ? wrong.from : null} />
        <TimeField
          label="Until"
          value={to}
          set={setTo}
          hint="Empty: until now."
          wrong={isAsked ? wrong.to : null}
        />
        <Field label="Speed" hint="It can be changed while the replay runs.">
          {(given) => <Speed given={given} speed={speed} choose={setSpeed} />}
        </Field>
        <p class="soft small">
          {words.length === 0 ? "Every item." : `Only: ${words.join(" · ")}.`} The filter can be changed as
          well.
        </p>
        <div>
          <button type="submit" class="button main" disabled={isLocked}>
            Play
          </button>
        </div>
      </form>
    </Screen>
  );
}
