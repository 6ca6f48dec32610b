import { randomUUID } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { revokeKeysOf } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import { dropLinksOf } from "../../store/people/links.ts";
import * as people from "../../store/people/people.ts";
import { endSessions } from "../../store/people/sessions.ts";
import type { Audit } from "./audit.ts";
import type { BegunSession, Sessions } from "./sessions.ts";
import type { Client } from "./types.ts";

/** Who may sign in by an identity provider: an address, or `@` and a domain; and the role that a new person gets. */
export interface AllowedIdentity {
  /** In lower case. */
  readonly match: string;
  readonly role: "operator" | "member";
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
  readonly audit: Audit;
  readonly sessions: Sessions;
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
    const person = known ?? (await this.#newPerson(email.toLowerCase(), identity.name, rule.role));
    if (known !== null && known.verified_at === null)
      await this.#verify(known, { isOwn: known.id === before.personId || known.role === "operator", rule });
    const name = person.email ?? person.name;
    const beginner = { kind: "person", personId: person.id, keyId: null, name, proof: {} } as const;
    return sessions.begin(beginner, client, before.sessionId);
  }

  /**
   * The address turns out to be this person's. Unless the person was signed in here already, whoever accepted the
   * invitation or took the address may have been somebody else: what that one could use ends.
   */
  async #verify(
    person: people.PersonRow,
    { isOwn, rule }: { isOwn: boolean; rule: AllowedIdentity },
  ): Promise<void> {
    const { db, clock, audit } = this.#deps;
    const at = clock.now();
    const actor = { name: person.email ?? person.name, network: null };
    const role = rule.role === "operator" ? rule.role : person.role;
    await db.transaction().execute(async (tx) => {
      await people.updatePerson(tx, person.id, {
        verified_at: at,
        role,
        ...(isOwn ? {} : { password: null }),
      });
      if (!isOwn) {
        await endSessions(tx, { person: person.id }, at);
        await revokeKeysOf(tx, { personId: person.id, accountId: null, at });
        await dropLinksOf(tx, { personId: person.id });
        await people.removeMemberships(tx, person.id);
      }
      const detail = { verified: true, cleared: !isOwn };
      await audit.note({ actor, action: "person.updated", subject: actor.name, detail }, tx);
    });
  }

  async #newPerson(
    email: string,
    name: string | null,
    role: AllowedIdentity["role"],
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
