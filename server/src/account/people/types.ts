import type { AccountRole, SessionKind } from "@tapewire/contract/dashboard/people.ts";

/** What a request of the dashboard shows about its client. */
export interface Client {
  /** See clientNetwork. */
  readonly network: string;
  /** At most 200 characters. */
  readonly userAgent: string;
  /** The secret of its session; null: none was sent. */
  readonly sessionSecret: string | null;
  /** Whether it uses https. */
  readonly isSecure: boolean;
  /** Address of the service as the client reaches it, without a slash at the end. */
  readonly baseUrl: string;
}

/** Who did something, for the audit. */
export interface Actor {
  readonly name: string;
  readonly network: string | null;
}

/** Who is signed in. */
export interface Visitor {
  readonly sessionId: string;
  readonly kind: SessionKind;
  /** null: the session belongs to no person. */
  readonly personId: string | null;
  /** Whether everything is allowed in every account. */
  readonly isOperator: boolean;
  /** The key that the session was begun with; null: none. */
  readonly key: { readonly id: string; readonly accountId: string } | null;
  /** When the session was begun. */
  readonly signedInAt: Date;
  /** When the session ends, or the key that it was begun with. */
  readonly endsAt: Date;
  /** The person's role in each account. */
  readonly roles: ReadonlyMap<string, AccountRole>;
  readonly actor: Actor;
}
