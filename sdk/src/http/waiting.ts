/** A timer that is asked for 2³¹ ms or more fires at once. */
export const timer = (ms: number, does: () => void) => setTimeout(does, Math.min(ms, 2e9));

/**
 * Aborts when the signal does. Its own abort takes the listener away, which AbortSignal.any would keep for as long as a
 * long-lived signal lives.
 */
export function stopperOf(signal: AbortSignal | undefined): AbortController {
  const stopper = new AbortController();
  const stop = () => stopper.abort(signal?.reason);
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { signal: stopper.signal });
  return stopper;
}

/** @throws the signal's reason, at once when it aborts */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const stopper = stopperOf(signal);
  const waiting = timer(ms, () => stopper.abort());
  await new Promise((resolve) => stopper.signal.addEventListener("abort", resolve));
  clearTimeout(waiting);
  signal?.throwIfAborted();
}
