/** The day of a moment in UTC, by which everything daily is counted: `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export const dayMs = 86_400_000;

/** Until everything daily counts anew; at least 1. */
export function secondsToNextDay(at: Date): number {
  return Math.ceil((dayMs - (at.getTime() % dayMs)) / 1000);
}
