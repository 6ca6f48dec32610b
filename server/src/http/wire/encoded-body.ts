import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** A body that is encoded once and sent many times. Its ETag and compressed forms are made on first use and kept. */
export class EncodedBody {
  readonly bytes: Buffer;
  #etag: string | null;
  #gzip: Promise<Buffer> | null = null;
  #brotli: Promise<Buffer> | null = null;

  /** Called when the bytes were sent and may be overwritten; null: the body owns them. */
  readonly onSent: (() => void) | null;

  /**
   * @param options.etag a known name of the bytes: hashing a large body takes longer than sending it
   * @param options.gzip, options.brotli compressed forms that exist already
   */
  constructor(
    body: Buffer | string,
    options: {
      etag?: string;
      onSent?: () => void;
      gzip?: Buffer | undefined;
      brotli?: Buffer | undefined;
    } = {},
  ) {
    this.bytes = typeof body === "string" ? Buffer.from(body) : body;
    if (options.gzip !== undefined) this.#gzip = Promise.resolve(options.gzip);
    if (options.brotli !== undefined) this.#brotli = Promise.resolve(options.brotli);
    this.#etag = options.etag ?? null;
    this.onSent = options.onSent ?? null;
  }

  /** Most memory that it may use: each compressed form of JSON is well below half of the body. */
  get mostBytes(): number {
    return 2 * this.bytes.length;
  }

  /** Weak, because it is the same for every encoding of the body. */
  get etag(): string {
    this.#etag ??= weakTag(this.bytes);
    return this.#etag;
  }

  gzip(): Promise<Buffer> {
    this.#gzip ??= gzipped(this.bytes, { level: 5 });
    return this.#gzip;
  }

  /** Quality 4 takes about as long as gzip and is some percent smaller. Higher qualities take several times as long. */
  brotli(): Promise<Buffer> {
    this.#brotli ??= brotlied(this.bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: this.bytes.length },
    });
    return this.#brotli;
  }
}

/** The ETag of a body that these bytes identify. */
export function weakTag(bytes: Buffer | string): string {
  return `W/"${hash("sha256", bytes, "base64url").slice(0, 22)}"`;
}
