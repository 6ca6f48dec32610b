export interface PartLimits {
  /** A part that has not ended after this time is abandoned. */
  readonly partMs: number;
  /** For all parts, counted from the start of the stop. */
  readonly totalMs: number;
  /** What each part gets in any case, however long the parts before it took. */
  readonly leastMs: number;
}

/** Within the 10 s that main.ts gives a stop. */
const serviceLimits: PartLimits = { partMs: 5_000, totalMs: 9_000, leastMs: 200 };

/**
 * The parts of a service, ended in the reverse order of their start. When one fails or takes too long, the others are
 * still ended: the database and the lock of its directory come last.
 */
export class Parts implements AsyncDisposable {
  readonly #limits: PartLimits;
  #stack = new AsyncDisposableStack();
  #endMs: number | null = null;

  constructor(limits: PartLimits = serviceLimits) {
    this.#limits = limits;
  }

  /** @param name shown in the error when the part fails to end */
  use<Part extends AsyncDisposable | Disposable>(part: Part, name = part.constructor.name): Part {
    this.defer(name, () =>
      Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose](),
    );
    return part;
  }

  defer(name: string, end: () => PromiseLike<void> | void): void {
    this.#stack.defer(() => this.#end(name, end));
  }

  /** Moves the parts to a new object; disposing this one then ends nothing. */
  move(): Parts {
    const moved = new Parts(this.#limits);
    moved.#stack = this.#stack.move();
    return moved;
  }

  /** Rejects, after all of them have been tried, with the errors of those that did not end. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #end(name: string, end: () => PromiseLike<void> | void): Promise<void> {
    const { partMs, totalMs, leastMs } = this.#limits;
    const nowMs = performance.now();
    this.#endMs ??= nowMs + totalMs;
    const waitMs = Math.max(leastMs, Math.min(partMs, this.#endMs - nowMs));
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Error(`${name} did not end in ${Math.round(waitMs)} ms`)),
      waitMs,
    );
    try {
      await Promise.race([end(), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
