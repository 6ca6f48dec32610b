import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Log } from "../runtime/log.ts";
import { SingleFlight } from "../runtime/sharing/single-flight.ts";
import type { Db, Listening, Queries } from "../store/engine/db.ts";
import { noticeChannel, notify } from "../store/log/notices.ts";
import {
  type BusCounts,
  type BusListener,
  type Carrier,
  type Change,
  type Committed,
  changes,
} from "./types.ts";

/** Small, far below the 8,000 bytes of a notice: it names what has changed and carries nothing. */
const notice = z.object({
  /** The process that sent it. */
  from: z.string(),
  /** The log's head after the newest commit of that process. */
  at: z.tuple([z.string(), z.number().int()]).optional(),
  changed: z.array(z.enum(changes)).optional(),
});
type Notice = z.infer<typeof notice>;

export interface CarrierDeps {
  readonly db: Db;
  readonly log: Log;
  readonly counts: BusCounts;
  readonly hand: BusListener;
}

/**
 * LISTEN and NOTIFY of PostgreSQL. A notice says how far the log is; whoever hears it reads the table. Notices are sent
 * after the commit, one at a time: what is committed while one is under way shares the next.
 */
export class PostgresCarrier implements Carrier {
  readonly name = "postgres";
  readonly calls = null;
  readonly #db: Queries;
  readonly #log: Log;
  readonly #counts: BusCounts;
  readonly #hand: BusListener;
  readonly #channel: string;
  readonly #id = randomUUID();
  readonly #listening: Listening;
  readonly #sending = new SingleFlight(() => this.#send());
  #head: Committed | null = null;
  readonly #changed = new Set<Change>();
  /** The last sending, which a stop waits for. */
  #sent: Promise<void> = Promise.resolve();

  private constructor(
    { db, log, counts, hand }: CarrierDeps,
    channel: string,
    listen: NonNullable<Db["listen"]>,
  ) {
    this.#db = db.main;
    this.#log = log;
    this.#counts = counts;
    this.#hand = hand;
    this.#channel = channel;
    this.#listening = listen(channel, {
      heard: (payload) => this.#hear(payload),
      begun: () => {
        counts.connects += 1;
        hand({ kind: "missed" });
      },
      notify: (payload) => notify(db.main, channel, payload),
    });
  }

  /** @param deps.db a PostgreSQL with its tables */
  static async open(deps: CarrierDeps): Promise<PostgresCarrier> {
    const { listen } = deps.db;
    if (listen === null) throw new TypeError("the embedded database has one process, which needs no notices");
    return new PostgresCarrier(deps, await noticeChannel(deps.db.main), listen);
  }

  get isConnected(): boolean {
    return this.#listening.isHearing;
  }

  publish(committed: Committed): void {
    this.#head = committed;
    this.#sendSoon();
  }

  announce(change: Change): void {
    this.#changed.add(change);
    this.#sendSoon();
  }

  /** A notice names its log, and the channel belongs to the database. */
  follow(): void {}

  /** Notices of the last commits go out first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sent;
    await this.#listening[Symbol.asyncDispose]();
  }

  #sendSoon(): void {
    this.#sent = this.#sending.run().catch((error: unknown) => {
      this.#counts.lost += 1;
      this.#log.warn(
        { err: error },
        "a notice to other processes was not sent: they find the change by polling",
      );
    });
  }

  async #send(): Promise<void> {
    const head = this.#head;
    const changed = [...this.#changed];
    this.#head = null;
    this.#changed.clear();
    const last = head?.items.at(-1);
    const told: Notice = { from: this.#id };
    if (head !== null && last !== undefined) told.at = [head.epoch, last.seq];
    if (changed.length > 0) told.changed = changed;
    if (told.at === undefined && told.changed === undefined) return;
    await notify(this.#db, this.#channel, JSON.stringify(told));
    if (told.at !== undefined) this.#counts.sent.position += 1;
    this.#counts.sent.changed += changed.length;
  }

  #hear(payload: string): void {
    const told = parsed(payload);
    if (told === null) {
      this.#counts.lost += 1;
      return;
    }
    if (told.from === this.#id) return;
    if (told.at !== undefined) {
      const [epoch, seq] = told.at;
      this.#counts.received.position += 1;
      this.#hand({ kind: "position", epoch, seq });
    }
    for (const change of told.changed ?? []) {
      this.#counts.received.changed += 1;
      this.#hand({ kind: "changed", change });
    }
  }
}

/** @returns null for a notice that no version of ours has sent */
function parsed(payload: string): Notice | null {
  try {
    return notice.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
