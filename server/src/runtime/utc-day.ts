/** The day of a moment in UTC, by which everything daily is counted: `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
