-- Whether the host of a source was reached by its last poll. doubted: it was not, and no other source was reached
-- since: it may be our own network. unreached: it was not, while others were. unknown: the poll does not tell.
alter table sources add column reach text not null default 'unknown'
  check (reach in ('unknown', 'reached', 'doubted', 'unreached'));
-- Since when without a break it is reached, or is not (doubted and unreached are one time).
alter table sources add column reach_since timestamptz;
-- Host and port of its address, as the process that polled it last was told.
alter table sources add column host text;
