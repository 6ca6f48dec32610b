-- resets: rises whenever its owner decides anew (another URL, `enabled` given): what was found of it before, and what
-- attempts tell that began before, is of no account any more.
alter table webhook_endpoints add column resets int not null default 0;
