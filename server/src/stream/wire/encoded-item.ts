import { constants, deflateRawSync } from "node:zlib";
import type { LogItem } from "../../feed/item.ts";
import { cursorOf } from "../../feed/log-cursor.ts";
import { feedMembers } from "../../feed/view.ts";

/** How a frame is sent: in a WebSocket message, in a compressed one, or as a server-sent event. */
export type Wire = (typeof wires)[number];

/** How a frame is encoded; one object for all clients of a kind, `index` is its number. */
export interface Form {
  readonly index: number;
  readonly wire: Wire;
  /** Scores are withheld. */
  readonly locked: boolean;
}

const wires = ["text", "deflate", "sse"] as const;
const forms: readonly Form[] = wires.flatMap((wire, n) => [
  { index: 2 * n, wire, locked: false },
  { index: 2 * n + 1, wire, locked: true },
]);

export function formOf(wire: Wire, locked: boolean): Form {
  const form = forms[2 * wires.indexOf(wire) + Number(locked)];
  if (form === undefined) throw new Error(`no wire: ${wire}`);
  return form;
}

/** The bytes of a feed frame without its count: `countAt` is the offset of the ten digits. */
interface Frame {
  readonly bytes: Buffer;
  readonly countAt: number;
}

export interface FrameTemplate extends Frame {
  /** Seq of its item. */
  readonly seq: number;
}

export interface EncodeContext {
  readonly epoch: string;
  readonly now: Date;
}

const countWidth = 10;
const blank = 32;
const head = Buffer.from(`{"type":"feed","snapshot":false,"count":${" ".repeat(countWidth)},`);
const countInHead = head.indexOf(" ");

/**
 * An item as all connections share it. Frames for different clients differ only in their running count, which has a field
 * of fixed width in the encoded bytes: sending a frame means copying the bytes and writing ten digits.
 * `publish_time` is the moment of the first encoding.
 */
export class EncodedItem {
  readonly item: LogItem;
  /** The item's seq, copied here because it is read for every client. */
  readonly seq: number;
  readonly cursor: string;
  /** Slots of the subscription index whose filters it passes; null: not matched yet. */
  matches: Int32Array | null = null;
  readonly #publishedNow: Date;
  readonly #templates: (FrameTemplate | undefined)[] = [];

  constructor(item: LogItem, { epoch, now }: EncodeContext) {
    this.item = item;
    this.seq = item.seq;
    this.cursor = cursorOf({ epoch, seq: item.seq });
    this.#publishedNow = now;
  }

  template(form: Form): FrameTemplate {
    const known = this.#templates[form.index];
    if (known !== undefined) return known;
    const { wire, locked } = form;
    const frame = wire === "text" ? this.#textFrame(locked) : makers[wire](this.#rest(locked), this.cursor);
    const made = { seq: this.seq, ...frame };
    this.#templates[form.index] = made;
    return made;
  }

  /** The text of a snapshot's frame: `cursor` is the tip at which the subscription began. */
  snapshotText(count: number, cursor: string, locked: boolean): string {
    return `{"type":"feed","snapshot":true,"count":${count},${this.#members(cursor, locked)}`;
  }

  #textFrame(locked: boolean): Frame {
    return textFrame(Buffer.from(this.#members(this.cursor, locked)));
  }

  /** The bytes after the head, which are the same on all wires. */
  #rest(locked: boolean): Buffer {
    const { bytes, countAt } = this.template(formOf("text", locked));
    return bytes.subarray(countAt - countInHead + head.length);
  }

  #members(cursor: string, locked: boolean): string {
    return JSON.stringify(feedMembers(this.item, { cursor, publishedAt: this.#publishedNow, locked })).slice(
      1,
    );
  }
}

/** Writes a count into its field, right-aligned, over an earlier one: JSON allows the blanks before it. */
export function writeCount(target: Buffer, at: number, count: number): void {
  let place = at + countWidth - 1;
  // Integer division: with doubles the cost per digit and frame would be noticeable.
  for (let rest = count; rest > 0 && place >= at; rest = (rest / 10) >>> 0)
    target[place--] = 48 + (rest % 10);
  for (; place >= at && target[place] !== blank; place--) target[place] = blank;
}

const makers = { deflate: deflatedFrame, sse: eventFrame } as const;

const finText = 0x81;
const finTextCompressed = 0xc1;

function textFrame(rest: Buffer): Frame {
  const header = frameHeader(finText, head.length + rest.length);
  return { bytes: joined([header, head, rest]), countAt: header.length + countInHead };
}

/**
 * permessage-deflate (RFC 7692): the head as a stored block (RFC 1951, 3.2.4), so that the count can be written into
 * it, then the deflated rest, made once for all. No block refers to an earlier message, so the frame is valid for every
 * client whatever it was sent before.
 */
function deflatedFrame(rest: Buffer): Frame {
  const stored = Buffer.alloc(5);
  stored.writeUInt16LE(head.length, 1);
  stored.writeUInt16LE(~head.length & 0xffff, 3);
  // A buffer of about the right size: the default of 16 KB per item would be ten times what is kept.
  const chunkSize = rest.length + 64;
  const flushed = deflateRawSync(rest, { level: 6, finishFlush: constants.Z_SYNC_FLUSH, chunkSize });
  // Every sync flush ends with these four bytes, which the receiver adds again.
  const deflated = flushed.subarray(0, -4);
  const header = frameHeader(finTextCompressed, stored.length + head.length + deflated.length);
  return {
    bytes: joined([header, stored, head, deflated]),
    countAt: header.length + stored.length + countInHead,
  };
}

function eventFrame(rest: Buffer, cursor: string): Frame {
  const open = Buffer.from(`id: ${cursor}\nevent: feed\ndata: `);
  return {
    bytes: joined([open, head, rest, Buffer.from("\n\n")]),
    countAt: open.length + countInHead,
  };
}

/** With memory of its own: a slice of Node's pool would keep the whole pool buffer alive as long as the item. */
function joined(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  return bytes;
}

/** Header of an unmasked frame (RFC 6455, 5.2). */
function frameHeader(first: number, length: number): Buffer {
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) {
    const header = Buffer.from([first, 126, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header.writeUInt8(first, 0);
  header.writeUInt8(127, 1);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
