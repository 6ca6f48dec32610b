import { at } from "../core/address.ts";
import { hostOf, span, words } from "../core/format.ts";
import type { FeedItemDetail } from "../core/types.ts";
import { Copy } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { Moment } from "../parts/time.tsx";
import { type Lit, Pieces } from "../why/evidence-text.tsx";
import { piecesOf, type Span } from "../why/spans.ts";

const difference = (from: string, to: string) => Date.parse(to) - Date.parse(from);

/** What the item is: title, where it comes from, its times, and its facts. */
export function ItemHead({ item, spans, lit }: { item: FeedItemDetail; spans: readonly Span[]; lit: Lit }) {
  const title = item.title ?? "Without a title";
  const host = hostOf(item.link);
  return (
    <header class="item-head">
      <h2 class="title">
        <bdi>
          <Pieces pieces={piecesOf(title, 0, title.length, item.title === null ? [] : spans)} lit={lit} />
        </bdi>
      </h2>
      <div class="row wrap">
        {item.status !== "published" && (
          <span class={`badge ${item.status === "retracted" ? "wrong" : "live"}`}>
            {words(item.status)} {item.revision > 0 && `r${item.revision}`}
          </span>
        )}
        <span class="badge">{item.filing?.form ?? words(item.type)}</span>
        {item.symbols.map(({ symbol }) => (
          <a key={symbol} class="mono" href={at("symbol", symbol)}>
            <bdi>{symbol}</bdi>
          </a>
        ))}
        {host !== null && item.link !== null && (
          <a href={item.link} target="_blank" rel="noopener noreferrer nofollow">
            <bdi>{host}</bdi> ↗
          </a>
        )}
      </div>
      <Times item={item} />
      <About item={item} />
    </header>
  );
}

function Times({ item }: { item: FeedItemDetail }) {
  const { published_at, scraped_at, scoring } = item;
  return (
    <Facts
      look="small"
      of={[
        [
          "Published",
          <>
            <Moment at={published_at} /> <span class="quiet">by </span>
            <bdi>{item.source}</bdi>
            {item.provider_id !== item.source && (
              <span class="quiet">
                , <bdi>{item.provider_id}</bdi>
              </span>
            )}
          </>,
        ],
        [
          "Seen",
          <>
            <Moment at={scraped_at} />{" "}
            <span class="quiet num">{span(difference(published_at, scraped_at))} after</span>
          </>,
        ],
        scoring.scored_at !== null && [
          "Scored",
          <>
            <Moment at={scoring.scored_at} />{" "}
            <span class="quiet num">
              {span(difference(scraped_at, scoring.scored_at))} after, {scoring.model} {scoring.model_version}
            </span>
          </>,
        ],
      ]}
    />
  );
}

function About({ item: { id, seq, tags } }: { item: FeedItemDetail }) {
  const tagged = Object.values(tags).flat();
  return (
    <Facts
      look="small"
      of={[
        tagged.length > 0 && ["Tags", tagged.map(words).join(", ")],
        [
          "Id",
          <span class="row wrap">
            <code class="clip">{id}</code> <Copy text={id} what="id" />
            <span class="quiet num">seq {seq}</span>
          </span>,
        ],
      ]}
    />
  );
}
