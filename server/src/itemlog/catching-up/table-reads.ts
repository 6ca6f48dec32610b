import type { Log } from "../../runtime/log.ts";
import type { LogPosition } from "../../store/log/log-position.ts";

/** Up to where the table is to be read; all: up to whatever it has. */
export type Wanted = LogPosition | "all";

export interface TableReadsDeps {
  /** Reads one page. @returns whether there is more to read */
  readonly readPage: () => Promise<boolean>;
  /** Whether a position is beyond what has been read. */
  readonly isBeyond: (position: LogPosition) => boolean;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Reads the table page by page, one read at a time. What is wanted while a read is under way is read by another one that
 * begins later, unless it has come meanwhile: the first may have begun before it was committed.
 */
export class TableReads {
  readonly #deps: TableReadsDeps;
  #wanted: Wanted | null = null;
  #running: Promise<void> | null = null;

  constructor(deps: TableReadsDeps) {
    this.#deps = deps;
  }

  want(upTo: Wanted): void {
    this.#wanted = later(this.#wanted, upTo);
    this.#running ??= this.#run();
  }

  /** Resolves when everything wanted by now has been read, or reading failed. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { readPage, signal, log } = this.#deps;
    try {
      for (let more = true; more && !signal.aborted; ) {
        this.#wanted = null;
        more = (await readPage()) || this.#isWanted;
      }
    } catch (error) {
      log.error({ err: error }, "reading the item log failed");
    } finally {
      this.#running = null;
    }
  }

  get #isWanted(): boolean {
    if (this.#wanted === null) return false;
    return this.#wanted === "all" || this.#deps.isBeyond(this.#wanted);
  }
}

function later(before: Wanted | null, now: Wanted): Wanted {
  if (before === null || before === "all" || now === "all") return before === "all" ? "all" : now;
  return before.epoch === now.epoch && before.seq > now.seq ? before : now;
}
