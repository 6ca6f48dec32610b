-- Processes that serve streams. One that has not been seen for some seconds is gone, and its streams with it.
create table gateways (
  id uuid primary key,
  seen_at timestamptz not null
) with (fillfactor = 50);

-- Open streams of an account in each of them.
create table stream_slots (
  account_id uuid not null,
  gateway uuid not null,
  streams int not null,
  primary key (account_id, gateway)
) with (fillfactor = 50);

-- Items of snapshots sent on a day (UTC) to an account whose plan has an allowance of them.
alter table usage_days add column snapshot int not null default 0;
