/** A day of the calendar, YYYY-MM-DD. */
export type Day = string;

/** A date in the forms of filings: YYYYMMDD, YYYY-MM-DD, MM/DD/YYYY or MM-DD-YYYY; null for others and for 30 February. */
export function dayOf(text: string | null | undefined): Day | null {
  const date = text?.trim() ?? "";
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(date) ?? [];
  if (year !== undefined) return realDay(`${year}-${month}-${day}`);
  const [, first = "", second = "", last] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/.exec(date) ?? [];
  return last === undefined ? null : realDay(`${last}-${first.padStart(2, "0")}-${second.padStart(2, "0")}`);
}

function realDay(day: Day): Day | null {
  const at = new Date(day);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : null;
}

const easternParts = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/**
 * The instant of a wall time in New York. In the hour that is skipped in March: an hour later; in the hour that
 * repeats in November: the first.
 * @param stamp YYYYMMDDHHMMSS
 */
export function easternTime(stamp: string | undefined): Date | null {
  const digits = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(stamp ?? "");
  if (digits === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits.slice(1).map(Number);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  // Daylight time (4 h) before standard time (5 h); one of them fits, or the wall time does not exist.
  for (const hours of [4, 5]) {
    const at = wall + hours * 3_600_000;
    if (easternWall(at) === wall) return new Date(at);
  }
  return new Date(wall + 5 * 3_600_000);
}

function easternWall(at: number): number {
  const parts = Object.fromEntries(
    easternParts.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
