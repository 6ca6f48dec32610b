import { setTimeout as delay } from "node:timers/promises";

/** Tries a check until it holds: for what the interface grants some seconds. @throws what it threw last, after `withinMs` */
export async function eventually<T>(check: () => Promise<T>, withinMs = 5_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(50);
  }
}
