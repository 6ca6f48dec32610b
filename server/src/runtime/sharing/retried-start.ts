import { backoffMs } from "../backoff.ts";

export interface RetriedStartOptions {
  readonly start: () => Promise<void>;
  /** Whether it runs, whoever started it. */
  readonly isRunning: () => boolean;
  /** Told of each failure, and of the pause after it. */
  readonly failed: (error: unknown, pauseMs: number) => void;
  readonly pauses: { readonly baseMs: number; readonly maxMs: number };
}

/** idle: begin starts it. starting: a try runs. pausing: the timer makes the next try. closed: for good. */
type State =
  | { readonly is: "idle" | "closed" }
  | { readonly is: "starting"; readonly tried: Promise<void> }
  | { readonly is: "pausing"; readonly timer: NodeJS.Timeout };

/** Starts something, and where that fails again and again by itself, after pauses that grow. */
export class RetriedStart implements Disposable {
  readonly #options: RetriedStartOptions;
  #state: State = { is: "idle" };
  /** In a row. */
  #failures = 0;

  constructor(options: RetriedStartOptions) {
    this.#options = options;
  }

  /** Starts it, unless it runs. Resolves after the try that runs, whatever came of it; in a pause at once. */
  begin(): Promise<void> {
    if (this.#state.is === "starting") return this.#state.tried;
    if (this.#state.is !== "idle" || this.#options.isRunning()) return Promise.resolve();
    const tried = this.#options.start().then(
      () => this.#started(),
      (error: unknown) => this.#failed(error),
    );
    this.#state = { is: "starting", tried };
    return tried;
  }

  [Symbol.dispose](): void {
    if (this.#state.is === "pausing") clearTimeout(this.#state.timer);
    this.#state = { is: "closed" };
  }

  #started(): void {
    this.#failures = 0;
    if (this.#state.is !== "closed") this.#state = { is: "idle" };
  }

  #failed(error: unknown): void {
    if (this.#state.is === "closed") return;
    this.#failures += 1;
    const pauseMs = backoffMs(this.#failures, this.#options.pauses);
    const timer = setTimeout(() => {
      this.#state = { is: "idle" };
      void this.begin();
    }, pauseMs);
    timer.unref();
    this.#state = { is: "pausing", timer };
    this.#options.failed(error, pauseMs);
  }
}
