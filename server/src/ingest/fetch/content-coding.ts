import { pipeline, type Readable, type Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  constants as zlib,
} from "node:zlib";
import type { Gate } from "../../runtime/gate.ts";
import { FetchError } from "./types.ts";

type Chunks = AsyncIterable<Buffer>;

/** Servers behind a compressing proxy compress twice; nobody means more. */
const mostCodings = 2;
/** As RFC 8878 has it for HTTP: a frame may not ask for a larger window than 8 MB. */
const zstdWindowLog = 23;

/** What may be held of bodies while they are read. */
export interface BodyLimits {
  /** Counted before, between and after the codings: what unpacks to nothing costs time as well. */
  readonly maxBytes: number;
  /** A body larger than this waits for a slot with what is behind. */
  readonly smallBytes: number;
  readonly large: Gate;
  /** Whose share of those slots counts. */
  readonly of: string;
}

/**
 * The body, decompressed.
 * @param encoding value of Content-Encoding
 * @param signal ends the wait among large bodies; the body itself has to end with it
 * @throws {FetchError} beyond the cap, or of an unknown coding; zlib's own errors of a broken body
 */
export async function readBody(
  body: Readable,
  encoding: string,
  { maxBytes, smallBytes, large, of }: BodyLimits,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  let release: (() => void) | null = null;
  try {
    for await (const chunk of decoded(body, encoding, maxBytes)) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > smallBytes) release ??= await large.enter({ owner: of, signal });
    }
    return Buffer.concat(chunks);
  } finally {
    release?.();
  }
}

/** The first bytes of an error page, decompressed; fewer when it breaks off. */
export async function readHead(body: Readable, encoding: string, wantedBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded(body, encoding, 1024 * wantedBytes)) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= wantedBytes) break;
    }
  } catch {
    // An error page that breaks off says as much as it says.
  }
  return Buffer.concat(chunks).subarray(0, wantedBytes);
}

/** Closing the iteration early destroys the connection too. */
async function* decoded(body: Readable, encoding: string, maxBytes: number): AsyncGenerator<Buffer> {
  // Destroying it before it is read is an error of its own, which nobody waits for.
  body.on("error", () => {});
  try {
    let stage: Chunks = counted(body, maxBytes);
    for (const coding of codings(encoding).toReversed()) stage = counted(unpacked(coding, stage), maxBytes);
    yield* stage;
  } finally {
    body.destroy();
  }
}

/** In the order they were applied. */
function codings(encoding: string): string[] {
  const named = encoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (named.length > mostCodings) throw new FetchError(`more than ${mostCodings} content-encodings`);
  return named;
}

async function* counted(source: Chunks, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

export function tooLarge(maxBytes: number): FetchError {
  return new FetchError(`the answer is larger than ${maxBytes} bytes`);
}

function unpacked(coding: string, source: Chunks): Chunks {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return through(createGunzip(), source);
    case "deflate":
      return inflated(source);
    case "br":
      return through(createBrotliDecompress(), source);
    case "zstd":
      return through(createZstdDecompress({ params: { [zlib.ZSTD_d_windowLogMax]: zstdWindowLog } }), source);
    default:
      throw new FetchError(`unknown content-encoding '${coding.slice(0, 40)}'`);
  }
}

/** "deflate" is with zlib's header by the standard (RFC 9110 8.4.1.2), and without it from many a server. */
async function* inflated(source: Chunks): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const isWrapped = ((first.value[0] ?? 0) & 0x0f) === 8;
  const rest = { [Symbol.asyncIterator]: () => chunks };
  async function* all() {
    yield first.value;
    yield* rest;
  }
  yield* through(isWrapped ? createInflate() : createInflateRaw(), all());
}

/** A failure of the source or of the decoder ends the iteration with it. */
function through(decoder: Transform, source: Chunks): Chunks {
  pipeline(source, decoder, () => {});
  return decoder;
}
