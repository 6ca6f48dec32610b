-- Delivery to webhook endpoints: a position in the log a shard, rows for what failed only.

-- Endpoints are dealt over 64 shards by the first byte of their id. A shard belongs to one worker, until its lease ends
-- or it is taken; every taking raises the fence. Up to `cursor` every item was matched, counted and settled, but for
-- endpoints that have a position of their own and deliveries that are in webhook_exceptions. last_commit tells a worker
-- whose connection broke at a commit whether it was stored.
create table webhook_shards (
  shard smallint primary key,
  owner uuid,
  fence bigint not null default 0,
  lease_until timestamptz,
  cursor bigint not null,
  last_commit uuid
) with (fillfactor = 50);
insert into webhook_shards (shard, cursor)
select shard, last_seq from generate_series(0, 63) as shard, log_head;

-- Workers that live share the shards evenly.
create table webhook_workers (
  id uuid primary key,
  seen_at timestamptz not null
) with (fillfactor = 50);

-- position: seq up to which all is settled; null: where its shard is. joined: its matches are counted with its shard's;
-- before that none behind `position` is counted. run: rises whenever it is enabled, which begins at the head of the log.
-- changed_at: of whatever a worker must learn of.
-- replay_seq, replay_to: of the log, what is still to be sent again lies behind the first, up to the second.
-- breaker_openings, breaker_until: how often and until when it is kept off; null: it is not.
alter table webhook_endpoints
  add column position bigint,
  add column joined boolean not null default true,
  add column run int not null default 0,
  add column changed_at timestamptz not null default clock_timestamp(),
  add column max_age_s int not null default 86400,
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  add column replay_seq bigint,
  add column replay_to bigint,
  add column breaker_openings int,
  add column breaker_until timestamptz,
  add column failed_total bigint not null default 0,
  add column expired_total bigint not null default 0,
  add column failed_today bigint not null default 0,
  add column expired_today bigint not null default 0;
alter table webhook_endpoints alter column joined set default false;
alter table webhook_endpoints set (fillfactor = 50);
create index webhook_endpoints_shard on webhook_endpoints ((get_byte(uuid_send(id), 0) % 64));
create index webhook_endpoints_changed on webhook_endpoints (changed_at);

-- Endpoints that were deleted lately, for the workers to learn of it.
create table webhook_removals (
  id uuid primary key,
  removed_at timestamptz not null
);

-- Deliveries that failed or hang: due again at due_at, or given up (dead). counts: whether its success is one of those
-- that the endpoint's counters owe; not when somebody asked for a delivery once more.
create table webhook_exceptions (
  endpoint_id uuid not null,
  seq bigint not null,
  item_id uuid not null,
  state text not null check (state in ('due', 'dead')),
  trigger text not null check (trigger in ('item', 'resend', 'replay')),
  counts boolean not null,
  attempts smallint not null,
  due_at timestamptz not null,
  first_at timestamptz not null,
  last_status int,
  last_error text,
  primary key (endpoint_id, seq)
) with (fillfactor = 70);
create index webhook_exceptions_due on webhook_exceptions (endpoint_id, due_at) where state = 'due';
create index webhook_exceptions_dead on webhook_exceptions (due_at) where state = 'dead';

-- Attempts: every failure, and successes as far as they are few; for some days.
create table webhook_attempts (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null,
  seq bigint not null,
  item_id uuid not null,
  attempt smallint not null,
  trigger text not null,
  attempted_at timestamptz not null,
  ok boolean not null,
  status int,
  error text,
  ms int not null,
  response text
);
create index webhook_attempts_endpoint on webhook_attempts (endpoint_id, seq, id);
create index webhook_attempts_at on webhook_attempts (attempted_at);
