import { isFederalHoliday } from "./holidays.ts";
import { type Day, easternTime } from "./time.ts";

const dayMs = 86_400_000;

/** Whether EDGAR accepts filings on this day: Monday to Friday, except federal holidays. */
export function isBusinessDay(day: Day): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isFederalHoliday(day);
}

/** @param count may be negative */
export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

/** The last business day before this day. */
export function businessDayBefore(day: Day): Day {
  let before = addDays(day, -1);
  while (!isBusinessDay(before)) before = addDays(before, -1);
  return before;
}

const easternDate = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/New_York",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The day in New York at this instant. */
export function easternDay(at: Date): Day {
  return easternDate.format(at);
}

/** An instant of a day in New York. @param time HHMM */
export function easternInstant(day: Day, time: string): Date {
  const at = easternTime(`${day.replaceAll("-", "")}${time}00`);
  if (at === null) throw new RangeError(`'${day} ${time}' is no day and time`);
  return at;
}
