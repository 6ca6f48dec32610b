import { randomUUID } from "node:crypto";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Db } from "../store/engine/db.ts";
import { areOthersSeen, processGone, processSeen } from "../store/log/processes.ts";

const lookEveryMs = 200;
/** How long a look that found no other process stays valid. */
const holdsMs = 400;
/** After this time all others know of a process; longer than `holdsMs`, because clocks differ in speed. */
const knownAfterMs = 600;
const signOfLifeEveryMs = 3_000;

/**
 * Whether other processes may write to the log that this one reads. A process writes nothing before all others know of
 * it, so a process that has found no other is alone for a moment, and need not query the database for the log's head.
 */
export class Peers implements AsyncDisposable {
  readonly #id = randomUUID();
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  #announcedAtMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #aloneUntilMs = 0;
  #seenAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the last look found others. */
  #hasOthers = false;
  /** Whether there may be a process that has looked before this one could be found. */
  #mayBeUnknown = false;
  #looking: Promise<void> | null = null;

  private constructor({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
  }

  /** Only one process can use the embedded database. */
  static async start(deps: { db: Db; clock: Clock; log: Log }): Promise<Peers> {
    const peers = new Peers(deps);
    if (deps.db.engine === "pglite") peers.#aloneUntilMs = Number.POSITIVE_INFINITY;
    else await peers.#announce();
    return peers;
  }

  /** true: certainly alone for now; false: perhaps not. */
  get alone(): boolean {
    return performance.now() < this.#aloneUntilMs;
  }

  /** Resolves when the others know of this process. Until then it must write nothing. */
  async known(): Promise<void> {
    if (this.#timer === null || !this.#mayBeUnknown) return;
    const restMs = this.#announcedAtMs + knownAfterMs - performance.now();
    if (restMs > 0) await this.#clock.sleep(restMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    await this.#looking;
    await processGone(this.#db.main, this.#id).catch((error: unknown) =>
      this.#log.warn(
        { err: error },
        "signing off failed: other processes query the log's head for another minute",
      ),
    );
  }

  async #announce(): Promise<void> {
    await this.#look();
    // Each process is in the table before it looks. One that this look did not find comes later, and will find this one.
    this.#mayBeUnknown = this.#hasOthers;
    // Counted from the commit: until then nobody could find it.
    this.#announcedAtMs = performance.now();
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look()
        .catch((error: unknown) => this.#log.warn({ err: error }, "looking for other processes failed"))
        .finally(() => {
          this.#looking = null;
        });
    }, lookEveryMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { main } = this.#db;
    const beganAtMs = performance.now();
    if (beganAtMs - this.#seenAtMs >= signOfLifeEveryMs) {
      await processSeen(main, this.#id);
      this.#seenAtMs = beganAtMs;
    } else if (this.#hasOthers) {
      // Only who takes itself for alone must look often. To learn late that the others have gone costs some reads.
      return;
    }
    const lookedAtMs = performance.now();
    this.#hasOthers = await areOthersSeen(main, this.#id);
    if (!this.#hasOthers) this.#aloneUntilMs = lookedAtMs + holdsMs;
  }
}
