import { isCopy, type Term, termsOf } from "../../src/feed/filter.ts";
import type { FeedItem, Filter } from "../../src/feed/item.ts";
import { compareListKeys, listKey } from "../../src/feed/list-key.ts";
import { Draft } from "../../src/feed/segments/draft.ts";
import { wordNumber } from "../../src/feed/segments/numbers.ts";
import { Segment } from "../../src/feed/segments/segment.ts";
import type { BlockKind, WantedBlock } from "../../src/feed/segments/sight.ts";
import type { SegmentEntry } from "../../src/feed/segments/types.ts";
import { placeOf, rankOf } from "../../src/feed/segments/words.ts";
import { titleNumbers } from "../../src/feed/title-words.ts";
import { WindowIndex } from "../../src/feed/window/window-index.ts";
import { judgementNumbers, WindowTerms } from "../../src/feed/window/window-terms.ts";
import { type Block, decoded } from "../../src/itemlog/segments/blocks.ts";
import { countItems } from "../../src/itemlog/segments/counting.ts";
import { draftOf, encoded } from "../../src/itemlog/segments/drafts.ts";
import { findItems, type ItemsWanted } from "../../src/itemlog/segments/finding.ts";
import { RememberedMatches } from "../../src/itemlog/segments/remembered.ts";
import type { View } from "../../src/itemlog/segments/views.ts";
import { sliceOf } from "../../src/store/segments/block-runs.ts";

const turn = async () => {};

export interface HeldOptions {
  readonly segmentItems: number;
  readonly keepsBlocks: boolean;
  /** How long an attempt to count may take. */
  readonly turnMs?: number;
}

/** Segments and what has come since, as a process has them, without a database: all of it is here. */
export class Held {
  readonly #segmentItems: number;
  readonly #keepsBlocks: boolean;
  readonly #terms = new WindowTerms();
  readonly #ids = new Map<string, number>();
  readonly #texts = new Map<number, Term>();
  readonly #bodies = new Map<number, Uint8Array>();
  readonly #blocks = new Map<number, Block>();
  #unfolded = new WindowIndex(this.#terms);
  #entries: SegmentEntry[] = [];
  #segments: readonly Segment[] = [];
  /** Blocks that were read, by kind. */
  readonly #reads = new Map<BlockKind, number>();
  readonly #deps: Parameters<typeof countItems>[0] & Parameters<typeof findItems>[0];

  constructor({ segmentItems, keepsBlocks, turnMs }: HeldOptions) {
    this.#segmentItems = segmentItems;
    this.#keepsBlocks = keepsBlocks;
    // What is asked for is known after it was read, as from a database.
    const known = new Set<string>();
    const keyOf = ({ kind, value }: Term) => `${kind}:${value}`;
    this.#deps = {
      db: null,
      blocks: {
        get: (key) => this.#blocks.get(key),
        read: async (wanted) => this.#read(wanted),
        makeWords: async () => {
          throw new Error("all segments have words");
        },
      },
      ids: {
        idOf: (term) => (known.has(keyOf(term)) ? (this.#ids.get(keyOf(term)) ?? null) : undefined),
        read: async (terms) => {
          for (const term of terms) known.add(keyOf(term));
        },
        forgetAbsent: () => {},
      },
      texts: { get: (id) => this.#texts.get(id), of: async () => this.#texts },
      remembered: new RememberedMatches(),
      view: () => this.#view,
      renew: async () => {},
      ...(turnMs !== undefined && { turnMs }),
    };
  }

  get segments(): number {
    return this.#segments.length;
  }

  /** How many blocks were read. */
  get reads(): number {
    return [...this.#reads.values()].reduce((sum, count) => sum + count, 0);
  }

  readsOf(kind: BlockKind): number {
    return this.#reads.get(kind) ?? 0;
  }

  find(wanted: ItemsWanted) {
    return findItems(this.#deps, wanted);
  }

  count(filter: Filter, request: Parameters<typeof countItems>[2]) {
    return countItems(this.#deps, filter, request);
  }

  put(item: FeedItem): void {
    const { scoring } = item;
    this.#unfolded.put(this.#terms.entryOf(item));
    this.#entries.push({
      seq: item.seq,
      key: listKey(Date.parse(item.published_at), item.id),
      terms: [
        ...judgementNumbers({
          actionability: scoring.actionability,
          sentiment: scoring.sentiment_score,
          conviction: scoring.sentiment_conviction,
          score: scoring.actionability_score,
          copy: isCopy(item),
        }),
        ...termsOf(item).map((term) => wordNumber(term.kind, this.#idOf(term))),
      ],
      title: titleNumbers(item.title),
    });
  }

  /** Puts what has come into one list of segments, whatever their months. */
  async fold(): Promise<void> {
    const newest = new Map(this.#entries.map((entry) => [JSON.stringify(entry.key), entry]));
    let draft = new Draft(0, new Map());
    for (const segment of this.#segments) {
      const part = draftOf(segment, this.#bodies.get(segment.id) ?? new Uint8Array());
      draft = await draft.merged(entriesIn(part), turn);
    }
    draft = await draft.merged(
      [...newest.values()].sort((x, y) => compareListKeys(x.key, y.key)),
      turn,
    );
    const made = await encoded(draft, { most: this.#segmentItems, isNewest: true, turn });
    this.#segments = made.map(({ head, body }) => {
      const id = this.#bodies.size + 1;
      this.#bodies.set(id, body);
      return new Segment({ id, month: "202603", head });
    });
    this.#entries = [];
    this.#unfolded = new WindowIndex(this.#terms);
  }

  get #view(): View {
    const state = { epoch: "e", generation: 0, foldedSeq: 0, asOf: 0, builtTo: "all" } as const;
    return { state, segments: this.#segments, unfolded: this.#unfolded, terms: this.#terms };
  }

  #read(wanted: ReadonlyMap<number, WantedBlock>): Map<number, Block> {
    const read = new Map<number, Block>();
    for (const [key, one] of wanted) {
      const { at, bytes } = sliceOf(one);
      const body = this.#bodies.get(one.segment.id) ?? new Uint8Array();
      read.set(key, decoded(one, body.subarray(at, at + bytes)));
      this.#reads.set(one.kind, this.readsOf(one.kind) + 1);
    }
    if (this.#keepsBlocks) for (const [key, block] of read) this.#blocks.set(key, block);
    return read;
  }

  #idOf(term: Term): number {
    const name = `${term.kind}:${term.value}`;
    const id = this.#ids.get(name) ?? this.#ids.size + 1;
    this.#ids.set(name, id);
    this.#texts.set(id, term);
    return id;
  }
}

function entriesIn(draft: Draft): SegmentEntry[] {
  const terms: number[][] = Array.from({ length: draft.items }, () => []);
  for (const [term, ranks] of draft.postings) for (const rank of ranks) terms[rank]?.push(term);
  const titles: number[][] = Array.from({ length: draft.items }, () => []);
  for (const [word, places] of draft.words ?? [])
    for (const place of places) {
      const title = titles[rankOf(place)];
      if (title !== undefined) title[place - placeOf(rankOf(place), 0)] = word;
    }
  return terms.map((own, rank) => {
    const [a = 0, b = 0, c = 0, d = 0] = draft.ids.subarray(4 * rank, 4 * rank + 4);
    return {
      seq: draft.seqs[rank] ?? 0,
      key: { ms: draft.ms[rank] ?? 0, a, b, c, d },
      terms: own,
      title: Float64Array.from(titles[rank] ?? []),
    };
  });
}
