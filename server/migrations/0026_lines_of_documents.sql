-- compatible_from: 23
-- Documents are claimed line by line: of each source and class the first that is due, so that a source with many of them
-- hides nobody else's. pending_documents_due serves the code before.
create index pending_documents_lines on pending_documents (source_id, class, due_at);
-- The documents that are being read, to count them by source.
create index pending_documents_leased on pending_documents (source_id) where lease_until is not null;
