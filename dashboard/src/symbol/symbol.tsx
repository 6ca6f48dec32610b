import { get, queryText } from "../api.ts";
import { at, useParams } from "../core/address.ts";
import { count, signed } from "../core/format.ts";
import { type Loaded, useLoad } from "../core/load.ts";
import type { FeedItem, FeedList, SymbolDetail, SymbolEntry } from "../core/types.ts";
import { Segments } from "../parts/field.tsx";
import { Items } from "../parts/items.tsx";
import { Panel, Screen } from "../parts/screen.tsx";
import { Empty, Loading, Skeleton } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { SymbolCharts } from "./symbol-charts.tsx";
import { logoOf } from "./symbols.tsx";

const times = { "1": "24 hours", "7": "7 days", "30": "30 days" } as const;

/** One symbol and its news over time. */
export default function OneSymbol({ ticker: given }: { ticker: string }) {
  const ticker = decodeURIComponent(given);
  const [params, change] = useParams();
  const days = params.days === "7" || params.days === "30" ? params.days : "1";
  const detail = useLoad(`symbol ${ticker}`, (signal) =>
    get<SymbolDetail>(`/v1/symbols/${encodeURIComponent(ticker)}`, {}, signal),
  );
  const items = useLoad(
    `symbol items ${ticker}`,
    (signal) => get<FeedList>("/v1/feeds", { symbol: ticker, limit: 100 }, signal),
    {
      everyMs: 10_000,
    },
  );
  if (detail.failure?.status === 404) return <Unknown ticker={ticker} />;
  return (
    <Screen
      title={ticker}
      actions={
        <>
          <a class="button" href={at("feed") + queryText({ symbol: ticker })}>
            Watch live
          </a>
          <a class="button" href={at("webhooks") + queryText({ symbol: ticker, create: 1 })}>
            Webhook for it
          </a>
        </>
      }
    >
      <Loading of={detail} lines={4}>
        {(symbol) => <Head symbol={symbol} />}
      </Loading>
      <Trend items={items.data?.data ?? []} />
      <Panel
        title="News over time"
        aside={
          <Segments
            label="Time"
            value={days}
            choices={(["1", "7", "30"] as const).map((value) => ({ value, label: times[value] }))}
            choose={(to) => change({ days: to })}
          />
        }
      >
        <SymbolCharts ticker={ticker} days={Number(days)} items={items.data?.data ?? []} />
      </Panel>
      <Panel title="Items">
        <Newest items={items} />
      </Panel>
    </Screen>
  );
}

const few = 5;
const tenth = (value: number) => Math.round(value * 10) / 10;

/** Whether the newest items are better or worse for it than those before. */
function Trend({ items }: { items: readonly FeedItem[] }) {
  const scores = items.flatMap(({ scoring }) => scoring.sentiment_short ?? []);
  if (scores.length < 2 * few) return null;
  const mean = (from: number) =>
    tenth(scores.slice(from, from + few).reduce((sum, one) => sum + one, 0) / few);
  const [now, before] = [mean(0), mean(few)];
  return (
    <p class="note live num">
      Last {few} items: {signed(now)}, the {few} before: {signed(before)}:{" "}
      {now > before ? "getting better" : now < before ? "getting worse" : "no change"}
    </p>
  );
}

function Newest({ items }: { items: Loaded<FeedList> }) {
  return (
    <Loading of={items} lines={6} height={28}>
      {({ data }) =>
        data.length === 0 ? <Empty text="No item has been about it yet." /> : <Items items={data} />
      }
    </Loading>
  );
}

function Head({ symbol }: { symbol: SymbolDetail }) {
  const { name, exchange, sector, country, cik, type, aliases } = symbol;
  return (
    <div class="stack">
      <div class="symbol-head">
        <img src={logoOf(symbol.logo)} alt="" width="36" height="36" />
        <div>
          <strong class="strong">
            <bdi>{name ?? symbol.symbol}</bdi>
          </strong>
          <div class="soft">
            {[exchange, type, sector, country].filter((part) => part !== null).join(" · ")}
          </div>
        </div>
      </div>
      <dl class="facts">
        <dt>Items</dt>
        <dd class="num">
          {count(symbol.feed_count_24h)} in 24 h, {count(symbol.feed_count)} in all, newest{" "}
          <Time at={symbol.latest_at} />
        </dd>
        {cik !== null && (
          <>
            <dt>CIK</dt>
            <dd class="mono">{cik}</dd>
          </>
        )}
        {aliases.length > 0 && (
          <>
            <dt>Also called</dt>
            <dd>
              <bdi>{aliases.slice(0, 8).join(", ")}</bdi>
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

function Unknown({ ticker }: { ticker: string }) {
  const q = ticker.split(":").at(-1)?.slice(0, 2) ?? "";
  const near = useLoad(`symbols ${q} 12`, (signal) =>
    get<{ data: SymbolEntry[] }>("/v1/symbols", { q, limit: 12 }, signal),
  );
  return (
    <Screen title={ticker}>
      <Empty text="The service knows no symbol of this name, and no item names it.">
        <a class="button" href={at("symbol")}>
          Look for another
        </a>
      </Empty>
      {near.data === null ? (
        <Skeleton lines={3} />
      ) : (
        <ul class="symbol-list">
          {near.data.data.map((one) => (
            <li key={one.symbol}>
              <a href={at("symbol", one.symbol)}>
                <bdi class="mono">{one.symbol}</bdi> <bdi class="soft clip">{one.name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
}
