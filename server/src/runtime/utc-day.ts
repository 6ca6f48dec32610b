/** The UTC day of a moment, `YYYY-MM-DD`: the day of all daily counts. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export const dayMs = 86_400_000;

/** Until the daily counts begin anew; at least 1. */
export function secondsToNextDay(at: Date): number {
  return Math.ceil((dayMs - (at.getTime() % dayMs)) / 1000);
}
