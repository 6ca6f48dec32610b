import type { Filter } from "@tapewire/contract/filter.ts";
import type { ListCursors } from "../feed/cursor.ts";
import type { Shown } from "../feed/window-changes.ts";
import type { RecentWindow } from "../itemlog/window.ts";
import { EncodedBody } from "../runtime/encoded-body.ts";

const keptBytes = 32 * 2 ** 20;
/** The objects round a page, about. */
const overheadBytes = 1_000;
/** A filter is held twice, in the key and as its values: about so many bytes for each character of the key. */
const bytesPerCharacter = 3;

const head = Buffer.from(`{"data":[`);
const comma = Buffer.from(",");

export interface ListRequest {
  readonly filter: Filter;
  /** As the client gave it. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

interface Kept {
  readonly shown: Shown;
  readonly body: EncodedBody;
}

/**
 * Pages of the list as they are sent. The last ones asked for are kept, with their ETag and compressed forms, for as
 * long as nothing that came in since changes them: most clients ask for the same few pages over and over.
 */
export class ListPages {
  readonly #window: RecentWindow;
  readonly #cursors: ListCursors;
  /** The one longest not asked for comes first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(window: RecentWindow, cursors: ListCursors) {
    this.#window = window;
    this.#cursors = cursors;
  }

  /**
   * @param owner the account that asks; the page is the same for all
   * @throws {ApiError} invalid_cursor, or what RecentWindow.page throws
   */
  async page(request: ListRequest, owner: string): Promise<EncodedBody> {
    if (request.cursor !== undefined) await this.#window.joinWalk();
    // Only a good cursor comes to have a page under it.
    const key = JSON.stringify(request);
    const known = this.#take(key);
    if (known !== null) return known;
    const { filter, cursor, limit } = request;
    const after = cursor === undefined ? null : this.#cursors.decode(cursor, filter);
    const { docs, ...shown } = await this.#window.page({ filter, after, limit, owner });
    const body = encode(docs, shown.last === null ? null : this.#cursors.encode(shown.last, filter));
    if (shown.state !== null) this.#keep(key, { shown, body });
    return body;
  }

  #take(key: string): EncodedBody | null {
    const known = this.#kept.get(key);
    if (known === undefined) return null;
    this.#drop(key, known);
    const shown = this.#window.refreshed(known.shown);
    if (shown === null) return null;
    this.#keep(key, { ...known, shown });
    return known.body;
  }

  #keep(key: string, kept: Kept): void {
    const before = this.#kept.get(key);
    if (before !== undefined) this.#drop(key, before);
    this.#kept.set(key, kept);
    this.#bytes += bytesOf(key, kept);
    for (const [oldest, dropped] of this.#kept) {
      if (this.#bytes <= keptBytes) break;
      this.#drop(oldest, dropped);
    }
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#bytes -= bytesOf(key, kept);
  }
}

function bytesOf(key: string, { body }: Kept): number {
  return body.mostBytes + bytesPerCharacter * key.length + overheadBytes;
}

/** Documents were encoded when they were stored; a page is their concatenation. */
function encode(docs: readonly Buffer[], next: string | null): EncodedBody {
  const parts = docs.flatMap((doc, at) => (at === 0 ? [doc] : [comma, doc]));
  return new EncodedBody(
    Buffer.concat([head, ...parts, Buffer.from(`],"next_cursor":${JSON.stringify(next)}}`)]),
  );
}
