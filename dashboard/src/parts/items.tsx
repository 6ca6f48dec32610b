import { at } from "../core/address.ts";
import type { FeedItem } from "../core/types.ts";
import { Actionable, Direction, Tickers } from "./marks.tsx";
import { Time } from "./time.tsx";

/** A short list of items, as other screens than the feed show them. */
export function Items({ items }: { items: readonly FeedItem[] }) {
  return (
    <ol class="items">
      {items.map((item) => (
        <li key={item.id}>
          <Time at={item.published_at} />
          <Actionable score={item.scoring.actionability_score} is={item.scoring.actionability} />
          <Direction value={item.scoring.sentiment_short} conviction={item.scoring.sentiment_conviction} />
          <Tickers symbols={item.symbols} most={2} />
          <a href={at("item", item.id)}>
            <bdi>{item.title ?? "Without a title"}</bdi>
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Titles of items with their times, and of whom where that matters. */
export const Titles = ({
  items,
  isBySource = false,
}: {
  items: readonly FeedItem[];
  isBySource?: boolean;
}) => (
  <ul class="found">
    {items.map(({ id, title, source, published_at }) => (
      <li key={id}>
        <a href={at("item", id)} class="clip">
          <span class="quiet small">
            <Time at={published_at} /> {isBySource && <bdi>{source}</bdi>}
          </span>{" "}
          <bdi>{title ?? "Without a title"}</bdi>
        </a>
      </li>
    ))}
  </ul>
);
