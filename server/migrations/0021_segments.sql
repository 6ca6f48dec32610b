-- The index of lists: immutable stretches of items that follow each other in the order of the list, up to 65,536 of one
-- month. A search reads the bytes of `body` that `head` names, never all of it.
create table segments (
  id bigint generated always as identity primary key,
  -- Of the monthly tables of items: a segment is valid as long as they are.
  month text not null,
  head bytea not null,
  body bytea not null,
  -- Replaced by others; processes that have not noticed yet may still read it.
  retired_at timestamptz
);
-- Not compressed, so that a part can be read by itself.
alter table segments alter column body set storage external;

-- One row.
create table segment_state (
  only_row boolean primary key default true check (only_row),
  -- Grows with every change of the segments.
  generation bigint not null default 0,
  -- Entries of the log up to it are in the segments.
  folded_seq bigint not null,
  -- A process that has read the log up to it may show the segments.
  as_of bigint not null,
  -- The first build goes down the list: older items than this place are not in segments yet.
  building boolean not null,
  built_at timestamptz,
  built_id uuid,
  -- The process that changes the segments, by lease.
  worker text,
  lease_until timestamptz
);
insert into segment_state (folded_seq, as_of, building)
select last_seq, last_seq, last_seq > 0 from log_head;
