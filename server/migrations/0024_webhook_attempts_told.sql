-- compatible_from: 23
-- When an endpoint was last tried, and why there was no answer: the status alone does not tell an endpoint that was never
-- tried from one where nothing listens.
alter table webhook_endpoints add column last_attempt_at timestamptz, add column last_error text;
update webhook_endpoints set last_attempt_at = last_delivery_at;
-- Attempts without an answer: `latency` is that of answers alone, and the sum of both is all attempts.
alter table webhook_hours add column unanswered bigint not null default 0;
