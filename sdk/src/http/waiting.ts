/** A timer that is asked for a longer time fires at once. */
export const longestMs = 2 ** 31 - 1;

/** @throws the signal's reason, at once when it aborts */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, longestMs),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}
