import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** An answer encoded once and sent many times; its ETag and compressed forms are made on first demand and kept. */
export class EncodedBody {
  readonly bytes: Buffer;
  #etag: string | null;
  #gzip: Promise<Buffer> | null = null;
  #brotli: Promise<Buffer> | null = null;

  /** Called once its bytes are sent and may be overwritten; null: they are its own. */
  readonly onSent: (() => void) | null;

  /** @param options.etag what names the bytes already: to hash a large body takes longer than to send it */
  constructor(body: Buffer | string, options: { etag?: string; onSent?: () => void } = {}) {
    this.bytes = typeof body === "string" ? Buffer.from(body) : body;
    this.#etag = options.etag ?? null;
    this.onSent = options.onSent ?? null;
  }

  /** Memory it may come to hold: each compressed form of JSON is well below half of it. */
  get mostBytes(): number {
    return 2 * this.bytes.length;
  }

  /** Weak, as it stands for every encoding of the body. */
  get etag(): string {
    this.#etag ??= weakTag(this.bytes);
    return this.#etag;
  }

  gzip(): Promise<Buffer> {
    this.#gzip ??= gzipped(this.bytes, { level: 5 });
    return this.#gzip;
  }

  /** Quality 4: about the time of gzip, some percent smaller; higher qualities cost a multiple. */
  brotli(): Promise<Buffer> {
    this.#brotli ??= brotlied(this.bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: this.bytes.length },
    });
    return this.#brotli;
  }
}

/** The ETag of what is told apart by these bytes. */
export function weakTag(bytes: Buffer | string): string {
  return `W/"${hash("sha256", bytes, "base64url").slice(0, 22)}"`;
}
