/** Counts items in the bytes of a WebSocket, examining only where its frames end. */

/** Shorter messages are not items: acknowledgements, heartbeats. */
const leastItemBytes = 600;
const opcodes = { text: 1, binary: 2, close: 8, ping: 9 } as const;

/** Counts the items in the payload of a frame. */
export interface PayloadCounter {
  begin(opcode: number, length: number): void;
  /** @returns items that end in chunk[from, to) */
  take(chunk: Buffer, from: number, to: number): number;
}

/** One item per message. */
export class ItemPerMessage implements PayloadCounter {
  #left = 0;
  #isItem = false;

  begin(opcode: number, length: number): void {
    this.#left = length;
    this.#isItem = (opcode === opcodes.text || opcode === opcodes.binary) && length >= leastItemBytes;
  }

  take(_chunk: Buffer, from: number, to: number): number {
    this.#left -= to - from;
    return this.#isItem && this.#left === 0 ? 1 : 0;
  }
}

/** One item per message; also passes its text on. */
export class ItemTexts implements PayloadCounter {
  readonly #frames = new ItemPerMessage();
  readonly #tell: (text: string) => void;
  #parts: Buffer[] = [];

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  begin(opcode: number, length: number): void {
    this.#parts = [];
    this.#frames.begin(opcode, length);
  }

  take(chunk: Buffer, from: number, to: number): number {
    this.#parts.push(Buffer.from(chunk.subarray(from, to)));
    const items = this.#frames.take(chunk, from, to);
    if (items > 0) this.#tell(Buffer.concat(this.#parts).toString());
    return items;
  }
}

/** The lines of NATS; a message has any number of them, or a part: `MSG <subject> <sid> <bytes>` carries an item. */
export class NatsLines implements PayloadCounter {
  #line = "";
  /** Bytes still to come of an item's payload and its line end. */
  #skip = 0;

  begin(): void {}

  take(chunk: Buffer, from: number, to: number): number {
    let items = 0;
    let at = from;
    while (at < to) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, to - at);
        this.#skip -= skipped;
        at += skipped;
        if (this.#skip === 0) items += 1;
        continue;
      }
      const end = chunk.indexOf(10, at);
      const stop = end === -1 || end >= to ? to : end + 1;
      this.#line += chunk.toString("latin1", at, stop);
      at = stop;
      if (this.#line.endsWith("\n")) this.#readLine();
    }
    return items;
  }

  #readLine(): void {
    if (this.#line.startsWith("MSG ")) this.#skip = Number(this.#line.trim().split(" ").at(-1)) + 2;
    this.#line = "";
  }
}

/** Frames of a server (RFC 6455, 5.2): unmasked. */
export class FrameReader {
  readonly #counter: PayloadCounter;
  readonly #onPing: () => void;
  readonly #onClose: () => void;
  #header = Buffer.alloc(10);
  #headerLength = 0;
  #left = 0;

  constructor(counter: PayloadCounter, events: { onPing: () => void; onClose: () => void }) {
    this.#counter = counter;
    this.#onPing = events.onPing;
    this.#onClose = events.onClose;
  }

  /** Whether the last frame is complete. */
  get atBoundary(): boolean {
    return this.#left === 0 && this.#headerLength === 0;
  }

  /** @returns items that end in the first `length` bytes of the chunk */
  take(chunk: Buffer, length: number): number {
    let items = 0;
    let at = 0;
    while (at < length) {
      if (this.#left > 0) {
        const to = Math.min(at + this.#left, length);
        items += this.#counter.take(chunk, at, to);
        this.#left -= to - at;
        at = to;
      } else if (this.#headerLength === 0 && length - at >= 10) at += this.#readHeader(chunk, at, 10);
      else {
        this.#header[this.#headerLength++] = chunk[at++] ?? 0;
        if (this.#readHeader(this.#header, 0, this.#headerLength) > 0) this.#headerLength = 0;
      }
    }
    return items;
  }

  /** @returns length of the header that begins there; 0: it is incomplete */
  #readHeader(bytes: Buffer, at: number, available: number): number {
    if (available < 2) return 0;
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const size = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (available < size) return 0;
    this.#left =
      size === 2 ? short : size === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    const opcode = (bytes[at] ?? 0) & 0x0f;
    if (opcode === opcodes.ping) this.#onPing();
    if (opcode === opcodes.close) this.#onClose();
    this.#counter.begin(opcode, this.#left);
    return size;
  }
}
