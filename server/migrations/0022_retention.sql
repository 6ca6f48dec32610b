-- kept_since: what was published before is deleted, and refused when it comes again; null: everything is kept. cleared_since:
-- before this time nothing is left. floor_seq: every entry of the log up to this seq is gone.
alter table log_head
  add column kept_since timestamptz,
  add column cleared_since timestamptz,
  add column floor_seq bigint not null default 0;

-- Months whose items are being taken out of the counts of terms, in the order of the ids of terms; counted_to is the last.
create table counted_months (
  month text primary key,
  counted_to int not null
);

-- Names of deleted items whose time a source does not tell: by them they are known when they are listed again. met_at: when
-- one was deleted or, to within some days, last listed.
create table retired_aliases (
  hash bigint primary key,
  met_at timestamptz not null
) with (fillfactor = 90);

-- 52 bits of a name: a dump gives numbers as JSON, which is exact up to 53. SHA-256, because the hashes that PostgreSQL has
-- for its indexes may change with its version.
create function alias_hash(alias text) returns bigint language sql immutable strict parallel safe as $$
  select ('x' || left(encode(sha256(convert_to(alias, 'UTF8')), 'hex'), 13))::bit(52)::bigint
$$;

-- Items of a source's last answer that were left out because they are older than what is kept.
alter table sources add column too_old int not null default 0;
