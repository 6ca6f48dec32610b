import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import { type NewItem, sendersOf } from "../../feed/item.ts";
import type { Queries, Write } from "../engine/db.ts";
import type { AppendRequest } from "./append-request.ts";

type Item = Pick<FeedItem, "id" | "filing" | "published_at">;

function filingRow({ id, filing, published_at }: Item) {
  if (filing === null || filing.cik === null) return null;
  const { accession, cik, form, period, filed, parties } = filing;
  return { accession, item_id: id, cik, form, period, filed, senders: sendersOf(parties), published_at };
}

/** Stores filings for amendments to find. */
export function insertFilings(items: readonly Item[]): readonly Write[] {
  const all = items.map(filingRow).filter((row) => row !== null);
  // A filing and its revision may be stored at once, and a statement writes a row once: the last one counts.
  const rows = [...new Map(all.map((row) => [row.accession, row])).values()];
  if (rows.length === 0) return [];
  const write = sql`
    insert into filings (accession, item_id, cik, form, period, published_at, senders, filed)
    select accession, item_id, cik, form, period, published_at, senders, filed
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      accession text, item_id uuid, cik text, form text, period text, published_at timestamptz, senders text[],
      filed text)
    on conflict (accession) do update set cik = excluded.cik, period = coalesce(excluded.period, filings.period),
      senders = excluded.senders, filed = coalesce(excluded.filed, filings.filed)`;
  return [write];
}

/** Whether a revision changes what amendments find the filing by: its document names who filed it, and its period. */
export function isFoundOtherwise(before: Item, after: Item): boolean {
  return JSON.stringify(filingRow(before)) !== JSON.stringify(filingRow(after));
}

/**
 * The requests with amendments linked to their originals: the last filing that is as the amendment seeks it. An original
 * that the amendment itself names stays.
 */
export async function withOriginals(
  tx: Queries,
  requests: readonly AppendRequest[],
): Promise<readonly AppendRequest[]> {
  const wanted = requests.flatMap(({ items }) => items.flatMap((newItem) => amendment(newItem) ?? []));
  if (wanted.length === 0) return requests;
  const found = await sql<{ accession: string; original: string }>`
    select r.accession, f.accession as original
    from json_to_recordset(${JSON.stringify(wanted)}::json) as r (
      accession text, cik text, forms text[], senders text[], filed text, of_period boolean, period text,
      published_at timestamptz)
    cross join lateral (
      select accession from filings f
      where f.cik = r.cik and f.form = any(r.forms) and f.published_at <= r.published_at
        and (cardinality(r.senders) = 0 or f.senders && r.senders)
        and (r.filed is null or f.filed = r.filed)
        and (not r.of_period or f.period = r.period)
      order by f.published_at desc limit 1
    ) f`.execute(tx);
  const originals = new Map(found.rows.map(({ accession, original }) => [accession, original]));
  return requests.map((request) => ({
    ...request,
    items: request.items.map((newItem) => withOriginal(newItem, originals)),
  }));
}

function amendment({ item: { filing, published_at }, original }: NewItem) {
  if (filing === null || filing.cik === null || filing.amends !== null || original === null) return null;
  const { accession, cik, period } = filing;
  const { ofPeriod, ...sought } = original;
  return { accession, cik, ...sought, of_period: ofPeriod, period, published_at };
}

function withOriginal(newItem: NewItem, originals: ReadonlyMap<string, string>): NewItem {
  const { filing } = newItem.item;
  const original = filing === null ? undefined : originals.get(filing.accession);
  if (filing === null || original === undefined) return newItem;
  return { ...newItem, item: { ...newItem.item, filing: { ...filing, amends: original } } };
}
