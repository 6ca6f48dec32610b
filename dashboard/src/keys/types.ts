export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly plan: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly replaces: string | null;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}
/** What of a key may be seen, and tells it from others. */
export const shownOf = ({ prefix, last4 }: ApiKey): string => `${prefix}…${last4}`;

export interface CreatedKey extends ApiKey {
  readonly key: string;
}
