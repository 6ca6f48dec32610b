import type { AccountRole, Person } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { revokeKeysOf } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import { dropLinksMadeBy, dropLinksOf } from "../../store/people/links.ts";
import * as people from "../../store/people/people.ts";
import { endSessions } from "../../store/people/sessions.ts";
import type { Authenticator } from "../keys/auth.ts";
import type { Audit } from "./audit.ts";
import { type Ability, may } from "./rights.ts";
import { personView } from "./sessions.ts";
import type { Actor } from "./types.ts";

type Role = people.PersonRow["role"];

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly auth: Authenticator;
  readonly audit: Audit;
}

/** All people of the installation, and which of them are operators. */
export class Operators {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** By e-mail address. */
  async list(): Promise<Person[]> {
    return (await people.listPeople(this.#deps.db)).map(personView);
  }

  /** @throws {ApiError} not_found */
  async setRole(actor: Actor, id: string, role: Role): Promise<Person> {
    const { db, auth } = this.#deps;
    const changed = await db.transaction().execute(async (tx) => {
      const person = await people.lockPerson(tx, id);
      if (person === null) throw new ApiError("not_found", { detail: "There is no person with this id" });
      if (person.role !== role) await this.change(tx, { person, role, actor });
      return personView({ ...person, role });
    });
    auth.changed();
    return changed;
  }

  /** @param of.person locked */
  async change(
    tx: Queries,
    { person, role, actor }: { person: people.PersonRow; role: Role; actor: Actor },
  ): Promise<void> {
    await people.updatePerson(tx, person.id, { role });
    // An owner of the person's accounts may make one for a member only.
    await dropLinksOf(tx, { personId: person.id });
    if (role === "member") await this.endRights(tx, person.id, await people.rolesOf(tx, person.id));
    const subject = person.email ?? person.name;
    await this.#deps.audit.note({ actor, action: "person.updated", subject, detail: { role } }, tx);
  }

  /** Ends the person's sessions, and the links and keys that these roles do not allow. */
  async endRights(tx: Queries, personId: string, roles: ReadonlyMap<string, AccountRole>): Promise<void> {
    const at = this.#deps.clock.now();
    const where = (ability: Ability) => [...roles].flatMap(([id, role]) => (may(role, ability) ? [id] : []));
    // Sessions first: a call that is just making a link or a key looks afterwards whether its session has ended.
    await endSessions(tx, { person: personId }, at);
    await dropLinksMadeBy(tx, { maker: personId, allBut: where("managePeople") });
    await revokeKeysOf(tx, { personId, allBut: where("holdKeys"), at });
  }
}
