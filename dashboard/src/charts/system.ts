import { signal } from "@preact/signals";

const dark = matchMedia("(prefers-color-scheme: dark)");
/** Whether the machine is in its dark theme now: a canvas keeps the colours it was drawn with. */
export const systemIsDark = signal(dark.matches);
dark.addEventListener("change", () => {
  systemIsDark.value = dark.matches;
});
