import { effect, type Signal, signal } from "../draw/signal.ts";

/** Nothing secret is kept here: how the page looks, and which account was open. @param allowed null: anything */
function kept(name: string, allowed: readonly string[] | null, fallback: string): Signal<string> {
  const key = `tapewire.${name}`;
  const stored = localStorage.getItem(key) ?? fallback;
  const value = signal(allowed === null || allowed.includes(stored) ? stored : fallback);
  effect(() => {
    if (value.value === fallback) localStorage.removeItem(key);
    else localStorage.setItem(key, value.value);
  });
  return value;
}

/** A choice of how the page looks; its first value holds until another is chosen. */
export interface Look {
  readonly name: string;
  /** What the next value does, in words. */
  readonly next: string;
  readonly values: Readonly<Record<string, string>>;
  readonly setting: Signal<string>;
}

const look = (key: string, name: string, next: string, values: Look["values"]): Look => ({
  name,
  next,
  values,
  setting: kept(key, Object.keys(values), Object.keys(values)[0] ?? ""),
});

export const themes = look("theme", "Theme", "Next theme", {
  system: "System",
  dark: "Dark",
  light: "Light",
});
export const densities = look("density", "Rows", "Other row height", {
  compact: "Compact",
  comfortable: "Comfortable",
});
const colours = look("colours", "Up and down", "Other colours for up and down", {
  "green-red": "Green / red",
  "blue-orange": "Blue / orange",
});
const zones = look("zone", "Times", "Local time or UTC", { local: "Local", utc: "UTC" });
export const looks: readonly Look[] = [themes, densities, colours, zones];

export const shortcuts = kept("shortcuts", ["on", "off"], "on");
export const lastAccount = kept("account", null, "");

/** Whether times are shown in UTC, not in the viewer's zone. */
export const isUtc = (): boolean => zones.setting.value === "utc";
export const isCompact = (): boolean => densities.setting.value === "compact";

effect(() => {
  const { dataset } = document.documentElement;
  dataset.theme = themes.setting.value;
  dataset.density = densities.setting.value;
  dataset.colours = colours.setting.value;
});

/** The next of the values, after the last the first. */
export function turn({ setting, values }: Look): void {
  const all = Object.keys(values);
  setting.value = all[(all.indexOf(setting.value) + 1) % all.length] ?? setting.value;
}
