import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { logItemOf } from "../store/log/item-reads.ts";
import { type BusMessage, type Change, type Committed, changes } from "./types.ts";

/** What a message says in its first line; entries follow, one a line, as they are stored. */
const head = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("entries"),
    epoch: z.string(),
    first: z.number().int(),
    count: z.number().int(),
  }),
  z.object({ kind: z.literal("position"), epoch: z.string(), seq: z.number().int() }),
  z.object({ kind: z.literal("changed"), change: z.enum(changes) }),
]);
type Head = z.infer<typeof head>;

/** A message without its seal. */
export interface Encoded {
  readonly kind: Head["kind"];
  readonly body: Buffer;
}

const sealBytes = 16;
/** Larger batches are split even where the server takes more, so that the first items need not wait for the last. */
const mostBytes = 256 * 1_024;

/**
 * A batch as messages of at most `maxPayload` bytes, seal included. From the first entry that is too large for one on, the
 * rest is a position, which readers find in the table.
 */
export function encodeEntries({ epoch, items }: Committed, maxPayload: number): Encoded[] {
  const room = Math.min(maxPayload, mostBytes) - sealBytes;
  const encoded: Encoded[] = [];
  let lines: Buffer[] = [];
  let first = 0;
  let bytes = 0;
  const flush = () => {
    if (lines.length === 0) return;
    const told = line({ kind: "entries", epoch, first, count: lines.length });
    encoded.push({ kind: "entries", body: Buffer.concat([told, ...lines]) });
    lines = [];
  };
  const longestHead = line({
    ...{ kind: "entries", epoch },
    ...{ first: Number.MAX_SAFE_INTEGER, count: Number.MAX_SAFE_INTEGER },
  }).length;
  for (const { seq, doc } of items) {
    const entry = Buffer.from(`${doc}\n`);
    if (longestHead + entry.length > room) {
      flush();
      return [...encoded, encodePosition(epoch, items.at(-1)?.seq ?? seq)];
    }
    if (lines.length > 0 && bytes + entry.length > room) flush();
    if (lines.length === 0) [first, bytes] = [seq, longestHead];
    lines.push(entry);
    bytes += entry.length;
  }
  flush();
  return encoded;
}

export function encodePosition(epoch: string, seq: number): Encoded {
  return { kind: "position", body: line({ kind: "position", epoch, seq }) };
}

export function encodeChange(change: Change): Encoded {
  return { kind: "changed", body: line({ kind: "changed", change }) };
}

function line(told: Head): Buffer {
  return Buffer.from(`${JSON.stringify(told)}\n`);
}

/** @throws when it is no message of ours, or its entries are not those that it names */
export function decode(body: Buffer): Extract<BusMessage, { kind: Head["kind"] }> {
  const end = body.indexOf("\n");
  const told = head.parse(JSON.parse(body.toString("utf8", 0, end)));
  if (told.kind !== "entries") return told;
  const { epoch, first, count } = told;
  const lines = body.toString("utf8", end + 1).split("\n");
  // Each line ends, so the last part is empty.
  const items = lines.slice(0, -1).map(logItemOf);
  if (items.length !== count || items.some(({ seq }, at) => seq !== first + at))
    throw new RangeError("the entries are not those that the message names");
  return { kind: "entries", committed: { epoch, items } };
}

/**
 * Proves that messages come from a process of the same installation, since whoever may publish to the NATS could
 * otherwise put items into every stream.
 */
export class Seal {
  readonly #key: Buffer;

  /** @param key a secret that the processes share by their database */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Names the installation without telling the key. */
  get installation(): string {
    return createHmac("sha256", this.#key).update("installation").digest("hex").slice(0, 16);
  }

  /** Length of a message with this body. */
  sealedBytes(body: Buffer): number {
    return sealBytes + body.length;
  }

  close(subject: string, body: Buffer): Buffer {
    return Buffer.concat([this.#of(subject, body), body]);
  }

  /** @returns null when no process of the installation has sealed it for this subject */
  open(subject: string, message: Uint8Array): Buffer | null {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    if (bytes.length < sealBytes) return null;
    const body = bytes.subarray(sealBytes);
    return timingSafeEqual(bytes.subarray(0, sealBytes), this.#of(subject, body)) ? body : null;
  }

  #of(subject: string, body: Buffer): Buffer {
    return createHmac("sha256", this.#key)
      .update(`${subject}\n`)
      .update(body)
      .digest()
      .subarray(0, sealBytes);
  }
}
