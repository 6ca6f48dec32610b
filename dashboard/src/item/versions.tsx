import { get } from "../api.ts";
import { useParams } from "../core/address.ts";
import { useLoad } from "../core/load.ts";
import type { FeedItemDetail, Scoring } from "../core/types.ts";
import { Actionable, Direction } from "../parts/marks.tsx";
import { Loading } from "../parts/states.tsx";
import { Moment } from "../parts/time.tsx";
import { Wide } from "../parts/wide.tsx";
import { asOfOf, changesOf, mostVersions, versionsOf } from "./history.ts";

interface StoredScore {
  readonly model: string;
  readonly model_version: string;
  readonly scored_at: string;
  readonly scoring: Scoring;
}

/** The versions of the item, what each changed, and every score that it has had. */
export function Versions({ item }: { item: FeedItemDetail }) {
  const scores = useLoad(`scores ${item.id}`, (signal) =>
    get<{ data: StoredScore[] }>(`/v1/feeds/${item.id}/scores`, {}, signal),
  );
  return (
    <section class="stack" aria-label="Versions">
      <History id={item.id} />
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
                  <th>Short term</th>
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

/** A slider over the versions: the whole page shows the item as it was then. */
function History({ id }: { id: string }) {
  const versions = useLoad(`versions ${id}`, (signal) => versionsOf(id, signal));
  const [params, change] = useParams();
  return (
    <Loading of={versions} lines={2}>
      {(all) => {
        const newest = all.length - 1;
        if (newest <= 0) return <p class="soft">The item has not changed since it came.</p>;
        const asOf = params.as_of ?? null;
        const place =
          asOf === null
            ? newest
            : Math.max(
                0,
                all.findLastIndex((one) => one.updated_at <= asOf),
              );
        const shown = all[place];
        const before = all[place - 1];
        const go = (to: number) => {
          const one = all[to];
          change({ as_of: one === undefined || to === newest ? null : asOfOf(one) });
        };
        return (
          <>
            <label class="field">
              <span class="num">
                Version {place + 1} of {all.length}, since <Moment at={shown?.updated_at ?? null} />
              </span>
              <input
                type="range"
                class="versions"
                min={0}
                max={newest}
                value={place}
                aria-valuetext={`Version ${place + 1} of ${all.length}`}
                onInput={({ currentTarget }) => go(Number(currentTarget.value))}
              />
            </label>
            {(all[0]?.revision ?? 0) > 0 && (
              <p class="quiet small">Only the newest {mostVersions} versions are shown.</p>
            )}
            {shown !== undefined && before !== undefined && <Changes before={before} after={shown} />}
          </>
        );
      }}
    </Loading>
  );
}

function Changes({ before, after }: { before: FeedItemDetail; after: FeedItemDetail }) {
  const changes = changesOf(before, after);
  if (changes.length === 0)
    return <p class="soft">Against the version before only the text or its story has changed.</p>;
  return (
    <Wide label="Changes">
      <table>
        <thead>
          <tr>
            <th>Changed</th>
            <th>Before</th>
            <th>In this version</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, before: was, after: is }) => (
            <tr key={name}>
              <td class="quiet">{name}</td>
              <td class="soft">
                <bdi>{was}</bdi>
              </td>
              <td>
                <bdi>{is}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
