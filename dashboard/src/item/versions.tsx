import { get } from "../api.ts";
import { useLoad } from "../core/load.ts";
import type { FeedItemDetail, Scoring } from "../core/types.ts";
import { Actionable, Direction } from "../parts/marks.tsx";
import { Loading } from "../parts/states.tsx";
import { Moment } from "../parts/time.tsx";
import { Wide } from "../parts/wide.tsx";

interface StoredScore {
  readonly model: string;
  readonly model_version: string;
  readonly scored_at: string;
  readonly scoring: Scoring;
}

/** Every score that the item has had, and when its text last changed. */
export function Versions({ item }: { item: FeedItemDetail }) {
  const scores = useLoad(`scores ${item.id}`, (signal) =>
    get<{ data: StoredScore[] }>(`/v1/feeds/${item.id}/scores`, {}, signal),
  );
  return (
    <section class="stack" aria-label="Versions">
      <p class="soft">
        {item.revision === 0
          ? "The item has not changed since it came."
          : `Revision ${item.revision}, changed `}
        {item.revision > 0 && <Moment at={item.updated_at} />}
      </p>
      <h2>Scores</h2>
      <Loading of={scores} lines={2}>
        {({ data }) => (
          <Wide>
            <table>
              <thead>
                <tr>
                  <th>Scored</th>
                  <th>Model</th>
                  <th>Actionability</th>
                  <th>Short</th>
                </tr>
              </thead>
              <tbody>
                {data.map((one) => (
                  <tr key={`${one.model}${one.scored_at}`}>
                    <td>
                      <Moment at={one.scored_at} />
                    </td>
                    <td>
                      {one.model} <span class="quiet">{one.model_version}</span>
                    </td>
                    <td>
                      <Actionable score={one.scoring.actionability_score} is={one.scoring.actionability} />
                    </td>
                    <td>
                      <Direction
                        value={one.scoring.sentiment_short}
                        conviction={one.scoring.sentiment_conviction}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Wide>
        )}
      </Loading>
    </section>
  );
}
