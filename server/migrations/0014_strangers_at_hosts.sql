-- Turns and quiet of requests that a host's own sources did not make: links and redirects that lead there from elsewhere.
alter table hosts
  add column strangers_next_at timestamptz,
  add column strangers_quiet_until timestamptz;
