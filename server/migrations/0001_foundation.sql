-- Forward-only and immutable once merged. Runs on PostgreSQL 15+ and on PGlite.

-- Values made once per database, such as the key that signs cursors.
create table settings (
  name text primary key,
  value text not null
);

-- One row. Its lock is held from the assignment of seq to the commit, so seq is dense and commits in order, over any
-- number of processes. The epoch tells cursors of this log from those of a log that was lost or rebuilt.
create table log_head (
  only_row boolean primary key default true check (only_row),
  epoch text not null,
  last_seq bigint not null
);
insert into log_head (epoch, last_seq) values (left(replace(gen_random_uuid()::text, '-', ''), 8), 0);

-- What list queries read: narrow, one partition a month, no default partition (see store/partitions.ts).
create table items (
  seq bigint not null,
  id uuid not null,
  published_at timestamptz not null,
  scraped_at timestamptz not null,
  actionable boolean,
  sentiment smallint,
  terms int[] not null,
  primary key (published_at, id)
) partition by range (published_at);
-- fastupdate off: reads stay flat, for a third of the insert rate of the bare table.
create index items_terms on items using gin (terms) with (fastupdate = off);

-- doc: the item as GET /v1/feeds sends it, encoded once. detail: what the single read adds. body: the text scored.
create table item_bodies (
  id uuid not null,
  published_at timestamptz not null,
  doc text not null,
  detail text not null,
  body text not null,
  primary key (id, published_at)
) partition by range (published_at);

-- Append-only: a re-score adds a row.
create table scores (
  item_id uuid not null,
  published_at timestamptz not null,
  model text not null,
  model_version text not null,
  scored_at timestamptz not null,
  verdict json not null
) partition by range (published_at);
create index scores_item on scores (item_id);

-- Not partitioned: uniqueness, the single read, and the order of the log. id is the UUIDv5 of unique_id, so a unique id
-- is a unique unique_id and the text needs no index of its own.
create table item_keys (
  id uuid primary key,
  seq bigint not null unique,
  unique_id text not null,
  published_at timestamptz not null
);

-- Every form under which an item was seen; its unique_id is one of them.
create table item_aliases (
  alias text primary key,
  item_id uuid not null
);

-- Dictionary of filter values with their counts, kept by the writer in the transaction of the items.
create table terms (
  id int generated always as identity primary key,
  kind text not null,
  value text not null,
  count bigint not null,
  latest_at timestamptz not null,
  unique (kind, value)
) with (fillfactor = 70);

create table accounts (
  id uuid primary key,
  name text not null,
  plan text not null,
  created_at timestamptz not null
);

create table keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  hash bytea not null unique,
  prefix text not null,
  last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);

-- Live stream items granted to an account on a day (UTC), handed out to processes in blocks.
create table usage_days (
  account_id uuid not null references accounts (id),
  day date not null,
  feed int not null default 0,
  primary key (account_id, day)
) with (fillfactor = 70);

-- Where a source stands. Commits with the items it brought.
create table sources (
  id text primary key,
  etag text,
  last_modified text,
  -- The first walk over the source has ended: what comes later is new.
  backfilled boolean not null default false,
  -- A walk has begun to store items and not ended: newer pages may be known while older ones are not, so the next walk
  -- must not stop at a known page.
  walking boolean not null default false,
  last_poll_at timestamptz,
  last_ok_at timestamptz,
  next_poll_at timestamptz,
  newest_item_at timestamptz,
  items bigint not null default 0,
  failures int not null default 0,
  last_error text
);
