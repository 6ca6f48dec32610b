import { useState } from "preact/hooks";
import { Chart } from "../charts/chart.tsx";
import { itemsChart } from "../charts/series.ts";
import { count, plural, span } from "../core/format.ts";
import { directions, mean } from "../symbol/directions.ts";
import type { Player } from "./player.ts";

/** Below this the items need the room. */
const narrowPx = 720;

/** What the feed's charts showed: they fill as the clock goes on. */
export function ReplayCharts({ player }: { player: Player }) {
  player.charted.value;
  const [isShown, show] = useState(innerWidth > narrowPx);
  return (
    <details class="replay-charts" open={isShown} onToggle={({ currentTarget }) => show(currentTarget.open)}>
      <summary>
        <h2>Charts</h2>
      </summary>
      {isShown && <Both player={player} />}
    </details>
  );
}

function Both({ player }: { player: Player }) {
  const { tally } = player;
  const { times, counts, actionables, means, bucketMs } = tally;
  return (
    <div>
      <Chart
        name={`Items in ${span(bucketMs)}`}
        summary={`${plural(tally.items, "item")} so far, ${count(tally.actionable)} actionable.`}
        data={itemsChart(times, counts, actionables)}
      />
      <Chart
        name="Sentiment, short term, mean"
        summary={meanOf(means)}
        data={{
          ...directions,
          times,
          height: 110,
          series: [
            {
              label: "Mean",
              values: means,
              colour: "--edge",
              kind: "dots",
              sizes: means.map(() => 0.3),
            },
          ],
        }}
      />
    </div>
  );
}

function meanOf(means: readonly (number | null)[]): string {
  const known = means.filter((one) => one !== null);
  if (known.length === 0) return "No scored item so far.";
  return `${directions.unit(mean(known))} so far.`;
}
