-- The form of an endpoint's deliveries: Tapewire's own, or that of a chat's incoming webhooks.
alter table webhook_endpoints add column format text not null default 'tapewire'
  check (format in ('tapewire', 'slack', 'discord', 'telegram'));
