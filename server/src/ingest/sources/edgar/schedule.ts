import { addDays, businessDayBefore, easternDay, easternInstant, isBusinessDay } from "./calendar.ts";
import type { Day } from "./time.ts";

/**
 * Most forms accepted after 17:30 appear on the next business day from 06:00 on, at the position of their acceptance:
 * behind filings that are known already. The later times are for late releases. Source: recorded snapshots.
 */
const rescanTimes = ["0600", "0605", "0630", "0730"];
const hiddenFrom = "1730";
/** Without a recorded sweep, one is due while filings of the morning may still appear behind known ones. */
const morning = { from: "0600", to: "0900" };
/** By then the daily index of a day is complete; it is built from 22:00 on. */
const indexFrom = "2250";
const mostDaysBack = 7;

/**
 * How far back a walk over the live list that begins now must go.
 * @param sweptAt when the last walk with a floor began
 * @returns 17:30 in New York of the business day before the first missed re-scan, at most 7 days ago; null when none is
 * due
 */
export function rescanFloor(now: Date, sweptAt: Date | null): Date | null {
  // Swept in the future: the clock was put back since.
  const due = sweptAt === null || sweptAt > now ? morningRescan(now) : firstRescan(sweptAt, now);
  if (due === null) return null;
  const floor = easternInstant(businessDayBefore(due), hiddenFrom);
  return new Date(Math.max(floor.getTime(), now.getTime() - mostDaysBack * 86_400_000));
}

function morningRescan(now: Date): Day | null {
  const day = easternDay(now);
  const isMorning = now >= easternInstant(day, morning.from) && now < easternInstant(day, morning.to);
  return isMorning && isBusinessDay(day) ? day : null;
}

/** The day of the first re-scan in (after, now]; looks back at most `mostDaysBack`. */
function firstRescan(after: Date, now: Date): Day | null {
  const today = easternDay(now);
  const earliest = addDays(today, -mostDaysBack);
  const swept = easternDay(after);
  for (let day = swept > earliest ? swept : earliest; day <= today; day = addDays(day, 1)) {
    if (!isBusinessDay(day)) continue;
    const times = rescanTimes.map((time) => easternInstant(day, time));
    if (times.some((at) => at > after && at <= now)) return day;
  }
  return null;
}

/**
 * The first business day whose index is out and not yet reconciled, at most 7 days back.
 * @param reconciledTo the last reconciled day; null for none: then only the newest index is due, because the live list
 * reaches no further back. One in the future is from before the clock was put back: the days before now may be missing
 */
export function firstUnreconciled(now: Date, reconciledTo: Day | null): Day | null {
  const today = easternDay(now);
  const isOut = (day: Day) => isBusinessDay(day) && now >= easternInstant(day, indexFrom);
  const newest = isOut(today) ? today : businessDayBefore(today);
  const earliest = addDays(today, -mostDaysBack);
  if (reconciledTo === null) return newest;
  const next = reconciledTo > today ? earliest : addDays(reconciledTo, 1);
  for (let day = next > earliest ? next : earliest; day <= newest; day = addDays(day, 1))
    if (isBusinessDay(day)) return day;
  return null;
}

/** When the filings of a day's index were accepted: what is accepted after 17:30 is mostly filed on the next business day. */
export function indexedTimes(day: Day): { readonly from: Date; readonly to: Date } {
  return { from: easternInstant(businessDayBefore(day), hiddenFrom), to: easternInstant(day, hiddenFrom) };
}
