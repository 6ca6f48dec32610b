/**
 * The index of lists without documents: the segments of a million generated items as they are stored, repeated further back
 * for more items. Its bodies are in memory, or rows of a PostgreSQL database of its own.
 */

import type { FeedItem } from "@tapewire/contract/feeds.ts";
import pg from "pg";
import { isCopy, type Term, termsOf } from "../server/src/feed/filter.ts";
import { compareListKeys, listKey } from "../server/src/feed/list-key.ts";
import { Draft } from "../server/src/feed/segments/draft.ts";
import { wordNumber } from "../server/src/feed/segments/numbers.ts";
import { Segment } from "../server/src/feed/segments/segment.ts";
import type { SegmentEntry } from "../server/src/feed/segments/types.ts";
import { titleNumbers } from "../server/src/feed/title-words.ts";
import { WindowIndex } from "../server/src/feed/window/window-index.ts";
import { judgementNumbers, WindowTerms } from "../server/src/feed/window/window-terms.ts";
import type { countItems } from "../server/src/itemlog/segments/counting.ts";
import type { findItems } from "../server/src/itemlog/segments/finding.ts";
import { RememberedMatches } from "../server/src/itemlog/segments/remembered.ts";
import { itemAt } from "./rest-items.ts";

export const dayMs = 86_400_000;
const spanMs = 366 * dayMs;
const mostMade = 1_000_000;
const segmentItems = 65_536;

const turn = async () => {};

function nameOf({ kind, value }: Term): string {
  return `${kind}:${value}`;
}

function entryOf(item: FeedItem, terms: Map<string, NumberedTerm>): SegmentEntry {
  const { actionability, sentiment_score, sentiment_conviction, actionability_score } = item.scoring;
  const judged = judgementNumbers({
    actionability,
    sentiment: sentiment_score,
    conviction: sentiment_conviction,
    score: actionability_score,
    copy: isCopy(item),
  });
  const words = termsOf(item).map((term) => {
    const { id } = terms.get(nameOf(term)) ?? { id: terms.size + 1 };
    terms.set(nameOf(term), { ...term, id });
    return wordNumber(term.kind, id);
  });
  return {
    seq: item.seq,
    key: listKey(Date.parse(item.published_at), item.id),
    terms: [...judged, ...words],
    title: titleNumbers(item.title),
  };
}

/** The head of a segment whose items are older by so many years. */
function moved(head: Uint8Array, years: number): Uint8Array {
  const bytes = Uint8Array.from(head);
  const [baseMs = 0] = new Float64Array(bytes.buffer, 0, 1);
  new Float64Array(bytes.buffer, 0, 1)[0] = baseMs - years * spanMs;
  return bytes;
}

interface NumberedTerm extends Term {
  readonly id: number;
}

export interface SegmentIndex {
  /** Oldest first. */
  readonly segments: readonly Segment[];
  /** Of the segments whose ids follow each other from 1 on; those of further years have the same. */
  readonly bodies: readonly Uint8Array[];
  /** By kind and value. */
  readonly terms: ReadonlyMap<string, NumberedTerm>;
  readonly texts: ReadonlyMap<number, NumberedTerm>;
  /** Processor time to make a segment. */
  readonly makeMs: number;
}

/** The segments of so many items. */
export async function segmentIndex(total: number): Promise<SegmentIndex> {
  const made = Math.min(total, mostMade);
  const heads: Uint8Array[] = [];
  const bodies: Uint8Array[] = [];
  const terms = new Map<string, NumberedTerm>();
  let makeMs = 0;
  for (let from = 0; from < made; from += segmentItems) {
    const entries: SegmentEntry[] = [];
    for (let i = from; i < Math.min(made, from + segmentItems); i++)
      entries.push(entryOf(itemAt(i, made), terms));
    entries.sort((x, y) => compareListKeys(x.key, y.key));
    makeMs += await processorMs(async () => {
      const one = await (await new Draft(0, new Map()).merged(entries, turn)).encode(0, entries.length, turn);
      heads.push(one.head);
      bodies.push(one.body);
    });
  }
  const texts = new Map([...terms.values()].map((term) => [term.id, term]));
  return { segments: repeated(heads, total, made), bodies, terms, texts, makeMs: makeMs / heads.length };
}

function repeated(heads: readonly Uint8Array[], total: number, made: number): Segment[] {
  const segments: Segment[] = [];
  for (let years = 0; years * made < total; years++)
    for (const [at, head] of heads.entries())
      segments.push(new Segment({ id: years * heads.length + at + 1, month: "", head: moved(head, years) }));
  return segments.sort((x, y) => compareListKeys(x.oldest, y.oldest));
}

type Deps = Parameters<typeof findItems>[0] & Parameters<typeof countItems>[0];

/** What searches and counts need, with nothing remembered of a filter, so that each one shows the search itself. */
export function depsOf({ segments, terms: named, texts }: SegmentIndex, blocks: Deps["blocks"]): Deps {
  const terms = new WindowTerms();
  const view = {
    state: { epoch: "e", generation: 0, foldedSeq: 0, asOf: 0, builtTo: "all" },
    segments,
    unfolded: new WindowIndex(terms),
    terms,
  } as const;
  return {
    db: null,
    blocks,
    ids: {
      idOf: (term) => named.get(nameOf(term))?.id ?? null,
      read: async () => {},
      forgetAbsent: () => {},
    },
    texts: { get: (id) => texts.get(id), of: async () => texts },
    remembered: new RememberedMatches(),
    view: () => view,
    renew: async () => {},
  };
}

const databaseName = "tapewire_bench_segments";

/** Puts the bodies into a database that is made for it. @returns its URL; disposing drops it */
export async function storedSegments(
  adminUrl: string,
  { segments, bodies }: SegmentIndex,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const url = new URL(adminUrl);
  url.pathname = `/${databaseName}`;
  await execute(adminUrl, async (admin) => {
    await admin.query(`drop database if exists ${databaseName} with (force)`);
    await admin.query(`create database ${databaseName}`);
  });
  await execute(url.href, async (client) => {
    // As migrations make it (server/migrations/0021_segments.sql), as far as a search reads it.
    await client.query("create table segments (id bigint primary key, body bytea not null)");
    await client.query("alter table segments alter column body set storage external");
    for (const [at, body] of bodies.entries())
      await client.query("insert into segments values ($1, $2)", [at + 1, Buffer.from(body)]);
    await client.query(
      `insert into segments select s.id + years * $1::int, s.body || ''::bytea
       from segments s, generate_series(1, $2::int) as years`,
      [bodies.length, segments.length / bodies.length - 1],
    );
    await client.query("vacuum (analyze)");
  });
  return {
    url: url.href,
    [Symbol.asyncDispose]: () =>
      execute(adminUrl, async (admin) => {
        await admin.query(`drop database if exists ${databaseName} with (force)`);
      }),
  };
}

async function execute(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const begun = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
