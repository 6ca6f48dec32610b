import { randomUUID } from "node:crypto";
import {
  type LinkInfo,
  type LinkPurpose,
  type MadeLink,
  signInTimes,
} from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Queries } from "../../store/engine/db.ts";
import * as store from "../../store/people/links.ts";
import type { Authenticator } from "../keys/auth.ts";
import { hashSecret, newSecret } from "../secrets.ts";

/** Where the dashboard opens links of a purpose. The token is in the fragment: no proxy, access log or Referer sees it. */
const pages = { first: "start", open: "start", invite: "invite", reset: "reset" } as const;

const lifetimes: Readonly<Record<LinkPurpose, number>> = {
  first: signInTimes.firstLinkMs,
  open: signInTimes.firstLinkMs,
  invite: signInTimes.inviteMs,
  reset: signInTimes.resetMs,
};

/** Who makes a link. */
export interface Maker {
  /** For the list of invitations. */
  readonly name: string;
  /** null: the operator. */
  readonly personId: string | null;
}

/** What a link is made for. */
export type LinkFor =
  | { readonly purpose: "first" | "open" }
  | {
      readonly purpose: "invite";
      readonly account_id: string;
      readonly email: string;
      readonly role: NonNullable<store.LinkRow["role"]>;
    }
  | { readonly purpose: "reset"; readonly person_id: string; readonly email: string | null };

/** One-use links that sign in. Only their hashes are stored. */
export class Links {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #auth: Authenticator;
  readonly #baseUrl: () => string;

  /** @param deps.baseUrl address of the service as people open it */
  constructor(deps: { db: Queries; clock: Clock; auth: Authenticator; baseUrl: () => string }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#auth = deps.auth;
    this.#baseUrl = deps.baseUrl;
  }

  async make(what: LinkFor, by: Maker, db = this.#db): Promise<MadeLink & { readonly id: string }> {
    const token = newSecret();
    const id = randomUUID();
    const now = this.#clock.now();
    const expiresAt = new Date(now.getTime() + lifetimes[what.purpose]);
    const nobody = { person_id: null, account_id: null, role: null, email: null };
    await store.insertLink(db, {
      ...nobody,
      ...what,
      id,
      hash: hashSecret(token),
      created_by: by.name,
      maker: by.personId,
      created_at: now,
      expires_at: expiresAt,
    });
    const url = `${this.#baseUrl()}/app/#/${pages[what.purpose]}/${token}`;
    return { id, url, expires_at: expiresAt.toISOString() };
  }

  /** @throws {ApiError} link_expired; rate_limited after many wrong tokens from a network */
  async look(token: string, network: string): Promise<LinkInfo> {
    const link = await this.find(token, network);
    return {
      purpose: link.purpose,
      email: link.email,
      account_name: link.account_name,
      needs_password: link.purpose === "invite" || link.purpose === "reset",
      expires_at: link.expires_at.toISOString(),
    };
  }

  /** A link that can be used now. @throws {ApiError} see look */
  async find(token: string, network: string): Promise<store.LinkRow> {
    const link = await store.linkByHash(this.#db, hashSecret(token));
    const isGood = link !== null && link.used_at === null && link.expires_at > this.#clock.now();
    if (isGood) return link;
    if (link === null) {
      const refusal = this.#auth.refusalOf(network);
      if (refusal.code === "rate_limited") throw refusal;
    }
    throw new ApiError("link_expired");
  }

  /** Uses the link; of calls at once, one succeeds. @throws {ApiError} link_expired */
  async use({ id }: store.LinkRow, tx: Queries): Promise<void> {
    if (!(await store.useLink(tx, id, this.#clock.now()))) throw new ApiError("link_expired");
  }
}
