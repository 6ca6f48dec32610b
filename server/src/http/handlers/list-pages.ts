import type { Filter } from "@tapewire/contract/filter.ts";
import { LRUCache } from "lru-cache";
import { AskedBefore } from "../../feed/asked-before.ts";
import type { Shown } from "../../feed/window/window-changes.ts";
import type { FeedIndex } from "../../itemlog/feed-index.ts";
import { BufferPool } from "../../runtime/sharing/buffer-pool.ts";
import type { ListCursors } from "../list-cursors.ts";
import { EncodedBody, weakTag } from "../wire/wire.ts";

const keptBytes = 32 * 2 ** 20;
/** Approximate size of the objects around a page. */
const overheadBytes = 1_000;
/** Bytes per character of the key: a filter is stored twice, in the key and as values. */
const bytesPerCharacter = 3;

/** Number of recent requests to remember: a page is cached when it is requested a second time. */
const mostAsked = 8_192;
/** Buffers for pages of about 50 and about 500 items. A larger page gets its own buffer. */
const bufferSizes = [
  { bytes: 128 * 1024, most: 64 },
  { bytes: 1024 * 1024, most: 16 },
] as const;

const head = Buffer.from(`{"data":[`);
const comma = ",".charCodeAt(0);

export interface ListRequest {
  /** The whole request as one text, so that equal texts mean equal requests. */
  readonly text: string;
  readonly filter: Filter;
  /** As sent by the client. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** `{"seq":` and a number below 2^53. */
const seqBytes = 23;

interface Kept {
  shown: Shown;
  readonly body: EncodedBody;
}

/**
 * Encoded pages of the list. Recently requested pages are cached, with ETag and compressed forms, until a new item
 * changes them: most clients request the same few pages again and again.
 */
export class ListPages {
  readonly #index: FeedIndex;
  readonly #cursors: ListCursors;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: keptBytes,
    sizeCalculation: ({ body }, key) => body.mostBytes + bytesPerCharacter * key.length + overheadBytes,
  });
  readonly #asked = new AskedBefore(mostAsked);
  readonly #pools = bufferSizes.map((size) => new BufferPool(size));

  constructor(index: FeedIndex, cursors: ListCursors) {
    this.#index = index;
    this.#cursors = cursors;
  }

  /**
   * @param owner the account of the caller; the page is the same for all accounts
   * @throws {ApiError} invalid_cursor, or what FeedIndex.page throws
   */
  async page(request: ListRequest, owner: string): Promise<EncodedBody> {
    await this.#index.joinWalk();
    const { text, filter, cursor, limit } = request;
    // The limit is part of the key because it depends on the plan. Pages of invalid cursors are never cached.
    const key = `${limit} ${text}`;
    const known = this.#take(key);
    if (known !== null) return known;
    const after = cursor === undefined ? null : this.#cursors.decode(cursor, filter);
    const { epoch } = this.#index;
    const { docs, ...shown } = await this.#index.page({ filter, after, limit, owner });
    const next = shown.last === null ? null : this.#cursors.encode(shown.last, filter);
    if (shown.state === null || !this.#asked.ask(key)) return this.#passing(docs, next, epoch);
    const bytes = Buffer.allocUnsafe(pageLength(docs, next));
    const body = new EncodedBody(fill(bytes, docs, next), { etag: tagOf(docs, next, epoch) });
    this.#kept.set(key, { shown, body });
    return body;
  }

  /** A page that is not cached. Its buffer is reused after it was sent. */
  #passing(docs: readonly Buffer[], next: string | null, epoch: string): EncodedBody {
    const length = pageLength(docs, next);
    const pool = this.#pools.find(({ bytes }) => length <= bytes);
    const buffer = pool?.take() ?? Buffer.allocUnsafeSlow(length);
    const onSent = () => pool?.give(buffer);
    return new EncodedBody(fill(buffer, docs, next), { etag: tagOf(docs, next, epoch), onSent });
  }

  #take(key: string): EncodedBody | null {
    const known = this.#kept.get(key);
    if (known === undefined) return null;
    const shown = this.#index.refreshed(known.shown);
    if (shown === null) {
      this.#kept.delete(key);
      return null;
    }
    known.shown = shown;
    return known.body;
  }
}

const tail = (next: string | null) => `],"next_cursor":${JSON.stringify(next)}}`;

function pageLength(docs: readonly Buffer[], next: string | null): number {
  const commas = Math.max(0, docs.length - 1);
  return docs.reduce((sum, { length }) => sum + length, head.length + commas + tail(next).length);
}

/** Concatenates documents, which were encoded when they were stored. @returns the filled part of the buffer */
function fill(target: Buffer, docs: readonly Buffer[], next: string | null): Buffer {
  let at = head.copy(target);
  let separated = true;
  for (const doc of docs) {
    if (!separated) target[at++] = comma;
    separated = false;
    at += doc.copy(target, at);
  }
  at += target.write(tail(next), at, "latin1");
  return target.subarray(0, at);
}

/** Buffer for the identity of one page. */
let marks = Buffer.allocUnsafeSlow(16 * 1024);

/**
 * The identity of a page: the seqs that its documents begin with. A seq is one version of one item in a log.
 */
function tagOf(docs: readonly Buffer[], next: string | null, epoch: string): string {
  const end = `${next ?? ""} ${epoch}`;
  const most = docs.length * seqBytes + end.length;
  if (most > marks.length) marks = Buffer.allocUnsafeSlow(2 * most);
  let at = 0;
  for (const doc of docs) at += doc.copy(marks, at, 0, seqBytes);
  at += marks.write(end, at, "latin1");
  return weakTag(marks.subarray(0, at));
}
