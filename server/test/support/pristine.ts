/** Makes a used database as it was after the migrations, in a fraction of the time that a new one takes. */

/** Runs statements without parameters. @returns the rows of the last one */
export type Run = (statements: string) => Promise<readonly unknown[]>;

/** What every test database on a server is set to: no test loses its server, so none waits for the server's disk. */
export const withoutWaiting = "synchronous_commit=off";

/** Every object of the schema by its oid: what was altered, dropped or made again gives another sum. */
const fingerprint = `
  select md5(string_agg(part, ',' order by part)) from (
    select format('class %s %s', oid, relkind) from pg_class where relnamespace = 'public'::regnamespace
    union all select format('column %s %s %s %s %s', attrelid, attnum, attname, atttypid, attnotnull)
      from pg_attribute join pg_class on oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
    union all select format('default %s %s', d.oid, d.adnum) from pg_attrdef d
    union all select format('constraint %s', oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select format('trigger %s %s', oid, tgenabled) from pg_trigger
    union all select format('function %s %s', oid, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all select format('setting %s', setconfig) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
        and setconfig <> '{${withoutWaiting}}'
  ) as parts (part)`;

const smallBytes = 4_000_000;

/** A sum of all rows, within a literal of SQL. */
const sumOf = (table: string): string =>
  `select md5(string_agg(t::text, '','' order by t::text)) from ${table} t`;

/** Keeps a copy of what the migrations left, and the function that restores it, in a schema of its own. */
const remember = `
  create schema pristine;
  create table pristine.tables as
    select relname::text as name, relkind as kind, false as has_rows from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p');
  create table pristine.sequences as
    select sequencename::text as name, start_value, last_value from pg_sequences where schemaname = 'public';
  do $$
    declare one text;
    begin
      for one in select name from pristine.tables loop
        execute format('create table pristine.%I as table public.%I', 'rows_' || one, one);
        execute format('update pristine.tables set has_rows = exists (select from public.%I) where name = %L', one, one);
      end loop;
    end $$;
  create table pristine.fingerprint as ${fingerprint};
  create function pristine.restore() returns boolean language plpgsql as $$
    declare
      one record;
      same boolean;
      large text[] := '{}';
    begin
      for one in select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and relname not in (select name from pristine.tables)
      loop
        execute format('drop table if exists public.%I cascade', one.name);
      end loop;
      if (select * from pristine.fingerprint) is distinct from (${fingerprint}) then return false; end if;
      -- To truncate a table makes new files for it and each of its indexes, which costs more than to delete some rows.
      for one in select name from pristine.tables
        where kind = 'r' and pg_total_relation_size(format('public.%I', name)::regclass) > ${smallBytes}
      loop
        large := large || format('public.%I', one.name);
      end loop;
      if cardinality(large) > 0 then
        execute 'truncate ' || array_to_string(large, ', ') || ' cascade';
      end if;
      -- Without triggers and foreign keys: all that refers to a row goes too.
      perform set_config('session_replication_role', 'replica', true);
      for one in select name, has_rows from pristine.tables where kind = 'r' loop
        if one.has_rows then
          execute format('select (${sumOf("public.%1$I")}) is not distinct from (${sumOf("pristine.%2$I")})',
            one.name, 'rows_' || one.name) into same;
          continue when same;
        end if;
        execute format('delete from public.%I', one.name);
        if one.has_rows then
          execute format('insert into public.%I table pristine.%I', one.name, 'rows_' || one.name);
        end if;
      end loop;
      for one in select s.name, s.start_value, s.last_value from pristine.sequences s
        join pg_sequences now on now.schemaname = 'public' and now.sequencename = s.name
        where now.last_value is distinct from s.last_value
      loop
        perform setval(format('public.%I', one.name), coalesce(one.last_value, one.start_value), one.last_value is not null);
      end loop;
      return true;
    end $$;`;

/** Once, after the migrations. */
export async function rememberPristine(run: Run): Promise<void> {
  await run(remember);
}

/** @returns false: the schema was changed; the database is of no more use */
export async function restorePristine(run: Run): Promise<boolean> {
  const rows = await run("select pristine.restore() as restored");
  return JSON.stringify(rows) === '[{"restored":true}]';
}
