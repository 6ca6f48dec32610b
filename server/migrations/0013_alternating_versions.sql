-- Digests of the versions before the newest, oldest first, the last few: a source that goes back and forth between two
-- versions of an item would revise it at every poll.
alter table item_keys add column past_keys text[];

-- Versions of a source that were not published for that, and when the last was met.
alter table sources
  add column damped bigint not null default 0,
  add column damped_at timestamptz;
