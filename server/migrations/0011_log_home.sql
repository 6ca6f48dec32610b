-- Where a log lives, so that it is known again after a restore or a failover: the cluster and its timeline, the database,
-- the table, and for the embedded database its directory (see store/db.ts). What a role may not ask is left out.
create function log_home() returns text language plpgsql as $$
declare
  cluster text;
  timeline text;
begin
  if has_function_privilege('pg_control_system()', 'execute') then
    select system_identifier::text into cluster from pg_control_system();
  end if;
  if has_function_privilege('pg_current_wal_insert_lsn()', 'execute')
    and has_function_privilege('pg_walfile_name(pg_lsn)', 'execute') then
    begin
      timeline := left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
    exception when feature_not_supported then
      -- Hosted variants without a write-ahead log of their own.
    end;
  end if;
  return concat_ws('/', coalesce(cluster, '-'), coalesce(timeline, '-'),
    (select oid from pg_database where datname = current_database()), 'log_head'::regclass::oid,
    coalesce(nullif(current_setting('tapewire.directory', true), ''), '-'));
end
$$;

-- home: where the epoch was made; null: not known yet. From another home the log may have lost its end, and a new epoch
-- is made before anything is appended.
alter table log_head add column home text;
