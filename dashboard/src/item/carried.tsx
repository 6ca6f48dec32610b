import { useState } from "preact/hooks";
import { get } from "../api.ts";
import { useLoad } from "../core/load.ts";
import { iso } from "../core/range.ts";
import type { FeedItemDetail, ReplayEntry, ReplayPage } from "../core/types.ts";
import { Segments } from "../forms/field.tsx";
import { Code } from "../parts/copy.tsx";
import { Empty, Loading } from "../parts/states.tsx";

const ways = { REST: "REST", Stream: "Stream", Webhook: "Webhook" } as const;
type Way = keyof typeof ways;
/** Neighbours in the log may be out of order by as long as scoring took. */
const aroundMs = 5_000;

/** The item as each interface carries it. */
export function Carried({ item }: { item: FeedItemDetail }) {
  const [way, choose] = useState<Way>("REST");
  return (
    <section class="stack" aria-label="JSON">
      <Segments label="Interface" value={way} choices={ways} choose={choose} />
      {way === "REST" ? <Code text={pretty(item)} what="item as JSON" /> : <Logged item={item} way={way} />}
    </section>
  );
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** From the log itself: a replay gives the entry as it was sent. */
async function entryOf(item: FeedItemDetail, signal: AbortSignal): Promise<ReplayEntry | null> {
  const loggedMs = Math.max(
    Date.parse(item.updated_at),
    Date.parse(item.scoring.scored_at ?? item.updated_at),
  );
  const query = {
    aggregator: item.source,
    since: iso(loggedMs - aroundMs),
    until: iso(loggedMs + aroundMs),
    limit: 1_000,
  };
  const { data } = await get<ReplayPage>("/v1/replay", query, signal);
  return data.find(({ seq }) => seq === item.seq) ?? null;
}

function Logged({ item, way }: { item: FeedItemDetail; way: Way }) {
  const entry = useLoad<{ readonly found: ReplayEntry | null }>(`entry ${item.seq}`, async (signal) => ({
    found: await entryOf(item, signal),
  }));
  return (
    <Loading of={entry} lines={8}>
      {({ found }) =>
        found === null ? (
          <Empty text="The log no longer has this version." />
        ) : way === "Stream" ? (
          <>
            <p class="soft">
              The frame of a live item. It has one more member, <code>count</code>: the number of items that
              the account got that day.
            </p>
            <Code text={pretty(frameOf(found))} what="frame of the stream" />
          </>
        ) : (
          <>
            <p class="soft">The body that is posted to an endpoint of the format tapewire.</p>
            <Code text={pretty(bodyOf(found))} what="body of a delivery" />
          </>
        )
      }
    </Loading>
  );
}

const frameOf = ({ cursor, seq, latency, data }: ReplayEntry) => ({
  type: "feed",
  snapshot: false,
  cursor,
  seq,
  latency,
  data,
});

const bodyOf = ({ seq, latency, data }: ReplayEntry) => ({
  type: "feed.scored",
  timestamp: data.updated_at,
  data,
  seq,
  latency,
});
