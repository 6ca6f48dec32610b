-- How far a process is with pro: verdicts that it gave in the minute, and texts that waited at its end.
alter table process_minutes add column verdicts bigint not null default 0, add column score_queue int not null default 0;
