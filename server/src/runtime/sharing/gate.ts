/** How many may be inside at a time, and how many may wait. */
export interface GateLimits {
  readonly inside: number;
  /** The next caller above it is refused at once. Default: no bound, for callers that are bounded themselves. */
  readonly waiting?: number;
}

export interface GateOptions extends GateLimits {
  /** Limits of each owner, below those for all, so that no owner takes every slot or the whole queue. */
  readonly each?: GateLimits;
}

export interface EnterOptions {
  /** Whose limits apply too; null: only the limits for all. */
  readonly owner?: string | null;
  /** Its abort ends the wait. */
  readonly signal?: AbortSignal;
  /** The longest wait. */
  readonly waitMs?: number;
}

/** Why a caller was not admitted: too many wait already, or it waited for `waitMs`. */
export class GateError extends Error {
  override readonly name = "GateError";
  readonly reason: "full" | "late";

  constructor(reason: "full" | "late") {
    super(reason === "full" ? "too many are waiting" : "the wait took too long");
    this.reason = reason;
  }
}

interface Waiting {
  readonly admit: () => void;
}

/**
 * Limits how many callers are inside at a time. The others wait: owners take turns, and the callers of one owner are
 * admitted in order of arrival. A caller that leaves admits the next one.
 */
export class Gate {
  readonly #limits: GateOptions;
  #inside = 0;
  readonly #insideOf = new Map<string, number>();
  /** The owner whose turn is next comes first; those without an owner wait in one line. */
  readonly #waiting = new Map<string | null, Set<Waiting>>();
  #waitingCount = 0;

  constructor(limits: GateOptions) {
    this.#limits = limits;
  }

  /**
   * @returns leaves; a second call does nothing
   * @throws {GateError} full at once, late after `waitMs`; the signal's reason when it aborts first
   */
  async enter({ owner = null, signal, waitMs }: EnterOptions = {}): Promise<() => void> {
    signal?.throwIfAborted();
    const leave = this.tryEnter(owner);
    if (leave !== null) return leave;
    await this.#wait(owner, signal, waitMs);
    return this.#leaving(owner);
  }

  /** @returns leaves, as that of enter; null: the caller would have to wait */
  tryEnter(owner: string | null): (() => void) | null {
    if (!this.#hasPlace(owner)) return null;
    this.#count(owner, 1);
    return this.#leaving(owner);
  }

  /** Does the work inside. Rejects as `enter`, before any work, or as the work does. */
  async run<T>(work: () => Promise<T>, options: EnterOptions = {}): Promise<T> {
    const leave = await this.enter(options);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #leaving(owner: string | null): () => void {
    let isInside = true;
    return () => {
      if (isInside) this.#leave(owner);
      isInside = false;
    };
  }

  #hasPlace(owner: string | null): boolean {
    const { inside, each } = this.#limits;
    if (this.#inside >= inside) return false;
    return owner === null || each === undefined || (this.#insideOf.get(owner) ?? 0) < each.inside;
  }

  #count(owner: string | null, change: 1 | -1): void {
    this.#inside += change;
    if (owner === null || this.#limits.each === undefined) return;
    const inside = (this.#insideOf.get(owner) ?? 0) + change;
    if (inside > 0) this.#insideOf.set(owner, inside);
    else this.#insideOf.delete(owner);
  }

  /** Gives the slot to the next waiting caller at once, before a new caller can take it. */
  #leave(owner: string | null): void {
    this.#count(owner, -1);
    for (const [next, line] of this.#waiting) {
      const [first] = line;
      if (first === undefined || !this.#hasPlace(next)) continue;
      this.#stepOut(next, first);
      if (this.#waiting.delete(next) && line.size > 0) this.#waiting.set(next, line);
      this.#count(next, 1);
      first.admit();
      return;
    }
  }

  #stepOut(owner: string | null, waiting: Waiting): boolean {
    const line = this.#waiting.get(owner);
    if (line?.delete(waiting) !== true) return false;
    if (line.size === 0) this.#waiting.delete(owner);
    this.#waitingCount -= 1;
    return true;
  }

  async #wait(owner: string | null, signal?: AbortSignal, waitMs?: number): Promise<void> {
    if (this.#isFull(owner)) throw new GateError("full");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { admit: resolve };
    const giveUp = (reason: unknown) => {
      if (this.#stepOut(owner, waiting)) reject(reason);
    };
    const aborted = () => giveUp(signal?.reason);
    const timer = waitMs === undefined ? undefined : setTimeout(() => giveUp(new GateError("late")), waitMs);
    signal?.addEventListener("abort", aborted, { once: true });
    const line = this.#waiting.get(owner);
    if (line === undefined) this.#waiting.set(owner, new Set([waiting]));
    else line.add(waiting);
    this.#waitingCount += 1;
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
    }
  }

  #isFull(owner: string | null): boolean {
    const { waiting = Number.POSITIVE_INFINITY, each } = this.#limits;
    if (this.#waitingCount >= waiting) return true;
    if (owner === null || each?.waiting === undefined) return false;
    return (this.#waiting.get(owner)?.size ?? 0) >= each.waiting;
  }
}
