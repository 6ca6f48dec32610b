import { useState } from "preact/hooks";
import { at, go, useParams } from "../core/address.ts";
import { root } from "../core/base.ts";
import { count, plural } from "../core/format.ts";
import { useGet, useLoad } from "../core/load.ts";
import { feedStats, itemsOf, type Point } from "../core/stats.ts";
import { tickerOf } from "../core/ticker.ts";
import type { SymbolEntry } from "../core/types.ts";
import { Field } from "../forms/field.tsx";
import { Panel, Screen } from "../parts/screen.tsx";
import { Empty, Loading } from "../parts/states.tsx";

/** The service's own picture of a symbol, at this page's address: another host would be a tracker. */
export const logoOf = (logo: string) =>
  root + new URL(logo, location.href).pathname.replace(/^.*\/logos\//, "logos/");

interface Listed extends Pick<SymbolEntry, "symbol" | "name"> {
  readonly short_symbol?: string;
  readonly logo?: string;
  /** What is said of it at the end. */
  readonly exchange?: string | null;
}

/** Symbols with what is known of each, which lead to their screens. */
export const SymbolList = ({ of }: { of: readonly Listed[] }) => (
  <ul class="symbol-list">
    {of.map(({ symbol, short_symbol, name, logo, exchange }) => (
      <li key={symbol}>
        <a href={at("symbol", symbol)}>
          {logo && <img src={logoOf(logo)} alt="" loading="lazy" width="20" height="20" />}
          <bdi class="mono">{short_symbol ?? symbol}</bdi> <bdi class="soft clip">{name}</bdi>{" "}
          <span class="quiet small">{exchange}</span>
        </a>
      </li>
    ))}
  </ul>
);

/** Symbols by ticker or name. */
export default function Symbols() {
  const [params, change] = useParams();
  const [text, setText] = useState(params.q ?? "");
  const q = params.q ?? "";
  const ticker = tickerOf(q);
  const list = useGet<{ data: SymbolEntry[] }>("/v1/symbols", { q, limit: 60 });
  return (
    <Screen title="Symbols">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Before the answer is there it may be a name.
          const first = list.data && (list.data.data[0]?.symbol ?? ticker);
          if (first !== null) go(at("symbol", first));
        }}
      >
        <Field label="Ticker or name" hint="Enter opens the first.">
          {(given) => (
            <input
              {...given}
              value={text}
              autocomplete="off"
              onInput={({ currentTarget }) => {
                setText(currentTarget.value);
                change({ q: currentTarget.value.trim() });
              }}
            />
          )}
        </Field>
      </form>
      {q === "" && <InTheNews />}
      <Panel title={q === "" ? "Largest symbols" : `Matches for ${q}`}>
        <Loading of={list} lines={8} height={32}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty text={`No ticker or name begins with ${q}.`}>
                {ticker !== null && (
                  <a class="button" href={at("symbol", ticker)}>
                    Look for {ticker} in items
                  </a>
                )}
              </Empty>
            ) : (
              <SymbolList of={data} />
            )
          }
        </Loading>
      </Panel>
    </Screen>
  );
}

/** What was told most of late, with how much of it in words. */
function InTheNews() {
  const stats = useLoad("in the news", (signal) => feedStats({}, { by: "symbol", top: 12 }, signal), 30_000);
  const told = (stats.data?.series ?? []).filter(({ key }) => key !== null);
  if (told.length === 0) return null;
  return (
    <Panel title="In the news, last 24 hours">
      <SymbolList
        of={told.map(({ key, label, points }) => ({
          symbol: key ?? "",
          name: label,
          exchange: wordsOf(points),
        }))}
      />
    </Panel>
  );
}

function wordsOf(points: readonly Point[]): string {
  const actionable = points.reduce((sum, point) => sum + (point[2] ?? 0), 0);
  return `${plural(itemsOf(points), "item")}, ${actionable === 0 ? "none" : count(actionable)} actionable`;
}
