import { at } from "../core/address.ts";
import { eventLabel } from "../core/event-labels.ts";
import { clockTime, span, words } from "../core/format.ts";
import type { StreamItem } from "../core/types.ts";
import { memo } from "../draw/memo.ts";
import { Button } from "../forms/button.tsx";
import { Actionable, Direction, Tickers } from "../parts/marks.tsx";
import type { Row } from "./tape.ts";
import { watchersOf } from "./watchers.ts";

interface LineProps {
  readonly row: Row;
  readonly top: number;
  /** From the newest; below 0: not counted yet. */
  readonly place: number;
  readonly isChosen: boolean;
  readonly isFresh: boolean;
  readonly fill: (row: Row) => void;
}

/**
 * One item of the tape. Its link covers the row, so the whole row opens it. Its parts are called, not drawn as components,
 * and the tape hears its clicks: in a burst a screenful of rows is made at once.
 */
export const Line = memo(({ row, top, place, isChosen, isFresh, fill }: LineProps) => {
  const { item, gap, latencyMs } = row;
  const { scoring, symbols, status } = item;
  const [actionable, direction] = scoring.locked
    ? [locked(), locked()]
    : [
        Actionable({ score: scoring.actionability_score, is: scoring.actionability }),
        Direction({ value: scoring.sentiment_short, conviction: scoring.sentiment_conviction }),
      ];
  const states = [
    "line",
    scoring.actionability === true ? "actionable" : "",
    isChosen ? "chosen" : "",
    isFresh ? "fresh" : "",
    status === "retracted" ? "retracted" : "",
  ];
  return (
    <li
      class={states.filter(Boolean).join(" ")}
      style={{ top: `${top}px` }}
      aria-posinset={place < 0 ? undefined : place + 1}
      aria-setsize={-1}
    >
      <time dateTime={item.published_at} title={titleOf(item.published_at, latencyMs)}>
        {clockTime(Date.parse(item.published_at))}
      </time>
      {actionable}
      {direction}
      {Tickers({ symbols, most: 2 })}
      <a
        class="headline clip"
        href={at("item", item.id)}
        title={item.title ?? ""}
        tabIndex={isChosen ? 0 : -1}
      >
        <bdi>{item.title ?? "Without a title"}</bdi>
      </a>
      <span class="event clip soft small">
        {item.event === null ? badgeOf(item.type, item.filing?.form) : eventLabel(item.event)}
      </span>
      <bdi class="from clip quiet small">{item.source}</bdi>
      {Marks(item)}
      {gap !== undefined && (
        <div class="gap-line">
          <Button look="small" run={() => fill(row)}>
            Items are missing here: load them
          </Button>
        </div>
      )}
    </li>
  );
});

const badgeOf = (type: string, form: string | undefined) => form ?? words(type);

const titleOf = (at: string, latencyMs: number | null) =>
  `${at}${latencyMs === null ? "" : `\n${span(latencyMs)} from its source to the stream`}`;

const locked = () => (
  <span class="quiet small" title="Scores are not part of this plan">
    locked
  </span>
);

/** What the row is to this account: copies, versions, and which views and endpoints it matches. */
function Marks(item: StreamItem) {
  const isCopy = item.story_id !== item.id;
  const watchers = watchersOf(item);
  if (!isCopy && item.status !== "revised" && watchers.length === 0) return null;
  return (
    <span class="marks">
      {isCopy && (
        <span class="small quiet" title="A copy of an earlier story">
          <svg width="11" height="11" viewBox="0 0 11 11" aria-hidden="true">
            <path d="M3.5 3.5h7v7h-7zM7.5 3V.5h-7v7H3" fill="none" stroke="currentColor" />
          </svg>
          <span class="unseen">copy</span>
        </span>
      )}
      {item.status === "revised" && (
        <span class="small quiet" title={`Revision ${item.revision}`}>
          r{item.revision}
        </span>
      )}
      {watchers.map(({ kind, name }) => (
        <span key={`${kind}${name}`} class={`dot ${kind}`} title={`Matches ${kind} ${name}`}>
          <span class="unseen">
            matches {kind} {name}
          </span>
        </span>
      ))}
    </span>
  );
}
