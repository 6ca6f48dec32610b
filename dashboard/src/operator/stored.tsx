import { useEffect, useRef, useState } from "preact/hooks";
import type { ReplayResult } from "tapewire";
import { send } from "../api.ts";
import { count, plural } from "../core/format.ts";
import { useDoing } from "../core/load.ts";
import { iso } from "../core/range.ts";
import { Button } from "../forms/button.tsx";
import { Select } from "../forms/field.tsx";
import { Problem } from "../parts/states.tsx";

const times = [
  [1, "Of the last day"],
  [7, "Of the last 7 days"],
  [365, "All that are stored"],
] as const;

interface Read extends Pick<ReplayResult, "answers" | "created" | "revised" | "remaining" | "errors"> {
  readonly isTrial: boolean;
}

/** Reads the stored responses of one source again, part by part, until the source is closed. */
export function Stored({ id }: { id: string }) {
  const [days, setDays] = useState(1);
  const [read, setRead] = useState<Read | null>(null);
  const isOpen = useRef(true);
  const doing = useDoing();
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  const replay = async (isTrial: boolean) => {
    const since = iso(Date.now() - days * 86_400_000);
    let all: Read = { answers: 0, created: 0, revised: 0, remaining: 0, errors: [], isTrial };
    for (let after: number | null = 0; after !== null && isOpen.current; ) {
      const body = { source: id, since, after, dry_run: isTrial };
      const part: ReplayResult = await send("POST", "/admin/v1/replay", body);
      all = {
        answers: all.answers + part.answers,
        created: all.created + part.created,
        revised: all.revised + part.revised,
        errors: [...all.errors, ...part.errors],
        remaining: part.remaining,
        isTrial,
      };
      setRead(all);
      after = part.next;
    }
  };
  const button = (name: string, isTrial: boolean) => (
    <Button disabled={doing.isBusy} run={() => doing.run(() => replay(isTrial))}>
      {name}
    </Button>
  );
  return (
    <section class="stack" aria-label="Stored responses">
      <Select
        label="Stored responses"
        hint="Read again after an update of Tapewire that reads the source better."
        value={days}
        set={(to) => setDays(Number(to))}
        options={times}
      />
      <div class="row">
        {button("Replay", false)}
        {button("Try without storing", true)}
      </div>
      <Problem failure={doing.failure} />
      <div role="status">{read !== null && <p class="note live">{told(read)}</p>}</div>
    </section>
  );
}

function told({ answers, created, revised, remaining, errors: [error, ...more], isTrial }: Read): string {
  const done = isTrial ? "would be" : "were";
  return [
    `${plural(answers, "response")} read: ${plural(created, "item")} ${done} created, ${count(revised)} revised.`,
    remaining > 0 && `${plural(remaining, "response")} left.`,
    error !== undefined && `${plural(more.length + 1, "response")} could not be read: ${error.detail}`,
  ]
    .filter((part) => part !== false)
    .join(" ");
}
