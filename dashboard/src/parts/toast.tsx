import { signal } from "../draw/signal.ts";

const told = signal<string | null>(null);
let timer: ReturnType<typeof setTimeout> | null = null;

/** Says in one line that something was done. */
export function tell(text: string): void {
  told.value = text;
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(() => {
    told.value = null;
  }, 4_000);
}

/** On the page, and in each dialog: what is behind one is dark, and not read aloud. */
export function Toast() {
  return <div aria-live="polite">{told.value !== null && <div class="toast">{told.value}</div>}</div>;
}
