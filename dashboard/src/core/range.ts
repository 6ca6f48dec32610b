import { dayTime } from "./format.ts";

/** A range of publication. Lists have it, streams have none. */
export interface Range {
  readonly since: string | null;
  readonly until: string | null;
}

/** A time as addresses and requests have it. */
export const iso = (ms: number): string => new Date(ms).toISOString();

const timeIn = (text: string | undefined) =>
  text === undefined || Number.isNaN(Date.parse(text)) ? null : text;

export const rangeOf = (params: Readonly<Record<string, string | undefined>>): Range => ({
  since: timeIn(params.since),
  until: timeIn(params.until),
});

export const isOpen = ({ since, until }: Range): boolean => since === null && until === null;

/** The range in words. */
export function rangeWords({ since, until }: Range): string {
  const time = (at: string) => dayTime(Date.parse(at));
  if (since !== null) return until === null ? `From ${time(since)}` : `${time(since)} to ${time(until)}`;
  return until === null ? "" : `Until ${time(until)}`;
}
