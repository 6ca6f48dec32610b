-- Revisions, stories, shared intake: leases, host pace, documents to read, gaps, kept answers.

-- Versions that a later one replaced, under the seq they were published with: a position of the log shows the same for
-- ever. item_keys, items and item_bodies hold the newest version of each item.
create table item_versions (
  seq bigint primary key,
  id uuid not null,
  published_at timestamptz not null,
  doc text not null,
  detail text not null
);
create index item_versions_item on item_versions (id, seq);

-- source_id: the entry of the sources that brought the item, which alone may revise it; null: pushed.
-- content_key: digest of what that source said of it last; null: not known, and never revised (items of before).
alter table item_keys
  add column source_id text,
  add column content_key text;

-- The item repeats a story that the feed already carries (its story_id is another item's id).
alter table items add column copy boolean not null default false;

-- What tells a story by, for the items of the last 48 hours (see feed/story.ts); older rows are dropped.
create table story_sketches (
  seq bigint primary key,
  id uuid not null,
  seen_at timestamptz not null,
  sketch json not null
);
create index story_sketches_seen on story_sketches (seen_at);

-- Filings by issuer and form: where an amendment finds its original.
create table filings (
  accession text primary key,
  item_id uuid not null,
  cik text not null,
  form text not null,
  period text,
  published_at timestamptz not null
);
create index filings_issuer on filings (cik, form, published_at);

-- Documents of stored items that are still to be read: the item is in the feed, its text comes as a revision.
-- class: 2 is read before 1, 1 before 0. raw: the item as its source listed it.
create table pending_documents (
  item_id uuid primary key,
  source_id text not null,
  class smallint not null,
  raw json not null,
  tries int not null default 0,
  due_at timestamptz not null,
  queued_at timestamptz not null default now(),
  lease_until timestamptz
);
create index pending_documents_due on pending_documents (class desc, due_at);

-- lease_*: the process that polls the source now. swept_at, reconciled_to: see ingest/adapter.ts.
-- walk_from: the newest item when a walk began that has not ended. typical_gap_s: smoothed time between its items.
-- lags_ms: source time to first sight of its last live items.
alter table sources
  add column lease_owner uuid,
  add column lease_until timestamptz,
  add column walk_from timestamptz,
  add column swept_at timestamptz,
  add column reconciled_to text,
  add column typical_gap_s real,
  add column lags_ms int[] not null default '{}',
  add column moved_to text;

-- Politeness towards a host, over all processes: when the next request may start, and until when none may.
create table hosts (
  host text primary key,
  next_at timestamptz not null,
  quiet_until timestamptz
) with (fillfactor = 50);

-- Times of a source that were never seen: its window held only new items when it was read again.
create table gaps (
  id bigint generated always as identity primary key,
  source_id text not null,
  from_at timestamptz,
  to_at timestamptz,
  noticed_at timestamptz not null,
  reason text not null,
  closed_at timestamptz
);
create index gaps_source on gaps (source_id, noticed_at);

-- Answers that brought something, gzipped, for some days: a corrected reader can read them again.
create table raw_answers (
  id bigint generated always as identity primary key,
  source_id text not null,
  url text not null,
  headers json not null,
  fetched_at timestamptz not null,
  sha256 text not null,
  body bytea not null
);
alter table raw_answers alter column body set storage external;
create index raw_answers_fetched on raw_answers (fetched_at);
create index raw_answers_source on raw_answers (source_id, fetched_at);

-- Subscriptions to hubs (WebSub): a ping makes the source due at once.
create table hub_subscriptions (
  source_id text primary key,
  hub text not null,
  topic text not null,
  token text not null unique,
  secret text not null,
  asked_at timestamptz not null,
  confirmed_until timestamptz,
  pinged_at timestamptz
);

-- Files that the service refreshes by itself, such as the SEC's list of tickers. asked_at: by one process at a time.
create table reference_files (
  name text primary key,
  asked_at timestamptz not null,
  fetched_at timestamptz,
  body text
);
