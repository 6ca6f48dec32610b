import { PhraseIndex, type PhraseMatch } from "../words/phrase-index.ts";
import { scan, type Word } from "../words/scan.ts";
import { type EventType, eventLists } from "./event-types.ts";
import { eventKinds } from "./kinds.ts";

/** A kind of news found in a headline. */
export interface FoundEvent {
  readonly type: EventType;
  /** Where the headline says so, as offsets; null for "other". */
  readonly span: { readonly start: number; readonly end: number } | null;
}

const kinds = new PhraseIndex<EventType>(eventKinds, eventLists);

export const eventTypes: readonly EventType[] = eventKinds.map(([type]) => type);

const other: EventType = { name: "other", lift: 0.7, echo: false };
const titleRead = 400;

export const hasPercentFigure = /\d(?:[\d.,]{0,8})\s?(?:%|per ?cent|pct|pc\b)/i;

/** "Share buyback up" is no move of the share price: these kinds win over the echo. */
const outranksEcho = new Set(["buyback", "dividend cut", "guidance up", "guidance down"]);

const first = (matches: readonly PhraseMatch<EventType>[]): PhraseMatch<EventType> | undefined =>
  matches.reduce<PhraseMatch<EventType> | undefined>(
    (best, match) => (best === undefined || match.order < best.order ? match : best),
    undefined,
  );

/** The kinds of news in a headline; never empty. */
export type Events = readonly [FoundEvent, ...FoundEvent[]];

/** Every kind of news in a headline, the one that names the item first; only "other" when there is none. */
export function eventsOf(title: string, words?: readonly Word[]): Events {
  const read = words ?? scan(title, 0, Math.min(title.length, titleRead));
  const matches = kinds.matches(read);
  const leading =
    first(matches.filter(({ value }) => outranksEcho.has(value.name))) !== undefined &&
    first(matches)?.value.name === "share move"
      ? first(matches.filter(({ value }) => outranksEcho.has(value.name)))
      : first(matches);
  if (leading === undefined) return [{ type: other, span: null }];
  const found = ({ value, from, to }: PhraseMatch<EventType>): FoundEvent => ({
    type: value,
    span: { start: read[from]?.start ?? 0, end: read[to - 1]?.end ?? 0 },
  });
  const rest = matches
    .filter(({ value }) => value !== leading.value)
    .sort((a, b) => a.order - b.order)
    .filter(({ value }, at, sorted) => sorted[at - 1]?.value !== value);
  return [found(leading), ...rest.map(found)];
}

/** Names of the kinds; none for "other". */
export const knownKinds = (events: Events): string[] =>
  events.filter(({ type }) => type !== other).map(({ type }) => type.name);

/** The kind of news, by the headline alone. */
export const eventOf = (title: string): EventType => eventsOf(title)[0].type;
