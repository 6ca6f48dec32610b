import { idOf } from "../feed/list-key.ts";
import type { Hit } from "../feed/window/types.ts";
import { WindowBodies } from "../feed/window/window-bodies.ts";
import { WindowIndex } from "../feed/window/window-index.ts";
import type { WindowTerms } from "../feed/window/window-terms.ts";
import type { Db } from "../store/engine/db.ts";
import { searchError } from "../store/engine/errors.ts";
import { docsOf } from "../store/log/item-reads.ts";

/** What the recent window holds of one log. */
export class WindowContents {
  readonly terms: WindowTerms;
  readonly index: WindowIndex;
  readonly bodies: WindowBodies;
  /** The index has every item down to its floor that the tail has read. */
  isWhole = false;
  readonly #db: Db;

  constructor(db: Db, terms: WindowTerms, { items, bodyBytes }: { items: number; bodyBytes: number }) {
    this.#db = db;
    this.terms = terms;
    this.index = new WindowIndex(items, terms);
    this.bodies = new WindowBodies(bodyBytes);
  }

  /** Documents of the hits, from memory where they are, else from the table. */
  async docs(hits: readonly Hit[]): Promise<Buffer[]> {
    const found = hits.map(({ seq }) => this.bodies.get(seq));
    const missing = hits.filter((_, at) => found[at] === undefined);
    if (missing.length === 0) return found.filter((doc) => doc !== undefined);
    const read = await this.#read(missing);
    return hits.flatMap(({ seq }, at) => found[at] ?? read.get(seq) ?? []);
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
        if (doc.startsWith(`{"seq":${seq},`) && this.index.seqAt(key) === seq) this.bodies.putRead(seq, body);
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
