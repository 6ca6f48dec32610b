import { pipeline, type Readable, type Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  constants as zlib,
} from "node:zlib";
import type { BodyRoom } from "./body-room.ts";
import { FetchError } from "./types.ts";

type Chunks = AsyncIterable<Buffer>;

/** Servers behind a compressing proxy compress twice; more is never meant. */
const mostCodings = 2;
/** The limit of RFC 8878 for HTTP: windows of at most 8 MB. */
const zstdWindowLog = 23;

/** Limits on the memory for bodies while they are read. */
export interface BodyLimits {
  /** Counted before, between and after the codings, since data that unpacks to nothing costs time too. */
  readonly maxBytes: number;
  readonly room: BodyRoom;
}

/**
 * Reads and decompresses the body.
 * @param encoding value of Content-Encoding
 * @throws {FetchError} beyond the cap, without room, or for an unknown coding; zlib's own errors for a broken body
 */
export async function readBody(
  body: Readable,
  encoding: string,
  { maxBytes, room }: BodyLimits,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  using share = room.enter(() => body.destroy(new FetchError("too large and too slow beside other answers")));
  for await (const chunk of decoded(body, encoding, maxBytes)) {
    chunks.push(chunk);
    share.grow(chunk.byteLength);
  }
  return Buffer.concat(chunks);
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
    // The part of an error page that arrived is good enough.
  }
  return Buffer.concat(chunks).subarray(0, wantedBytes);
}

/** Ending the iteration early destroys the connection too. */
async function* decoded(body: Readable, encoding: string, maxBytes: number): AsyncGenerator<Buffer> {
  // Destroying an unread body emits an error, which must have a listener.
  body.on("error", () => {});
  try {
    let stage: Chunks = counted(body, maxBytes);
    for (const coding of codings(encoding).toReversed()) stage = counted(unpacked(coding, stage), maxBytes);
    yield* stage;
  } finally {
    body.destroy();
  }
}

/** In the order in which they were applied. */
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
  return new FetchError(`the answer is larger than ${maxBytes} bytes`, { isTooLarge: true });
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

/** "deflate" has zlib's header by the standard (RFC 9110 8.4.1.2), but many servers leave it out. */
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

/** A failure of the source or of the decoder fails the iteration. */
function through(decoder: Transform, source: Chunks): Chunks {
  pipeline(source, decoder, () => {});
  return decoder;
}

/** Abandons a body without reading it, since it may be endless. */
export function hangUp(body: Readable): void {
  body.on("error", () => {}).destroy();
}
