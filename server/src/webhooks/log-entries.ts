import { webhookFormats } from "@tapewire/contract/webhooks.ts";
import type { LogItem } from "../feed/item.ts";
import { Attached } from "../itemlog/attached.ts";
import type { LogMemory } from "../itemlog/memory.ts";
import { LogReader } from "../itemlog/reader.ts";
import type { Clock } from "../runtime/clock.ts";
import { type BodyForm, payloadOf } from "./body/payload.ts";

/** The result of matching an entry: a bitmap of the slots that it passes, and the state of the index at that moment. */
export interface Matched {
  readonly bits: Int32Array;
  readonly generation: number;
}

/** An entry of the log, shared by all endpoints: matched once, encoded at most once per format and kind of plan. */
export class Entry {
  readonly item: LogItem;
  readonly matched: Matched;
  readonly #clock: Clock;
  /** When this version was made; stored, because every delivery needs it. */
  readonly madeAtMs: number;
  /** By format, with and without scores. */
  readonly #bodies: (Buffer | undefined)[] = [];

  constructor(item: LogItem, matched: Matched, clock: Clock) {
    this.item = item;
    this.matched = matched;
    this.#clock = clock;
    this.madeAtMs = Date.parse(item.item.updated_at);
  }

  get seq(): number {
    return this.item.seq;
  }

  get itemId(): string {
    return this.item.item.id;
  }

  body({ locked, format }: BodyForm): Buffer {
    const at = 2 * webhookFormats.indexOf(format) + Number(locked);
    const known = this.#bodies[at];
    if (known !== undefined) return known;
    const body = payloadOf(this.item, { locked, format, now: this.#clock.now() });
    this.#bodies[at] = body;
    return body;
  }
}

/** The first entry that passes, or null; there is no other up to `reached`. */
export interface Found {
  readonly entry: Entry | null;
  readonly reached: number;
}

/** The log as endpoints walk it: each entry is matched and encoded once for all of them. */
export class LogEntries {
  readonly #log: { readonly memory: LogMemory };
  readonly #entries: Attached<Entry>;

  /** @param deps log: its memory changes when the log is replaced */
  constructor(deps: {
    log: { readonly memory: LogMemory };
    match: (item: LogItem) => Matched;
    clock: Clock;
  }) {
    this.#log = deps.log;
    this.#entries = new Attached((item) => new Entry(item, deps.match(item), deps.clock));
  }

  of(item: LogItem): Entry {
    return this.#entries.of(item);
  }

  /**
   * Finds the next entry after `after`, up to `upTo`, that passes. Everything up to there must be committed.
   * @returns a promise when a page must be read first: call again then; it rejects with the database's error, or when the
   *   log was replaced
   */
  scan(after: number, upTo: number, passes: (entry: Entry) => boolean): Found | Promise<void> {
    const reader = new LogReader(this.#log.memory, after);
    while (reader.position < upTo) {
      const item = reader.next();
      if (item === undefined)
        return reader.position > after ? { entry: null, reached: reader.position } : reader.load();
      const entry = item === null ? null : this.of(item);
      if (entry !== null && passes(entry)) return { entry, reached: entry.seq };
    }
    return { entry: null, reached: reader.position };
  }

  /** @returns null when the log no longer has it */
  async at(seq: number): Promise<Entry | null> {
    for (;;) {
      const found = this.scan(seq - 1, seq, () => true);
      if (!(found instanceof Promise)) return found.entry;
      await found;
    }
  }
}
