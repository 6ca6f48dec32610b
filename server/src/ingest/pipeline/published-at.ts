import type { RawItem } from "../raw-item.ts";

const futureMs = 5 * 60_000;
const lateFilingMs = 30 * 60_000;
/** Nothing was published on the web before; a date like this is a broken one. */
const earliest = new Date("1990-01-01T00:00:00Z");

/**
 * The time an item is listed under: the source's, unless it gives none, only a day, or one in the future; then the time
 * of first sight. A filing released late counts from first sight too, or it would slip in behind a client that pages.
 * @param backfill the first walk over a source, before anybody reads it: all times of the source count
 */
export function publishedAt(
  {
    publishedAt: stated,
    precision,
    filing,
  }: Pick<RawItem, "publishedAt" | "precision"> & { readonly filing: object | null },
  firstSeen: Date,
  { backfill }: { backfill: boolean },
): Date {
  if (stated === null || stated < earliest || stated.getTime() > firstSeen.getTime() + futureMs)
    return firstSeen;
  if (backfill) return stated;
  const lateFiling = filing !== null && stated.getTime() < firstSeen.getTime() - lateFilingMs;
  return precision !== "second" || lateFiling ? firstSeen : stated;
}
