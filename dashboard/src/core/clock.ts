import { signal } from "../draw/signal.ts";

/** The present, for relative times; one timer for the whole page, at rest while the page is hidden. */
export const now = signal(Date.now());

let timer: ReturnType<typeof setInterval> | null = null;

function run(): void {
  if (timer !== null) clearInterval(timer);
  timer = null;
  if (document.hidden) return;
  now.value = Date.now();
  timer = setInterval(() => {
    now.value = Date.now();
  }, 1_000);
}

document.addEventListener("visibilitychange", run);
run();
