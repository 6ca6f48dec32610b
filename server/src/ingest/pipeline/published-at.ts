import { monthOf } from "../../store/log/partitions.ts";
import type { RawItem } from "../raw-item.ts";

const futureMs = 5 * 60_000;
const lateFilingMs = 30 * 60_000;
/** Nothing was published on the web before; a date like this is a broken one. */
const earliest = new Date("1990-01-01T00:00:00Z");
/** What is news now was not published longer ago: all yearly reports and late corrections are within. */
const mostAgeMs = 400 * 86_400_000;
/** Months beyond that which one answer may fill: each new one is three tables with their indexes. */
const mostPastMonths = 24;

/**
 * From when on the times of an answer's items count. What is read live is of the last 400 days; the first walk over a
 * source, and what the operator reads again, also fill the newest 24 months with items before that; a push is the
 * operator's own word.
 */
export function oldestCounted(
  items: readonly Pick<RawItem, "publishedAt" | "seenAt">[],
  { sourceId, backfill }: { readonly sourceId: string | null; readonly backfill: boolean },
): Date {
  const [first] = items;
  if (first === undefined || sourceId === null) return earliest;
  const live = new Date(first.seenAt.getTime() - mostAgeMs);
  if (!backfill) return live;
  const past = items.flatMap(({ publishedAt: stated }) =>
    stated !== null && stated < live && stated >= earliest ? [monthOf(stated)] : [],
  );
  const month = [...new Set(past)].sort().at(-mostPastMonths);
  return month === undefined ? earliest : new Date(`${month.slice(0, 4)}-${month.slice(4)}-01T00:00:00Z`);
}

/**
 * The time an item is listed under: the source's, unless it gives none, only a day, or one in the future; then the time
 * of first sight; likewise before `oldest`. A filing released late counts from first sight too, or it would slip in behind a
 * client that pages.
 * @param backfill the first walk over a source, before anybody reads it: all times of the source count
 */
export function publishedAt(
  {
    publishedAt: stated,
    precision,
    filing,
  }: Pick<RawItem, "publishedAt" | "precision"> & { readonly filing: object | null },
  firstSeen: Date,
  { backfill, oldest = earliest }: { readonly backfill: boolean; readonly oldest?: Date },
): Date {
  if (stated === null || stated < oldest || stated.getTime() > firstSeen.getTime() + futureMs)
    return firstSeen;
  if (backfill) return stated;
  const lateFiling = filing !== null && stated.getTime() < firstSeen.getTime() - lateFilingMs;
  return precision !== "second" || lateFiling ? firstSeen : stated;
}
