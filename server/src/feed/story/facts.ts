import { type Figures, figuresOf } from "./figures.ts";
import { base64Of, hashOf, minimaOf } from "./minima.ts";
import type { StoryNames } from "./names.ts";
import {
  headlineKey,
  isToldBy,
  leadOf,
  namesOf,
  plainHeadline,
  stancesOf,
  withoutDateline,
} from "./wording.ts";

/** What a model has found in an item. */
export interface Findings {
  /** Kinds of event in the headline; empty where none is known. */
  readonly events: readonly string[];
  /** Below 0: bad for the subject; above: good. */
  readonly direction: number;
}

/** What items are compared by; small enough to hold 48 hours of them. Stored as JSON. */
export interface StoryFacts extends Findings, Figures, StoryNames {
  /** Publication time of the item itself, ms. */
  readonly publishedMs: number;
  /**
   * Since when the feed has carried what the item says, ms: when the text was first seen, or its own time if that is later.
   * An earlier time that its source claims has no effect.
   */
  readonly knownMs: number;
  readonly source: string;
  /** All symbols linked to it. */
  readonly symbols: readonly string[];
  /** The symbols it is about; two items of one story must share at least one. */
  readonly about: readonly string[];
  /** Letters and figures of the headline. */
  readonly title: string;
  /** 64 minima of 16 bits each over the 3-word shingles of the text, base64; empty for one too short to compare. */
  readonly minima: string;
  readonly headline: StoryHeadline;
  readonly text: StoryText;
}

interface StoryHeadline {
  /** Amounts, days and codes. */
  readonly figures: readonly string[];
  readonly periods: readonly string[];
  readonly stances: readonly string[];
}

interface StoryText {
  /** Digest of a text that is long enough not to be a form and that covers its headline; else empty. */
  readonly key: string;
  readonly tellsHeadline: boolean;
  /** Sides that its first sentence takes. */
  readonly stances: readonly string[];
  /** Capitalised words of the first sentence, as numbers. */
  readonly leadNames: readonly number[];
  /** Capitalised words of headline and text: 16 bits each, base64. */
  readonly names: string;
}

const readChars = 2_000;
const fewestShingles = 6;
/** A shorter text may be a form used for many matters. */
const wordsOfKey = 30;

export interface StoryItem {
  readonly title: string;
  readonly body: string;
  /** As EXCHANGE:TICKER. */
  readonly symbols: readonly string[];
  readonly about: readonly string[];
  readonly source: string;
  readonly publishedAt: Date;
  /** When the text was first seen; absent: when it was published. */
  readonly seenAt?: Date;
}

/** The facts by which the item will be compared. */
export function storyFacts(item: StoryItem, { events, direction }: Findings): StoryFacts {
  const { symbols, about, source, publishedAt, seenAt = publishedAt } = item;
  const headline = plainHeadline(item.title);
  const body = withoutDateline(item.body.slice(0, readChars));
  const words = body.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const isShort = words.length - 2 < fewestShingles;
  return {
    ...figuresOf(`${headline}\n${body}`),
    publishedMs: publishedAt.getTime(),
    knownMs: Math.max(publishedAt.getTime(), seenAt.getTime()),
    source,
    symbols,
    about,
    events,
    direction: Math.sign(direction),
    title: headlineKey(headline),
    minima: isShort ? "" : base64Of(minimaOf(words)),
    headline: headlineOf(headline),
    text: textOf(headline, body, words),
  };
}

function headlineOf(headline: string): StoryHeadline {
  const { numbers, days, codes, periods } = figuresOf(headline);
  return {
    figures: [...numbers, ...days, ...codes],
    periods,
    stances: stancesOf(headline),
  };
}

function textOf(headline: string, body: string, words: readonly string[]): StoryText {
  const lead = leadOf(body);
  const tellsHeadline = isToldBy(headline, words);
  return {
    key: tellsHeadline && words.length >= wordsOfKey ? String(hashOf(words.join(" ")) >>> 0) : "",
    tellsHeadline,
    stances: stancesOf(lead),
    leadNames: namesOf(lead, hashOf),
    names: base64Of(Uint16Array.from(namesOf(`${headline}\n${body}`, hashOf))),
  };
}
