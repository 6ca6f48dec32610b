-- Rate limits, usage of requests, webhook endpoints.

-- REST requests answered on a day (UTC), and of these those answered 4xx or 5xx; live items delivered, where `feed` counts
-- the ordinals that processes have taken to number them.
alter table usage_days
  add column requests bigint not null default 0,
  add column errors bigint not null default 0,
  add column delivered bigint not null default 0;
create index usage_days_day on usage_days (day);

-- Token buckets of requests, shared by all processes: tokens at refilled_at; granted is what the last taking got
-- (see account/rate-limit.ts). Unlogged: after a crash of the database every bucket is full again, which harms nobody,
-- and no request waits for a disk.
create unlogged table rate_buckets (
  account_id uuid not null,
  bucket text not null,
  tokens double precision not null,
  granted int not null,
  refilled_at timestamptz not null,
  primary key (account_id, bucket)
) with (fillfactor = 50);

-- secret: sealed with the operator's key (see account/sealed-secrets.ts). The counters are those of deliveries;
-- matched_today and delivered_today count on counted_on.
create table webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  url text not null,
  description text,
  status text not null check (status in ('enabled', 'disabled', 'auto_disabled')),
  disabled_reason text,
  filters json not null,
  secret bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  failing_since timestamptz,
  last_delivery_at timestamptz,
  last_status int,
  matched_total bigint not null default 0,
  delivered_total bigint not null default 0,
  counted_on date,
  matched_today bigint not null default 0,
  delivered_today bigint not null default 0
);
create index webhook_endpoints_account on webhook_endpoints (account_id, created_at, id);
