import type { RawItem } from "../raw-item.ts";
import { type Issuer, issuers, type Scene, type Story } from "./scene.ts";
import { stories } from "./stories.ts";

/** Time between two items of the demo wire. */
export const demoIntervalMs = 2_000;
/** FeedItem.source of its items. */
export const demoSource = "demo";

/** Coprime to the number of stories, so that every story comes once before any repeats. */
const stride = 25;

/**
 * The n-th item of the demo wire: endless invented news, the same for the same arguments.
 * @param n integer from 0
 * @param at when it is published; part of the identity, so a service that starts again at 0 repeats no item
 */
export function demoItem(n: number, at: Date): RawItem {
  const story = storyOf(n);
  const scene = sceneOf(n, story);
  const { title, body } = story.tell(scene);
  const subjects = { one: [scene.it], both: [scene.it, scene.other], economy: [] }[story.about];
  const subject = story.about === "economy" ? "economy" : "company";
  return {
    source: demoSource,
    providerId: "demo-wire",
    type: story.type,
    seenAt: at,
    identity: [`wire:demo:${at.toISOString().replaceAll(/[-:.Z]/g, "")}-${n}`],
    claims: [],
    title,
    link: null,
    body: `${body} (Demo item about an invented ${subject}.)`,
    publishedAt: at,
    precision: "second",
    language: "en",
    symbols: subjects.map(({ ticker }) => `DEMO:${ticker}`),
    isins: [],
    ciks: [],
    categories: [],
    filing: null,
    retracted: false,
  };
}

function storyOf(n: number): Story {
  const story = stories[(n * stride) % stories.length];
  if (story === undefined) throw new RangeError(`demo item ${n}: want an integer from 0`);
  return story;
}

function sceneOf(n: number, { only }: Story): Scene {
  const next = randomFrom(n);
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const one = (values: readonly Issuer[]): Issuer => values[int(0, values.length - 1)] ?? issuers[0];
  // In turn, so that no company has the same headline within minutes.
  const fitting = issuers.filter(({ ticker }) => only?.includes(ticker) ?? true);
  const it = fitting[((n % stories.length) + Math.floor(n / stories.length)) % fitting.length] ?? issuers[0];
  const other = one(issuers.filter((candidate) => candidate !== it));
  return {
    it,
    other,
    listed: `${it.name} (DEMO: ${it.ticker})`,
    int,
    pick: (...values) => values[int(0, values.length - 1)] ?? values[0],
  };
}

/**
 * Numbers in [0, 1) that follow from the seed alone.
 * Source: the mulberry32 generator (public domain); quality enough for prose, nothing secret depends on it.
 */
function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
