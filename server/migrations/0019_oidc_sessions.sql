-- The session of the browser in which the sign-in began; null: none. It ends when the sign-in succeeds: the provider's page
-- leads back without the session's cookie.
alter table oidc_attempts add column session_id uuid;
