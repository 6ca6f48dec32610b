import { monthOf } from "../../store/log/partitions.ts";
import { earliestTime as earliest } from "../../store/retention/too-old.ts";
import type { RawItem } from "../raw-item.ts";

const futureMs = 5 * 60_000;
const lateFilingMs = 30 * 60_000;
/** Live news is not older than this, which includes all yearly reports and late corrections. */
const mostAgeMs = 400 * 86_400_000;
/** Older months that one answer may fill; each new month is three tables with their indexes. */
const mostPastMonths = 24;

/**
 * The oldest publication time that counts for an answer's items. Live items must be from the last 400 days; the first
 * walk over a source, and a replay by the operator, may also fill the newest 24 months with items before that; a push
 * counts whatever its date.
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
 * The time under which an item is listed: the source's. It is the time of first sight when the source gives none, only a
 * day, one in the future, or one before `oldest`; also for a filing that was released late, which would otherwise appear
 * behind the position of a paging client.
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
