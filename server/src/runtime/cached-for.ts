import type { Clock } from "./clock.ts";

/**
 * A value that is costly to make: made on demand, cached for a while and shared by all calls meanwhile. A failure is
 * not cached.
 */
export function cachedFor<T>(clock: Clock, maxAgeMs: number, make: () => Promise<T>): () => Promise<T> {
  let cached: { readonly value: Promise<T>; readonly madeAtMs: number } | null = null;
  return () => {
    const nowMs = clock.now().getTime();
    // A clock that was set back must not keep the value for ever.
    if (cached !== null && Math.abs(nowMs - cached.madeAtMs) < maxAgeMs) return cached.value;
    const made = { value: make(), madeAtMs: nowMs };
    cached = made;
    made.value.catch(() => {
      if (cached === made) cached = null;
    });
    return made.value;
  };
}
