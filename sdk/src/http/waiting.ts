/** A timer that is asked for a longer time fires at once. */
export const longestMs = 2 ** 31 - 1;

/** Full jitter: a random time up to a bound that doubles with each attempt. */
export const backoffMs = (attempt: number, { leastMs, mostMs }: { leastMs: number; mostMs: number }) =>
  Math.random() * Math.min(mostMs, leastMs * 2 ** attempt);

/** @throws the signal's reason, at once when it aborts */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
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
