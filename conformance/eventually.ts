import { setTimeout as delay } from "node:timers/promises";

/** Repeats a check until it passes, for effects that may take some seconds. @throws the last error, after `withinMs` */
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
