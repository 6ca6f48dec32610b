/** Reads the times of price files. Only an instant says what was known when. */
import { CliError } from "../errors.ts";

export interface TimeSettings {
  /** IANA zone of times that name none. */
  readonly zone: string;
  /** Time of day, HH:MM in `zone`, at which the price of a day is known. */
  readonly close: string;
  /** Times are the beginnings of bars of this length (ms): their prices are known at the end. 0: times are the ends. */
  readonly barMs: number;
}

const withZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;
const local = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d{1,3})?))?$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** @returns Unix time in milliseconds at which a price was known, or null for what is no time */
export function timeReader({ zone, close, barMs }: TimeSettings): (text: string) => number | null {
  const clock = localClock(zone);
  const [closeHour = "", closeMinute = ""] = close.split(":");
  const days = new Map<string, boolean>();
  return (text) => {
    const date = text.slice(0, 10);
    const exists = days.get(date) ?? isDay(date);
    days.set(date, exists);
    if (!exists) return null;
    // A day's bar has a close, whatever the length of the bars.
    if (day.test(text)) return clock(text, Number(closeHour) * 60 + Number(closeMinute));
    const found = withZone.test(text) ? Date.parse(text.replace(" ", "T")) : localTime(text, clock);
    return found === null || Number.isNaN(found) ? null : found + barMs;
  };
}

/** Date.parse takes the 30th of February for the 2nd of March. */
function isDay(date: string): boolean {
  const parsed = day.test(date) ? Date.parse(date) : Number.NaN;
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(date);
}

function localTime(text: string, clock: LocalClock): number | null {
  const [, date = "", hour, minute, second = "0"] = local.exec(text) ?? [];
  // Only Date.parse knows which times of day there are.
  if (date === "" || Number.isNaN(Date.parse(`${text.replace(" ", "T")}Z`))) return null;
  const start = clock(date, Number(hour) * 60 + Number(minute));
  return start === null ? null : start + Number(second) * 1_000;
}

/** @returns Unix time (ms) of minutes after midnight of a date; null: there is no such date */
type LocalClock = (date: string, minutes: number) => number | null;

/**
 * Minutes are those of the clock on the wall. The offset of a zone is asked for once per hour of a date, since a file names
 * each many times.
 */
function localClock(zone: string): LocalClock {
  const format = zoneFormat(zone);
  const offsets = new Map<string, number>();
  return (date, minutes) => {
    const asUtc = Date.parse(`${date}T00:00:00Z`) + minutes * 60_000;
    if (Number.isNaN(asUtc)) return null;
    const key = `${date} ${Math.floor(minutes / 60)}`;
    const offset = offsets.get(key) ?? offsetAt(format, asUtc);
    offsets.set(key, offset);
    return asUtc - offset;
  };
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    throw new CliError(`--zone must be a time zone such as America/New_York, not ${zone}`, 2);
  }
}

/** Offset from UTC (ms) at a local time: asked again at the instant found, since it may have changed between the two. */
function offsetAt(format: Intl.DateTimeFormat, localMs: number): number {
  const first = offsetOf(format, localMs);
  return offsetOf(format, localMs - first);
}

function offsetOf(format: Intl.DateTimeFormat, atMs: number): number {
  const name = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes = "0"] = /^GMT([+-])(\d\d):?(\d\d)?/.exec(name) ?? [];
  if (hours === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
