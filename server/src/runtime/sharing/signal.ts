/** A condition that many wait for: each `notify` wakes all who wait at that moment. */
export class Signal {
  readonly #waiting = new Set<() => void>();

  notify(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next `notify`, after `timeoutMs`, or when `abort` fires; never rejects. */
  wait(abort: AbortSignal, timeoutMs: number): Promise<void> {
    if (abort.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        clearTimeout(timer);
        abort.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      abort.addEventListener("abort", wake);
      this.#waiting.add(wake);
    });
  }
}
