import { useState } from "preact/hooks";
import { signed, span } from "../core/format.ts";
import { useDoing, useGet } from "../core/load.ts";
import type { FeedItemDetail, Me, Verdict } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { askVerdict } from "../why/explain.tsx";

type Pair = readonly [Verdict, Verdict];
const line = (name: string, of: (verdict: Verdict) => string) => ({ name, of });
type Line = ReturnType<typeof line>;

const lines = [
  line("Model", ({ model, model_version }) => `${model} ${model_version}`),
  line("Actionability", ({ actionability }) => String(actionability.score)),
  line("Actionable", ({ actionability }) => (actionability.actionable ? "yes" : "no")),
  line("Short term", ({ sentiment }) => (sentiment === null ? "—" : signed(sentiment.short_direction))),
  line("Long term", ({ sentiment }) => (sentiment === null ? "—" : signed(sentiment.long_direction))),
  line("Conviction", ({ sentiment }) => (sentiment === null ? "—" : String(sentiment.conviction))),
  line("Event", ({ event }) => event ?? "none"),
  line("Why actionable", ({ actionability }) => actionability.comment),
  line("Why this direction", ({ sentiment }) => sentiment?.comment ?? "—"),
  line("Took", ({ timing_ms }) => span(timing_ms)),
];

/** The two models side by side; lines in which they differ are marked. */
export function Compare({ item }: { item: FeedItemDetail }) {
  const me = useGet<Me>("/v1/me");
  const [pair, setPair] = useState<Pair | null>(null);
  const doing = useDoing();
  if (me.data?.limits.score_per_day === 0)
    return <Lock text="Scoring with both models is part of the pro plan and higher." />;
  const ask = () =>
    void doing.run(async () =>
      setPair(await Promise.all([askVerdict(item.id, "flash"), askVerdict(item.id, "pro")])),
    );
  if (pair === null)
    return (
      <div class="stack">
        <p class="soft">
          {item.scoring.model ?? "No model"} scored this item. Scoring it with both models stores nothing.
        </p>
        <div class="row wrap">
          <Button disabled={doing.isBusy} run={ask}>
            Score with both
          </Button>
          <span class="quiet small">Uses two score calls.</span>
        </div>
        {doing.failure !== null && <Problem failure={doing.failure} again={ask} />}
      </div>
    );
  const [flash, pro] = pair;
  const differs = ({ name, of }: Line) => name !== "Model" && name !== "Took" && of(flash) !== of(pro);
  return (
    <div class="compare">
      <Table
        rows={lines}
        keyOf={({ name }) => name}
        lookOf={(line) => (differs(line) ? "differs" : "")}
        columns={[
          [
            "Of the verdict",
            (line) => (
              <>
                {line.name}
                {differs(line) && <span class="unseen">, differs</span>}
              </>
            ),
            "unseen",
          ],
          ["flash", ({ of }) => of(flash), "num-left"],
          ["pro", ({ of }) => of(pro), "num-left"],
        ]}
      />
    </div>
  );
}
