import { idOf, type ListKey, type ListPosition } from "../feed/list-key.ts";
import type { Hit } from "../feed/window/types.ts";
import { WindowBodies } from "../feed/window/window-bodies.ts";
import type { Db } from "../store/engine/db.ts";
import { searchError } from "../store/engine/errors.ts";
import { windowBodies } from "../store/list/window-rows.ts";
import { docsOf } from "../store/log/item-reads.ts";

/** Documents of one statement: they occupy the embedded database for milliseconds. */
const pageBodies = 250;

/** The stored JSON of items: from memory where it is, else from the table. */
export class FeedDocs {
  readonly #db: Db;
  readonly bodies: WindowBodies;
  /** The seq of the newest version that is known of an item; null: the item has not changed lately. */
  readonly #newestSeq: (key: ListKey) => number | null;

  constructor(db: Db, maxBytes: number, newestSeq: (key: ListKey) => number | null) {
    this.#db = db;
    this.bodies = new WindowBodies(maxBytes);
    this.#newestSeq = newestSeq;
  }

  /** Documents of the hits; null: the item is gone. */
  async of(hits: readonly Hit[]): Promise<(Buffer | null)[]> {
    const found = hits.map(({ seq }) => this.bodies.get(seq) ?? null);
    const missing = hits.filter((_, at) => found[at] === null);
    if (missing.length === 0) return found;
    const read = await this.#read(missing);
    return hits.map(({ seq }, at) => found[at] ?? read.get(seq) ?? null);
  }

  /** Brings the newest documents into memory until there is no room. */
  async fill(signal: AbortSignal): Promise<void> {
    let reached: ListPosition | null = null;
    while (!signal.aborted) {
      const rows: Awaited<ReturnType<typeof windowBodies>> = await windowBodies(
        this.#db.main,
        reached,
        pageBodies,
      );
      for (const { seq, doc } of rows) {
        if (this.bodies.isFull) return;
        this.bodies.put(seq, doc);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageBodies) return;
      reached = { publishedAt: new Date(last.published_ms), id: last.id };
    }
  }

  /** Keyed by the seq that was asked for; the table may hold a newer version of the item. */
  async #read(hits: readonly Hit[]): Promise<Map<number, Buffer>> {
    const keys = hits.map(({ key }) => ({ id: idOf(key), published_at: new Date(key.ms) }));
    try {
      const docs = await docsOf(this.#db.list, keys);
      const read = new Map<number, Buffer>();
      for (const [at, { seq, key }] of hits.entries()) {
        const doc = docs[at];
        if (doc === null || doc === undefined) continue;
        const body = unpooled(doc);
        read.set(seq, body);
        // The table, or the index, may have got another version meanwhile.
        if (doc.startsWith(`{"seq":${seq},`) && (this.#newestSeq(key) ?? seq) === seq)
          this.bodies.putRead(seq, body);
      }
      return read;
    } catch (error) {
      throw searchError(error);
    }
  }
}

/** With memory of its own: a slice of Node's pool would keep the whole pool buffer alive as long as the document. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
