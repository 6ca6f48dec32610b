import { get } from "../api.ts";
import { at } from "../core/address.ts";
import { listParams, paramsOf } from "../core/filter.ts";
import { count, percent } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import { feedStats } from "../core/stats.ts";
import type { FeedList, Filters } from "../core/types.ts";
import { Lock, Skeleton } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";

interface Answer {
  readonly items: number;
  readonly of: number;
  readonly hours: number;
}

async function countOf(filter: Filters, signal: AbortSignal): Promise<Answer> {
  const [some, all] = await Promise.all([feedStats(filter, {}, signal), feedStats({}, {}, signal)]);
  const hours = (Date.parse(some.until) - Date.parse(some.from)) / 3_600_000;
  return { items: some.totals.items, of: all.totals.items, hours: Math.max(1, Math.round(hours)) };
}

/** What a filter would have found in the last day, and the newest of it: known before anything is saved. */
export function WouldMatch({ filter }: { filter: Filters }) {
  const key = JSON.stringify(paramsOf(filter));
  const counted = useLoad(`match ${key}`, (signal) => countOf(filter, signal));
  const newest = useLoad(`newest ${key}`, (signal) =>
    get<FeedList>("/v1/feeds", { ...listParams(filter), limit: 5 }, signal),
  );
  return (
    <section class="stack" aria-label="What this filter would have matched" aria-live="polite">
      <Counted answer={counted.data} hasFailed={counted.failure !== null} />
      {newest.failure !== null && <Lock text={newest.failure.message} />}
      {newest.isLoading && <Skeleton lines={5} />}
      {newest.data !== null && (
        <ul class="found">
          {newest.data.data.map(({ id, title, published_at }) => (
            <li key={id}>
              <a href={at("item", id)} class="clip">
                <span class="quiet small">
                  <Time at={published_at} />
                </span>{" "}
                <bdi>{title ?? "Without a title"}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Counted({ answer, hasFailed }: { answer: Answer | null; hasFailed: boolean }) {
  if (hasFailed) return <p class="quiet small">How many it would have matched cannot be counted now.</p>;
  if (answer === null) return <Skeleton lines={1} height={40} />;
  const { items, of, hours } = answer;
  return (
    <p class="note live num">
      Would have matched <strong class="strong">{count(items)}</strong> of {count(of)} in {hours} h
      {of > 0 && ` (${percent(items / of)})`} · {count(Math.round(items / hours))} an hour
    </p>
  );
}
