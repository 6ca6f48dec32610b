import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** An answer encoded once and sent many times; its ETag and compressed forms are made on first demand and kept. */
export class EncodedBody {
  readonly bytes: Buffer;
  #etag: string | null = null;
  #gzip: Promise<Buffer> | null = null;
  #brotli: Promise<Buffer> | null = null;

  constructor(body: Buffer | string) {
    this.bytes = typeof body === "string" ? Buffer.from(body) : body;
  }

  /** Memory it may come to hold: each compressed form of JSON is well below half of it. */
  get mostBytes(): number {
    return 2 * this.bytes.length;
  }

  /** Weak, as it stands for every encoding of the body. */
  get etag(): string {
    this.#etag ??= `W/"${hash("sha256", this.bytes, "base64url").slice(0, 22)}"`;
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
