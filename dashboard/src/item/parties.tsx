import { at } from "../core/address.ts";
import { eventKind } from "../core/event-labels.ts";
import { words } from "../core/format.ts";
import type { FeedItemDetail } from "../core/types.ts";
import { Direction } from "../parts/marks.tsx";
import { Empty } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { type Lit, Reason } from "../why/evidence-text.tsx";

/** What happened, who takes which part in it, and the words that say so. */
export function Events({ item, lit }: { item: FeedItemDetail; lit: Lit }) {
  if (item.events.length === 0) return null;
  return (
    <section class="stack" aria-label="Events">
      <h2>Events</h2>
      <ul>
        {item.events.map(({ name, role, symbol, evidence }, index) => {
          const id = `event-${index}`;
          const { label, meaning } = eventKind(name);
          return (
            <Reason key={id} id={id} lit={lit} title={meaning}>
              <span>
                {label} <span class="quiet">{words(role).toLowerCase()}</span>{" "}
                {symbol !== null && <bdi class="mono">{symbol}</bdi>}
                {evidence !== null && (
                  <span class="quiet small">
                    {" "}
                    “<bdi>{evidence.text}</bdi>”
                  </span>
                )}
              </span>
              <span />
            </Reason>
          );
        })}
      </ul>
    </section>
  );
}

/** What the item means for each company it is about. */
export function PerSymbol({ item, lit }: { item: FeedItemDetail; lit: Lit }) {
  if (item.analysis.length === 0) return <Empty text="The item is about no listed company or instrument." />;
  return (
    <Table
      rows={item.analysis}
      keyOf={({ symbol }) => symbol}
      point={(one) => (lit.value = one === null ? [] : [`symbol-${one.symbol}`])}
      columns={[
        [
          "Symbol",
          ({ symbol, primary }) => (
            <>
              <a class="mono" href={at("symbol", symbol)}>
                <bdi>{symbol}</bdi>
              </a>
              {primary && <div class="quiet small">mainly about it</div>}
            </>
          ),
        ],
        ["Relevance", ({ relevance }) => relevance, "num"],
        [
          "Short term",
          (one) => <Direction value={one.sentiment_short} conviction={one.sentiment_conviction} />,
        ],
        ["Long term", ({ sentiment_long }) => <Direction value={sentiment_long} />],
        [
          "Why",
          ({ sentiment_comment, evidence }) => (
            <>
              {sentiment_comment}
              {evidence.map(({ text, start }) => (
                <div key={start} class="quiet small">
                  “<bdi>{text}</bdi>”
                </div>
              ))}
            </>
          ),
          "soft",
        ],
      ]}
    />
  );
}
