import { randomUUID } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Queries } from "../../store/engine/db.ts";
import { dropLinksOf } from "../../store/people/links.ts";
import * as people from "../../store/people/people.ts";
import type { Authenticator } from "../keys/auth.ts";
import type { Audit } from "./audit.ts";
import type { Operators } from "./operators.ts";
import type { BegunSession, Sessions } from "./sessions.ts";
import type { Client } from "./types.ts";

/** Who may sign in by an identity provider: an address, or `@` and a domain. */
export interface AllowedIdentity {
  /** In lower case. */
  readonly match: string;
  /** Given at each sign-in; null: a new person is a member, and nobody's role changes. */
  readonly role: people.PersonRow["role"] | null;
}

/** What the identity provider says about a person. */
export interface Identity {
  readonly email: string;
  /** Whether the provider has checked that the address belongs to the person. */
  readonly isVerified: boolean;
  readonly name: string | null;
}

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly auth: Authenticator;
  readonly audit: Audit;
  readonly sessions: Sessions;
  readonly operators: Operators;
}

/** Sign-in of people that an identity provider knows. */
export class Identities {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Signs in the person with this e-mail address; one that is not known yet is made, without an account.
   * @param before the session in which the sign-in began, which ends, and its person; null: none
   * @throws {ApiError} forbidden, when the address is not verified or not allowed
   */
  async begin(
    identity: Identity,
    {
      allowed,
      before,
    }: {
      allowed: readonly AllowedIdentity[];
      before: { readonly personId: string | null; readonly sessionId: string | null };
    },
    client: Client,
  ): Promise<BegunSession> {
    const { db, audit, sessions } = this.#deps;
    const email = identity.email.trim();
    // Beyond ASCII, letters that look alike or fold into others would be other people's addresses.
    const rule = identity.isVerified && /^[!-~]+$/.test(email) ? ruleFor(email.toLowerCase(), allowed) : null;
    if (rule === null) {
      await audit.noteFailure(email.slice(0, 254), client.network);
      throw new ApiError("forbidden", { detail: "This identity may not sign in here" });
    }
    const known = await people.personByEmail(db, email.toLowerCase());
    const person =
      known ?? (await this.#newPerson(email.toLowerCase(), identity.name, rule.role ?? "member"));
    if (known !== null) await this.#recognise(known, rule, before.personId);
    const name = person.email ?? person.name;
    const beginner = { kind: "person", personId: person.id, keyId: null, name, proof: {} } as const;
    return sessions.begin(beginner, client, before.sessionId);
  }

  /** The person is known here; the rule may name another role. @param before the person who was signed in; null: nobody */
  async #recognise(known: people.PersonRow, { role }: AllowedIdentity, before: string | null): Promise<void> {
    if (known.verified_at !== null && (role === null || role === known.role)) return;
    const { db, auth, operators } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const person = await people.lockPerson(tx, known.id);
      // Whoever had the address may have changed it in this moment.
      if (person === null || person.email !== known.email) throw new ApiError("forbidden");
      if (person.verified_at === null) await this.#verify(tx, person, person.id === before);
      if (role !== null && role !== person.role) {
        const actor = { name: person.email ?? person.name, network: null };
        await operators.change(tx, { person, role, actor });
      }
    });
    auth.changed();
  }

  /**
   * The address turns out to be this person's. Unless the person was signed in here already, whoever accepted the
   * invitation or took the address may have been somebody else: what that one could use ends.
   */
  async #verify(tx: Queries, person: people.PersonRow, wasSignedIn: boolean): Promise<void> {
    const { clock, audit, operators } = this.#deps;
    const name = person.email ?? person.name;
    const actor = { name, network: null };
    const isCleared = !wasSignedIn && person.role !== "operator";
    await people.updatePerson(tx, person.id, {
      verified_at: clock.now(),
      ...(isCleared ? { password: null } : {}),
    });
    // Whoever made them knows them, too, and the provider's sign-in is proof enough.
    await dropLinksOf(tx, { personId: person.id });
    if (isCleared) {
      for (const accountId of [...(await people.rolesOf(tx, person.id)).keys()].toSorted()) {
        await people.lockMembers(tx, accountId);
        const isLastOwner = await people.isLastOwner(tx, accountId, person.id);
        await people.removeMembership(tx, accountId, person.id);
        const detail = { cleared: true, ...(isLastOwner ? { last_owner: true } : {}) };
        await audit.note({ actor, action: "member.removed", subject: name, accountId, detail }, tx);
      }
      await operators.endRights(tx, person.id, new Map());
    }
    const detail = { verified: true, cleared: isCleared };
    await audit.note({ actor, action: "person.updated", subject: name, detail }, tx);
  }

  async #newPerson(
    email: string,
    name: string | null,
    role: people.PersonRow["role"],
  ): Promise<people.PersonRow> {
    const now = this.#deps.clock.now();
    const made = {
      id: randomUUID(),
      email,
      name: (name ?? "").trim().slice(0, 200) || email.replace(/@.*$/, ""),
      role,
      password: null,
      created_at: now,
      verified_at: now,
    };
    await people.insertPerson(this.#deps.db, made);
    return made;
  }
}

/** The rule for the address itself comes before the one for its domain. */
function ruleFor(email: string, allowed: readonly AllowedIdentity[]): AllowedIdentity | null {
  const domain = email.slice(email.lastIndexOf("@"));
  const found = [email, domain].map((match) => allowed.find((one) => one.match === match));
  return found.find((one) => one !== undefined) ?? null;
}
