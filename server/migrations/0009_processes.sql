-- Processes that may write to the log. One that has not been seen for a minute is gone.
create table processes (
  id uuid primary key,
  seen_at timestamptz not null
) with (fillfactor = 50);
