import assert from "node:assert/strict";
import { itemIdOf } from "../../src/feed/item.ts";
import { storyFacts } from "../../src/feed/story/story.ts";
import type { IdentityRules } from "../../src/store/append/append-request.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { itemsAfter } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { type Facts, newItem } from "./items.ts";

export const approves = "Halvorn Biotech says regulators approve HB-104 for 2 uses";
export const rejects = "Halvorn Biotech says regulators reject HB-104 for 2 uses";
export const at = "2026-03-02T15:00:00.000Z";
const alone = { actionable: true, score: 80, comment: "approves", novelty: 98 };
const takenOver: IdentityRules = {
  takesOver: (sourceId) => sourceId === "wire",
  isReissue: () => false,
  reissueOf: () => null,
};
export const id = (name: string) => itemIdOf(`guid:${name}:1`);

/** @param repeats it was judged when the story was known */
export function told(
  name: string,
  title = approves,
  { repeats = false, minute = 0, ...facts }: Partial<Facts> & { repeats?: boolean; minute?: number } = {},
) {
  const publishedAt = new Date(Date.parse("2026-03-02T14:00:00Z") + minute * 60_000);
  const { symbols = ["NYSE:HLV"] } = facts;
  const about = { title, body: "", symbols, about: symbols, source: name, publishedAt };
  return newItem({
    uniqueId: `guid:${name}:1`,
    source: name,
    title,
    symbols,
    contentKey: title,
    publishedAt: publishedAt.toISOString(),
    story: storyFacts(about, { events: [], direction: 0 }),
    ...(repeats ? { recalled: { repeatsMs: 60_000, onSymbols: 1 }, alone } : {}),
    ...facts,
  });
}

export function feed(db: Db) {
  const writer = new ItemWriter(db, new Partitions(), takenOver);
  const say = (...items: ReturnType<typeof told>[]) =>
    writer.append(items.map((item) => ({ items: [item], sourceId: item.item.source })));
  const withdrawal = (...names: string[]) => ({
    items: [],
    sourceId: null,
    retracted: { identities: names.map((name) => `guid:${name}:1`), at },
  });
  return {
    writer,
    say,
    withdrawal,
    withdraw: (...names: string[]) => writer.append([withdrawal(...names)]),
    recalled: (name: string, title = approves) => {
      const { story } = told(name, title, { minute: 90 });
      return story === null ? assert.fail() : writer.recall(story, id(name)).repeatsMs;
    },
  };
}

/** Items as they stand: source, first of the story, score, revision. */
export async function standing(db: Db) {
  const log = await itemsAfter(db.main, 0, 1_000);
  const newest = [...new Map(log.map(({ item }) => [item.id, item])).values()];
  return newest.map(({ source, copy_of, scoring, revision, status }) => ({
    source,
    copyOf: newest.find((one) => one.id === copy_of)?.source ?? copy_of ?? null,
    score: scoring.actionability_score,
    revision,
    status,
  }));
}
export const storiesOf = async (db: Db) =>
  (await standing(db)).map(({ source, copyOf }) => [source, copyOf] as const);
