/**
 * Whether a day is a legal public holiday of the United States, as observed: one on a Saturday is observed on the Friday
 * before, one on a Sunday on the Monday after. EDGAR is closed on these days.
 * @param day YYYY-MM-DD
 * Source: 5 U.S.C. 6103. Days off by executive order (often 24 December) follow no rule and are not included.
 */
export function isFederalHoliday(day: string): boolean {
  const year = Number(day.slice(0, 4));
  // New Year's Day of the next year may be observed on 31 December of this one.
  return holidays(year).includes(day) || holidays(year + 1).includes(day);
}

const monday = 1;
const thursday = 4;

function holidays(year: number): string[] {
  return [
    observed(year, 1, 1),
    nthWeekday(year, 1, monday, 3),
    nthWeekday(year, 2, monday, 3),
    lastMondayOfMay(year),
    ...(year >= 2021 ? [observed(year, 6, 19)] : []),
    observed(year, 7, 4),
    nthWeekday(year, 9, monday, 1),
    nthWeekday(year, 10, monday, 2),
    observed(year, 11, 11),
    nthWeekday(year, 11, thursday, 4),
    observed(year, 12, 25),
  ];
}

function observed(year: number, month: number, day: number): string {
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return isoDay(year, month, weekday === 6 ? day - 1 : weekday === 0 ? day + 1 : day);
}

/** @param weekday 0 Sunday .. 6 Saturday @param n from 1 */
function nthWeekday(year: number, month: number, weekday: number, n: number): string {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return isoDay(year, month, 1 + ((weekday - first + 7) % 7) + (n - 1) * 7);
}

function lastMondayOfMay(year: number): string {
  const last = new Date(Date.UTC(year, 4, 31)).getUTCDay();
  return isoDay(year, 5, 31 - ((last + 6) % 7));
}

/** Day 0 is the last day of the month before. */
function isoDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
