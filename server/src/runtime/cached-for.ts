import type { Clock } from "./clock.ts";

/**
 * A value that is costly to make, made on demand and kept for a while; all who ask meanwhile share it. What failed is
 * not kept.
 */
export function kept<T>(clock: Clock, maxAgeMs: number, make: () => Promise<T>): () => Promise<T> {
  let held: { readonly value: Promise<T>; readonly madeAtMs: number } | null = null;
  return () => {
    const nowMs = clock.now().getTime();
    // A clock that was set back must not keep the value for ever.
    if (held !== null && Math.abs(nowMs - held.madeAtMs) < maxAgeMs) return held.value;
    const made = { value: make(), madeAtMs: nowMs };
    held = made;
    made.value.catch(() => {
      if (held === made) held = null;
    });
    return made.value;
  };
}
