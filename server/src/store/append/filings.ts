import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import type { NewItem } from "../../feed/item.ts";
import type { Queries, Write } from "../engine/db.ts";
import type { AppendRequest } from "./append-request.ts";

/** Stores filings for amendments to find: new ones, and those whose issuer has changed. */
export function insertFilings(items: readonly FeedItem[]): readonly Write[] {
  const rows = items.flatMap(({ id, filing, published_at }) =>
    filing === null || filing.cik === null
      ? []
      : [
          {
            accession: filing.accession,
            item_id: id,
            cik: filing.cik,
            form: filing.form,
            period: filing.period,
            published_at,
          },
        ],
  );
  if (rows.length === 0) return [];
  const write = sql`
    insert into filings (accession, item_id, cik, form, period, published_at)
    select accession, item_id, cik, form, period, published_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      accession text, item_id uuid, cik text, form text, period text, published_at timestamptz)
    on conflict (accession) do update set cik = excluded.cik, period = coalesce(excluded.period, filings.period)`;
  return [write];
}

/**
 * The requests with amendments linked to their originals: the last filing of that form by the same issuer, and of the
 * same period where both state one. An original that the amendment itself names stays.
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
      accession text, cik text, forms text[], period text, published_at timestamptz)
    cross join lateral (
      select accession from filings f
      where f.cik = r.cik and f.form = any(r.forms) and f.published_at <= r.published_at
        and (r.period is null or f.period is null or f.period = r.period)
      order by f.published_at desc limit 1
    ) f`.execute(tx);
  const originals = new Map(found.rows.map(({ accession, original }) => [accession, original]));
  return requests.map((request) => ({
    ...request,
    items: request.items.map((newItem) => withOriginal(newItem, originals)),
  }));
}

function amendment({ item: { filing, published_at }, amendsForms }: NewItem) {
  if (filing === null || filing.cik === null || filing.amends !== null || amendsForms.length === 0)
    return null;
  const { accession, cik, period } = filing;
  return { accession, cik, forms: amendsForms, period, published_at };
}

function withOriginal(newItem: NewItem, originals: ReadonlyMap<string, string>): NewItem {
  const { filing } = newItem.item;
  const original = filing === null ? undefined : originals.get(filing.accession);
  if (filing === null || original === undefined) return newItem;
  return { ...newItem, item: { ...newItem.item, filing: { ...filing, amends: original } } };
}
