-- People, their sessions in the dashboard, and what they save there.

create table people (
  id uuid primary key,
  -- In lower case.
  email text unique,
  name text not null,
  role text not null check (role in ('operator', 'member')),
  -- A hash by scrypt with its parameters; null: signs in by link or identity provider only.
  password text,
  created_at timestamptz not null,
  -- When an identity provider showed that the address is the person's. Else whoever accepted the invitation chose the password.
  verified_at timestamptz
);

create table memberships (
  account_id uuid not null references accounts (id),
  person_id uuid not null references people (id),
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at timestamptz not null,
  primary key (account_id, person_id)
);
create index memberships_person on memberships (person_id);

create table sessions (
  id uuid primary key,
  hash bytea not null unique,
  kind text not null check (kind in ('person', 'key', 'admin')),
  person_id uuid references people (id),
  key_id uuid references keys (id),
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  user_agent text not null,
  network text not null,
  revoked_at timestamptz
);
create index sessions_person on sessions (person_id);

-- Used links stay until they would have expired, so that a second use is told apart from a guess.
create table sign_in_links (
  id uuid primary key,
  hash bytea not null unique,
  purpose text not null check (purpose in ('first', 'open', 'invite', 'reset')),
  person_id uuid references people (id),
  account_id uuid references accounts (id),
  role text,
  email text,
  created_by text not null,
  -- The person who made it; null: the operator.
  maker uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_account on sign_in_links (account_id);

-- Attempts of the current hour, by the hash of an e-mail address, alone or with a network.
create table sign_in_attempts (
  subject bytea primary key,
  started_at timestamptz not null,
  count int not null
);

-- Sign-ins that wait for the answer of an identity provider.
create table oidc_attempts (
  hash bytea primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  -- Who was signed in when it began; null: nobody.
  person_id uuid,
  expires_at timestamptz not null
);

-- kind tab: the key of a browser tab, for minutes, with the rights of its session. Sessions are not part of a dump, and
-- keys come in any order there, so neither is a foreign key.
alter table keys
  add column kind text not null default 'live' check (kind in ('live', 'tab')),
  add column scope text not null default 'full' check (scope in ('full', 'read', 'operator')),
  add column session_id uuid,
  add column created_by uuid references people (id),
  add column replaces uuid;
create index keys_session on keys (session_id) where session_id is not null;
create index keys_account on keys (account_id);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  account_id uuid,
  network text,
  detail json not null
);
create index audit_account on audit (account_id, id);
create index audit_at on audit (at);

create table views (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- null: everybody of the account sees it.
  person_id uuid references people (id),
  -- Who may change it besides owners; null: made in a session without a person.
  created_by uuid references people (id),
  name text not null,
  filters json not null,
  columns json not null,
  alert json,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index views_account on views (account_id);
