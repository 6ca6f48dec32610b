import type { AccountRole, LinkPurpose, SessionKind } from "@tapewire/contract/dashboard/people.ts";
import type { Generated } from "kysely";

/** The tables of people and of what they save; see tables.ts. */
export interface PeopleTables {
  people: {
    id: string;
    email: string | null;
    name: string;
    role: "operator" | "member";
    password: string | null;
    created_at: Date;
    verified_at: Date | null;
  };
  memberships: { account_id: string; person_id: string; role: AccountRole; created_at: Date };
  sessions: {
    id: string;
    hash: Uint8Array;
    kind: SessionKind;
    person_id: string | null;
    key_id: string | null;
    created_at: Date;
    seen_at: Date;
    expires_at: Date;
    user_agent: string;
    network: string;
    revoked_at: Date | null;
  };
  sign_in_links: {
    id: string;
    hash: Uint8Array;
    purpose: LinkPurpose;
    person_id: string | null;
    account_id: string | null;
    role: AccountRole | null;
    email: string | null;
    created_by: string;
    maker: string | null;
    created_at: Date;
    expires_at: Date;
    used_at: Date | null;
  };
  sign_in_attempts: { subject: Uint8Array; started_at: Date; count: number };
  oidc_attempts: {
    hash: Uint8Array;
    state: string;
    nonce: string;
    verifier: string;
    person_id: string | null;
    session_id: string | null;
    expires_at: Date;
  };
  audit: {
    id: Generated<number>;
    at: Date;
    actor: string;
    action: string;
    subject: string;
    account_id: string | null;
    network: string | null;
    detail: Record<string, unknown>;
  };
  views: {
    id: string;
    account_id: string;
    person_id: string | null;
    created_by: string | null;
    name: string;
    filters: unknown;
    columns: string[];
    alert: { notify: boolean; sound: boolean } | null;
    created_at: Date;
    updated_at: Date;
  };
}
