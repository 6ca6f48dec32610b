import type { Generated } from "kysely";

/** The tables as kysely sees them; migrations/ is the truth. int8 is read as a number, timestamptz as a Date. */
export interface Tables {
  settings: { name: string; value: string };
  log_head: { only_row: Generated<boolean>; epoch: string; last_seq: number };
  items: {
    seq: number;
    id: string;
    published_at: Date;
    scraped_at: Date;
    actionable: boolean | null;
    sentiment: number | null;
    terms: number[];
  };
  item_bodies: { id: string; published_at: Date; doc: string; detail: string; body: string };
  scores: {
    item_id: string;
    published_at: Date;
    model: string;
    model_version: string;
    scored_at: Date;
    verdict: unknown;
  };
  item_keys: { id: string; seq: number; unique_id: string; published_at: Date };
  item_aliases: { alias: string; item_id: string };
  terms: { id: Generated<number>; kind: string; value: string; count: number; latest_at: Date };
  accounts: { id: string; name: string; plan: string; created_at: Date };
  keys: {
    id: string;
    account_id: string;
    name: string;
    hash: Uint8Array;
    prefix: string;
    last4: string;
    created_at: Date;
    last_used_at: Date | null;
    expires_at: Date | null;
    revoked_at: Date | null;
  };
  usage_days: { account_id: string; day: string; feed: number };
  sources: {
    id: string;
    etag: string | null;
    last_modified: string | null;
    backfilled: Generated<boolean>;
    walking: Generated<boolean>;
    last_poll_at: Date | null;
    last_ok_at: Date | null;
    next_poll_at: Date | null;
    newest_item_at: Date | null;
    items: Generated<number>;
    failures: Generated<number>;
    last_error: string | null;
  };
}
