import { useState } from "preact/hooks";
import { get } from "../api.ts";
import { signed, span } from "../core/format.ts";
import { useDoing, useLoad } from "../core/load.ts";
import type { FeedItemDetail, Me, Verdict } from "../core/types.ts";
import { Lock, Problem } from "../parts/states.tsx";
import { Wide } from "../parts/wide.tsx";
import { askVerdict } from "./explain.tsx";

type Pair = readonly [Verdict, Verdict];
const line = (name: string, of: (verdict: Verdict) => string) => ({ name, of });

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
  const me = useLoad("me", (signal) => get<Me>("/v1/me", {}, signal));
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
          <button type="button" class="button" disabled={doing.isBusy} onClick={ask}>
            Score with both
          </button>
          <span class="quiet small">Uses two score calls.</span>
        </div>
        {doing.failure !== null && <Problem failure={doing.failure} again={ask} />}
      </div>
    );
  return (
    <Wide>
      <table class="compare">
        <thead>
          <tr>
            <th />
            <th>flash</th>
            <th>pro</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, of }) => (
            <tr
              key={name}
              class={name !== "Model" && name !== "Took" && of(pair[0]) !== of(pair[1]) ? "differs" : ""}
            >
              <td>
                {name}
                {of(pair[0]) !== of(pair[1]) && <span class="unseen">, differs</span>}
              </td>
              <td class="num-left">{of(pair[0])}</td>
              <td class="num-left">{of(pair[1])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
