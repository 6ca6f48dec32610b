import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";

/** How long a line waits for others like it, or for something that is reached. */
export const waitMs = 5_000;

/** Something that was not reached, by whose fault is not known. */
interface Miss {
  readonly host: string;
  readonly reason: string;
  /** Writes its own line. */
  readonly tell: () => void;
}

/**
 * What the log says of sources that are not reached. While hosts of all kinds are not, that is one line: our own network is
 * probably away, and a line for each source and try would fill the log.
 * States: quiet; waiting: lines are held until it is clear whether they have one cause; away: that was told.
 */
export class ReachLog {
  readonly #deps: { readonly clock: Clock; readonly log: Log };
  readonly #signal: AbortSignal;
  readonly #held = new Map<string, Miss>();
  #state: "quiet" | "waiting" | "away" = "quiet";
  /** Only the newest wait ends. */
  #wait = 0;

  /** @param signal when it aborts nothing is written any more */
  constructor(deps: { readonly clock: Clock; readonly log: Log }, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /** @param id of the source; its newest line counts */
  missed(id: string, miss: Miss): void {
    if (this.#state === "away") return;
    this.#held.set(id, miss);
    if (this.#state === "waiting") return;
    this.#state = "waiting";
    this.#wait += 1;
    const wait = this.#wait;
    this.#deps.clock.sleep(waitMs, this.#signal).then(
      () => {
        if (this.#state === "waiting" && wait === this.#wait) this.#judge();
      },
      () => {},
    );
  }

  /** An answer came: the network is there, and what was not reached is told by name. */
  reached(): void {
    if (this.#state === "away") this.#deps.log.info("sources are reached again");
    this.#state = "quiet";
    this.#tellHeld();
  }

  #judge(): void {
    const misses = [...this.#held.values()];
    const hosts = new Set(misses.map(({ host }) => host)).size;
    const [first] = misses;
    if (hosts < 2 || first === undefined) {
      this.#state = "quiet";
      return this.#tellHeld();
    }
    this.#state = "away";
    this.#held.clear();
    this.#deps.log.warn(
      { hosts, reason: first.reason },
      "no source can be reached: check the network and the DNS of this machine. They are tried again every few seconds; this is said once",
    );
  }

  #tellHeld(): void {
    for (const { tell } of this.#held.values()) tell();
    this.#held.clear();
  }
}
