-- What was delivered each hour (UTC), for some days. latency: number of attempts by how long they took, see
-- feed/latency-bins.ts.
create table webhook_hours (
  endpoint_id uuid not null,
  hour timestamptz not null,
  matched bigint not null,
  delivered bigint not null,
  failed bigint not null,
  expired bigint not null,
  latency int[] not null,
  primary key (endpoint_id, hour)
) with (fillfactor = 50);
create index webhook_hours_hour on webhook_hours (hour);
