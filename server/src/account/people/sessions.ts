import { randomUUID } from "node:crypto";
import {
  type ListedSession,
  type Person,
  type Session,
  type SessionKind,
  type SessionRight,
  signInTimes,
} from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { planName } from "@tapewire/contract/plans.ts";
import type { Clock } from "../../runtime/clock.ts";
import { lruOf } from "../../runtime/sharing/lru.ts";
import { type AccountRow, accountsById, listAccounts } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import { type PersonRow, personById, rolesOf } from "../../store/people/people.ts";
import * as store from "../../store/people/sessions.ts";
import type { Authenticator } from "../keys/auth.ts";
import { hashSecret, newSecret } from "../secrets.ts";
import type { Audit } from "./audit.ts";
import { demandProof, type Proof } from "./passwords.ts";
import { rightTo } from "./rights.ts";
import type { Actor, Client, Visitor } from "./types.ts";

/** How exactly the last use is known. */
const seenEveryMs = 60_000;
/** Of a person, of a key, and of the operator's links and token together. */
const mostSessions = 100;
/** Secrets of live sessions that a process remembers. */
const mostKnown = 50_000;

/** Who begins a session. */
export interface Beginner {
  readonly kind: SessionKind;
  readonly personId: string | null;
  readonly keyId: string | null;
  /** For the audit. */
  readonly name: string;
  /** What must still hold when the session begins. */
  readonly proof: Proof;
}

/** A session and its cookie's value, which is known only now. */
export interface BegunSession {
  readonly secret: string;
  readonly session: Session;
}

/** Sessions of the dashboard. A session is known by a secret of which only the hash is stored. */
export class Sessions {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #auth: Authenticator;
  readonly #audit: Audit;
  /** Secrets that were those of a live session when they were last looked up. */
  readonly #known = lruOf<string, true>(mostKnown);

  constructor(deps: { db: Queries; clock: Clock; auth: Authenticator; audit: Audit }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#auth = deps.auth;
    this.#audit = deps.audit;
  }

  /**
   * Begins a session with a new secret, and ends the one that the client came with: nobody can plant a session on another.
   * @param before the session of a client that could not send its cookie
   * @throws {ApiError} unauthorized, when what the beginner showed no longer holds
   */
  async begin(beginner: Beginner, client: Client, before: string | null = null): Promise<BegunSession> {
    const secret = newSecret();
    const sent =
      client.sessionSecret === null ? null : await this.visitor(client.sessionSecret, client.network);
    const replaced = [sent?.sessionId ?? null, before].filter((id) => id !== null);
    const now = this.#clock.now();
    const id = randomUUID();
    const beyond = await this.#db.transaction().execute(async (tx) => {
      if (beginner.personId !== null) await demandProof(tx, beginner.personId, beginner.proof);
      for (const session of replaced) await store.endSessions(tx, { session }, now);
      await store.insertSession(tx, {
        id,
        hash: hashSecret(secret),
        kind: beginner.kind,
        person_id: beginner.personId,
        key_id: beginner.keyId,
        created_at: now,
        seen_at: now,
        expires_at: new Date(now.getTime() + signInTimes.sessionMs),
        user_agent: client.userAgent,
        network: client.network,
      });
      const ended = await store.endSessionsBeyond(tx, beginner, { most: mostSessions, at: now });
      await store.markVisited(tx);
      const actor = { name: beginner.name, network: client.network };
      const detail = {
        session_id: id,
        kind: beginner.kind,
        ...(ended.length === 0 ? {} : { ended }),
      };
      await this.#audit.note({ actor, action: "session.begun", subject: beginner.name, detail }, tx);
      return ended;
    });
    if (replaced.length > 0 || beyond.length > 0) this.#auth.changed();
    const visitor = await this.visitor(secret, client.network);
    // Its key has gone meanwhile.
    if (visitor === null) throw new ApiError("unauthorized");
    return { secret, session: await this.describe(visitor) };
  }

  /**
   * The visitor for a request whose cookie may be a guess. Failed attempts from a network do not delay known sessions.
   * @returns as visitor
   * @throws {ApiError} rate_limited, when the session is not known here and the network has made too many failed lookups
   */
  admit(secret: string, network: string): Promise<Visitor | null> {
    const look = () => this.visitor(secret, network);
    return this.#known.has(secret) ? look() : this.#auth.lookUp(network, look);
  }

  /** @returns null when the session has ended, or never was */
  async visitor(secret: string, network: string): Promise<Visitor | null> {
    const visitor = await this.#read({ hash: hashSecret(secret) }, network);
    if (visitor === null) this.#known.delete(secret);
    else this.#known.set(secret, true);
    return visitor;
  }

  /**
   * The visitor's right to the account now; null when it or the session has ended. For a check after a key was made: what
   * ended the right since it was read did not see that key.
   */
  async rightNow({ sessionId, actor }: Visitor, accountId: string): Promise<SessionRight | null> {
    const now = await this.#read({ id: sessionId }, actor.network ?? "", true);
    return now === null ? null : rightTo(now, accountId);
  }

  async #read(
    by: Parameters<typeof store.liveSession>[1],
    network: string,
    waits = false,
  ): Promise<Visitor | null> {
    const now = this.#clock.now();
    const idleSince = new Date(now.getTime() - signInTimes.idleMs);
    const live = await store.liveSession(this.#db, by, { now, idleSince, waits });
    if (live === null) return null;
    const { session, person, key } = live;
    if (now.getTime() - session.seen_at.getTime() >= seenEveryMs)
      await store.touchSession(this.#db, session.id, now);
    return {
      sessionId: session.id,
      kind: session.kind,
      personId: person?.id ?? null,
      isOperator: session.kind === "admin" || person?.role === "operator",
      key: key === null ? null : { id: key.id, accountId: key.account_id },
      signedInAt: session.created_at,
      endsAt: earliest(session.expires_at, key?.expires_at ?? null),
      roles: person === null ? new Map() : await rolesOf(this.#db, person.id),
      actor: { name: nameOf(person, key), network },
    };
  }

  async describe(visitor: Visitor): Promise<Session> {
    const [session, person, accounts] = await Promise.all([
      store.sessionById(this.#db, visitor.sessionId),
      visitor.personId === null ? null : personById(this.#db, visitor.personId),
      this.#accountsOf(visitor),
    ]);
    if (session === null) throw new ApiError("unauthorized");
    return {
      ...times(session),
      id: session.id,
      kind: session.kind,
      name: visitor.actor.name,
      person: person === null ? null : personView(person),
      operator: visitor.isOperator,
      accounts,
    };
  }

  /** The sessions of the same person, of the same key, or of the operator's links. */
  async list(visitor: Visitor): Promise<ListedSession[]> {
    const rows = await this.#sessionsLike(visitor);
    return rows.map((row) => ({
      ...times(row),
      id: row.id,
      kind: row.kind,
      user_agent: row.user_agent,
      network: row.network,
      current: row.id === visitor.sessionId,
    }));
  }

  /** Ends one of the sessions that `list` shows. Its tab keys die with it. @throws {ApiError} not_found */
  async end(visitor: Visitor, id: string): Promise<void> {
    const known = await this.#sessionsLike(visitor);
    if (!known.some((row) => row.id === id))
      throw new ApiError("not_found", { detail: "You have no session with this id" });
    await this.#end({ session: id }, visitor.actor);
  }

  /** Ends the visitor's session, which another request may have ended meanwhile. */
  async endOwn({ sessionId, actor }: Visitor): Promise<void> {
    await this.#end({ session: sessionId }, actor);
  }

  /** Ends the person's sessions but one, together with a change. @param but absent: all */
  async endAllOf(
    which: { readonly person: string; readonly but?: string },
    actor: Actor,
    change: (tx: Queries) => Promise<void>,
  ): Promise<void> {
    await this.#end(which, actor, change);
  }

  async #end(
    which: Parameters<typeof store.endSessions>[1],
    actor: Actor,
    change?: (tx: Queries) => Promise<void>,
  ): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await change?.(tx);
      const ended = await store.endSessions(tx, which, this.#clock.now());
      if (ended === 0) return;
      await this.#audit.note({ actor, action: "session.ended", subject: actor.name, detail: which }, tx);
    });
    this.#auth.changed();
  }

  #sessionsLike({ kind, personId, key }: Visitor): Promise<store.SessionRow[]> {
    const now = this.#clock.now();
    const idleSince = new Date(now.getTime() - signInTimes.idleMs);
    return store.listSessions(this.#db, { kind, personId, keyId: key?.id ?? null }, { now, idleSince });
  }

  async #accountsOf(visitor: Visitor): Promise<Session["accounts"]> {
    const { isOperator, key, roles } = visitor;
    const ids = key === null ? [...roles.keys()] : [key.accountId];
    const accounts = isOperator ? await listAccounts(this.#db) : await accountsById(this.#db, ids);
    const seen = accounts.flatMap((account) => {
      const right = rightTo(visitor, account.id);
      return right === null ? [] : [{ ...shown(account), right }];
    });
    return seen.toSorted((one, other) => one.name.localeCompare(other.name));
  }
}

export function personView({ id, email, name, role, password }: PersonRow): Person {
  return { id, email, name, role, has_password: password !== null };
}

const shown = ({ id, name, plan }: AccountRow) => ({ id, name, plan: planName.parse(plan) });

function times({ created_at, seen_at, expires_at }: store.SessionRow) {
  return {
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}

function nameOf(person: PersonRow | null, key: store.LiveSession["key"]): string {
  if (person !== null) return person.email ?? person.name;
  return key === null ? "operator" : `key ${key.name}`;
}

const earliest = (one: Date, other: Date | null) => (other !== null && other < one ? other : one);
