import { effect, type Signal, signal } from "@preact/signals";

/** Nothing secret is kept here: how the page looks, and which account was open. */
function kept<T extends string>(name: string, allowed: readonly T[] | null, fallback: T): Signal<T> {
  const key = `tapewire.${name}`;
  const stored = localStorage.getItem(key);
  const known = allowed === null ? stored : allowed.find((one) => one === stored);
  const value = signal<T>(isKnown(known, allowed) ? known : fallback);
  effect(() => {
    if (value.value === fallback) localStorage.removeItem(key);
    else localStorage.setItem(key, value.value);
  });
  return value;
}

function isKnown<T extends string>(
  value: string | null | undefined,
  allowed: readonly T[] | null,
): value is T {
  return value !== null && value !== undefined && (allowed === null || allowed.some((one) => one === value));
}

export const themes = ["system", "dark", "light"] as const;
export const densities = ["compact", "comfortable"] as const;
export const colours = ["green-red", "blue-orange"] as const;
export const zones = ["local", "utc"] as const;
const switches = ["on", "off"] as const;

export const theme = kept("theme", themes, "system");
export const density = kept("density", densities, "compact");
export const colour = kept("colours", colours, "green-red");
export const zone = kept("zone", zones, "local");
export const shortcuts = kept("shortcuts", switches, "on");
export const lastAccount = kept<string>("account", null, "");

effect(() => {
  const { dataset } = document.documentElement;
  dataset.theme = theme.value;
  dataset.density = density.value;
  dataset.colours = colour.value;
});

/** The next of the values, after the last the first. */
export function turn<T extends string>(setting: Signal<T>, values: readonly T[]): void {
  const next = values[(values.indexOf(setting.value) + 1) % values.length];
  if (next !== undefined) setting.value = next;
}
