-- Score calls of an account on a day (UTC); a call that failed is given back.
alter table usage_days add column score int not null default 0;

-- Answers to calls that named an Idempotency-Key, for 24 hours. answer: null while the first call runs.
create table idempotent_calls (
  account_id uuid not null,
  key text not null,
  request_hash text not null,
  answer text,
  called_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotent_calls_age on idempotent_calls (called_at);
