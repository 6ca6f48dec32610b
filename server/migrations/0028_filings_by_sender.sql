-- compatible_from: 23
-- Many insiders and holders file the same forms about one issuer: who filed (CIKs) and when tells their filings apart.
-- null: stored before. Their period is not known either where it came with the document.
alter table filings add column senders text[], add column filed text;
