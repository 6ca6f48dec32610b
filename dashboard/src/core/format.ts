import { isUtc } from "./settings.ts";

/** What is no time is a fault of an answer, and no reason to show nothing at all. */
const written = (at: Date | number, form: () => string) => (Number.isNaN(Number(at)) ? "no time" : form());

/** Made when it is first used: each takes milliseconds, which would stand before the first row. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const inZone = (options: Intl.DateTimeFormatOptions, isAlwaysUtc = false) => {
  const form = (timeZone?: string) =>
    new Intl.DateTimeFormat("en-GB", { ...options, hourCycle: "h23", ...(timeZone && { timeZone }) });
  const local = once(form);
  const utc = once(() => form("UTC"));
  return (at: Date | number) => written(at, () => (isAlwaysUtc || isUtc() ? utc() : local()).format(at));
};

const two = (value: number) => String(value).padStart(2, "0");
/** Without Intl, since the first rows need it. */
export const clockTime = (at: Date | number) =>
  written(at, () => `${shortTime(at)}:${two(new Date(at).getUTCSeconds())}`);
export const shortTime = (at: Date | number) =>
  written(at, () => {
    const date = new Date(at);
    return isUtc()
      ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
      : `${two(date.getHours())}:${two(date.getMinutes())}`;
  });
export const dayTime = inZone({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const whole = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
} as const;
export const fullTime = inZone(whole);
export const inUtc = inZone(whole, true);
export const dayOnly = inZone({ day: "numeric", month: "short" });

const wholes = once(() => new Intl.NumberFormat("en"));
const shorts = once(() => new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }));
const tenths = once(() => new Intl.NumberFormat("en", { maximumFractionDigits: 1 }));
export const count = (value: number) => wholes().format(value);
export const short = (value: number) => (value < 10_000 ? wholes() : shorts()).format(value);
export const percent = (share: number) => `${tenths().format(share * 100)} %`;
export const plural = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`;

export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${(value / 1_000 ** power).toFixed(power < 2 ? 0 : 1)} ${units[power]}`;
}

/** `840 ms`, `2.4 s`, `5 min`, `3 h`, `2 d`. */
export function span(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1_000) return `${Math.round(ms)} ms`;
  if (size < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (size < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (size < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (size < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

export const signed = (value: number) => (value > 0 ? `+${value}` : value < 0 ? `−${Math.abs(value)}` : "0");

const acronyms = /\b(c[ef]o|cpi|dns|esg|etf|fda|gdp|ipo|pmi|ppi|sec|spac|tls|url)\b/g;
/** `ceo_resigned` becomes `CEO resigned`: for names that have no label. */
export const words = (name: string) => {
  const text = name
    .replaceAll("_", " ")
    .replace(/\bm and a\b/, "M&A")
    .replace(acronyms, (one) => one.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Host of a link that may be followed; null for anything but http and https. */
export function hostOf(link: string | null): string | null {
  if (link === null || !URL.canParse(link)) return null;
  const { protocol, host } = new URL(link);
  return protocol === "https:" || protocol === "http:" ? host : null;
}
