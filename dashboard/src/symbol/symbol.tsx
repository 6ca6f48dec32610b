import { queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { count, plural, signed } from "../core/format.ts";
import { type Loaded, useGet } from "../core/load.ts";
import type { FeedItem, FeedList, SymbolDetail, SymbolEntry } from "../core/types.ts";
import { useChoice } from "../draw/choice.ts";
import { keysOf, Segments } from "../forms/field.tsx";
import { Facts } from "../parts/facts.tsx";
import { Items } from "../parts/items.tsx";
import { Panel, Screen } from "../parts/screen.tsx";
import { Empty, Loading, Skeleton } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { mean, rounded } from "./directions.ts";
import { SymbolCharts } from "./symbol-charts.tsx";
import { logoOf, SymbolList } from "./symbols.tsx";

const times = { "1": "24 hours", "7": "7 days", "30": "30 days" } as const;

/** One symbol and its news over time. */
export default function OneSymbol({ id: ticker }: { id: string }) {
  const [days, setDays] = useChoice("days", keysOf(times));
  const detail = useGet<SymbolDetail>(`/v1/symbols/${encodeURIComponent(ticker)}`);
  const items = useGet<FeedList>("/v1/feeds", { symbol: ticker, limit: 100 }, 10_000);
  if (detail.failure?.status === 404) return <Unknown ticker={ticker} />;
  const name = detail.data?.name;
  const watch = at("feed") + queryText({ symbol: ticker });
  return (
    <Screen
      title={name ? `${ticker} · ${name}` : ticker}
      actions={
        <>
          <a class="button" href={watch}>
            Watch live
          </a>
          <a class="button" href={at("webhooks") + queryText({ symbol: ticker, create: 1 })}>
            Webhook for it
          </a>
        </>
      }
    >
      <Loading of={detail} lines={4}>
        {(symbol) => <Head asked={ticker} symbol={symbol} />}
      </Loading>
      <Trend items={items.data?.data ?? []} />
      <Panel
        title="News over time"
        aside={<Segments label="Time" value={days} choices={times} choose={setDays} />}
      >
        <SymbolCharts ticker={ticker} days={Number(days)} items={items.data?.data ?? []} />
      </Panel>
      <Panel title="Items">
        <Newest items={items} of={detail.data?.feed_count ?? 0} all={watch} />
      </Panel>
    </Screen>
  );
}

const few = 5;

/** Whether the newest items are better or worse for it than those before. */
function Trend({ items }: { items: readonly FeedItem[] }) {
  const scores = items.flatMap(({ scoring }) => scoring.sentiment_short ?? []);
  if (scores.length < 2 * few) return null;
  const from = (first: number) => rounded(mean(scores.slice(first, first + few)));
  const [now, before] = [from(0), from(few)];
  return (
    <p class="note live num">
      Last {few} items: {signed(now)}, the {few} before: {signed(before)}:{" "}
      {now > before ? "getting better" : now < before ? "getting worse" : "no change"}
    </p>
  );
}

function Newest({ items, of, all }: { items: Loaded<FeedList>; of: number; all: string }) {
  return (
    <Loading of={items} lines={6} height={28}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty text="No item has been about it yet." />
        ) : (
          <>
            <Items items={data} />
            {of > data.length && (
              <p class="soft">
                The latest {data.length} of {count(of)}. <a href={all}>All in the feed</a>
              </p>
            )}
          </>
        )
      }
    </Loading>
  );
}

function Head({ asked, symbol }: { asked: string; symbol: SymbolDetail }) {
  const { exchange, sector, country, cik, type, aliases, delisted_on } = symbol;
  return (
    <div class="stack">
      <div class="symbol-head">
        <img src={logoOf(symbol.logo)} alt="" width="36" height="36" />
        <div>
          {delisted_on !== null && <span class="badge">Delisted since {delisted_on}</span>}
          <div class="soft">
            {[exchange, type, sector, country].filter((part) => part !== null).join(" · ")}
          </div>
        </div>
      </div>
      <Facts
        of={[
          [
            "Items",
            <span class="num">
              {count(symbol.feed_count_24h)} in 24 h, {count(symbol.feed_count)} in all, newest{" "}
              <Time at={symbol.latest_at} />
            </span>,
          ],
          cik !== null && ["CIK", <span class="mono">{cik}</span>],
          aliases.length > 0 && ["Also called", <bdi>{aliases.slice(0, 8).join(", ")}</bdi>],
        ]}
      />
      <Lines asked={asked} symbol={symbol} />
    </div>
  );
}

/** The same ticker on each exchange: it may be another company's there. */
function Lines({ asked, symbol: { lines, short_symbol } }: { asked: string; symbol: SymbolDetail }) {
  const isBare = !asked.includes(":");
  if (lines.length < (isBare ? 1 : 2)) return null;
  const whole = { symbol: short_symbol, name: "All lines together" };
  const each = lines.map(({ feed_count, ...line }) => ({ ...line, exchange: plural(feed_count, "item") }));
  return (
    <details open={isBare}>
      <summary>
        {plural(lines.length, "line")} of {short_symbol}
      </summary>
      <SymbolList of={isBare ? each : [whole, ...each]} />
    </details>
  );
}

function Unknown({ ticker }: { ticker: string }) {
  const q = ticker.split(":").at(-1)?.slice(0, 2) ?? "";
  const near = useGet<{ data: SymbolEntry[] }>("/v1/symbols", { q, limit: 12 });
  return (
    <Screen title={ticker}>
      <Empty text="The service knows no symbol of this name, and no item names it.">
        <a class="button" href={at("symbol")}>
          Look for another
        </a>
      </Empty>
      {near.data === null ? <Skeleton lines={3} /> : <SymbolList of={near.data.data} />}
    </Screen>
  );
}
