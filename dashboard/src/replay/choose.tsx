import { useState } from "preact/hooks";
import { wordsOf } from "../core/filter.ts";
import { useGet } from "../core/load.ts";
import { iso } from "../core/range.ts";
import type { Filters, Me } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { Field } from "../forms/field.tsx";
import { FirstItem } from "../forms/first-item.tsx";
import { Form } from "../forms/form.tsx";
import { TimeField } from "../forms/time-field.tsx";
import { Screen } from "../parts/screen.tsx";
import { Lock } from "../parts/states.tsx";
import { Speed } from "./controls.tsx";
import { usualSpeed } from "./stretch.ts";

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
  const me = useGet<Me>("/v1/me");
  const [from, setFrom] = useState<string | null>(() => iso(Date.now() - 60 * minuteMs));
  const [to, setTo] = useState<string | null>(null);
  const [speed, setSpeed] = useState(usualSpeed);
  const [isAsked, setAsked] = useState(false);
  const end = to ?? iso(Date.now());
  const wrong = {
    from: from === null ? "Choose a time" : null,
    to: from !== null && end <= from ? "Must be after the beginning" : null,
  };
  const words = wordsOf(filter);
  const isLocked = me.data?.limits.replay === false;
  const start = () => {
    setAsked(true);
    if (from !== null && wrong.to === null) play({ from, to: end, speed: String(speed) });
  };
  return (
    <Screen title="Replay">
      <p class="soft">
        Plays a stretch of the past on the feed: every item in the order, with the score and after the pause
        it had then.
      </p>
      {isLocked && <Lock text="Replay is part of the pro plan and higher." />}
      <Form send={start} label="Play" isOff={isLocked} look="stack narrow">
        <div class="row wrap">
          {usual.map(({ name, ms }) => (
            <Button
              key={name}
              run={() => {
                setFrom(iso(Date.now() - ms));
                setTo(null);
              }}
            >
              {name}
            </Button>
          ))}
        </div>
        <TimeField label="From" value={from} set={setFrom} wrong={isAsked ? wrong.from : null} />
        <FirstItem set={setFrom} />
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
          {words === "" ? "Every item." : `Only: ${words}.`} The filter can be changed as well.
        </p>
      </Form>
    </Screen>
  );
}
