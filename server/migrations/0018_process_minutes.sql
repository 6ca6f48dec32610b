-- What each process did in each minute of the last day, for the operator. Each process writes its own rows every few
-- seconds; all delete what is older.
create table process_minutes (
  process_id uuid not null,
  minute timestamptz not null,
  seen_at timestamptz not null,
  host text not null,
  pid int not null,
  roles text[] not null,
  version text not null,
  started_at timestamptz not null,
  items int not null,
  revisions int not null,
  sources json not null,
  source_p50_ms int,
  source_p99_ms int,
  receive_p50_ms int,
  receive_p99_ms int,
  streams int not null,
  stream_items bigint not null,
  deliveries bigint not null,
  failed_deliveries bigint not null,
  cpu float8 not null,
  rss_bytes bigint not null,
  event_loop_p99_ms float8 not null,
  log_head bigint not null,
  disk_free_bytes bigint,
  primary key (process_id, minute)
) with (fillfactor = 50);
create index process_minutes_minute on process_minutes (minute);
