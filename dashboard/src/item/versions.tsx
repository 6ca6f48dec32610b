import { useParams } from "../core/address.ts";
import { useGet, useLoad } from "../core/load.ts";
import type { FeedItemDetail, Scoring } from "../core/types.ts";
import { Actionable, Direction } from "../parts/marks.tsx";
import { Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Moment } from "../parts/time.tsx";
import { changesOf, versionsOf } from "./history.ts";

interface StoredScore {
  readonly model: string;
  readonly model_version: string;
  readonly scored_at: string;
  readonly scoring: Scoring;
}

/** The versions of the item, what each changed, and every score that it has had. */
export function Versions({ item }: { item: FeedItemDetail }) {
  const scores = useGet<{ data: StoredScore[] }>(`/v1/feeds/${item.id}/scores`);
  return (
    <section class="stack" aria-label="Versions">
      <History id={item.id} />
      <h2>Scores</h2>
      <Loading of={scores} lines={2}>
        {({ data }) => (
          <Table
            rows={data}
            keyOf={({ model, scored_at }) => model + scored_at}
            columns={[
              ["Scored", ({ scored_at }) => <Moment at={scored_at} />],
              [
                "Model",
                ({ model, model_version }) => (
                  <>
                    {model} <span class="quiet">{model_version}</span>
                  </>
                ),
              ],
              [
                "Actionability",
                ({ scoring }) => (
                  <Actionable score={scoring.actionability_score} is={scoring.actionability} />
                ),
              ],
              [
                "Short term",
                ({ scoring }) => (
                  <Direction value={scoring.sentiment_short} conviction={scoring.sentiment_conviction} />
                ),
              ],
            ]}
          />
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
        const { as_of: asOf } = params;
        const place = all.findIndex(({ until }) => until === null || (asOf !== undefined && asOf <= until));
        const shown = all[place]?.item;
        const before = all[place - 1]?.item;
        const go = (to: number) => change({ as_of: all[to]?.until ?? null });
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
            {(all[0]?.item.revision ?? 0) > 0 && (
              <p class="quiet small">Only the newest {all.length} versions are shown.</p>
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
  if (changes.length === 0) return <p class="soft">Only the text or its story has changed.</p>;
  return (
    <Table
      label="Changes"
      rows={changes}
      keyOf={({ name }) => name}
      columns={[
        ["Changed", ({ name }) => name, "quiet"],
        ["Before", (one) => <bdi>{one.before}</bdi>, "soft"],
        ["In this version", (one) => <bdi>{one.after}</bdi>],
      ]}
    />
  );
}
