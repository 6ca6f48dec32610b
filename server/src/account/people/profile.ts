import { randomUUID } from "node:crypto";
import { type Person, type ProfileUpdate, signInTimes } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { AttemptLimit } from "../../runtime/sharing/attempt-limit.ts";
import type { Queries } from "../../store/engine/db.ts";
import { isKnownRow } from "../../store/engine/errors.ts";
import { dropLinksOf } from "../../store/people/links.ts";
import * as people from "../../store/people/people.ts";
import { giveSessionTo } from "../../store/people/sessions.ts";
import { takeAttempt } from "../refusals.ts";
import type { Audit } from "./audit.ts";
import { demandProof, hashPassword, PasswordAttempts } from "./passwords.ts";
import { personView, type Sessions } from "./sessions.ts";
import type { Visitor } from "./types.ts";

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly sessions: Sessions;
}

/** What people change about themselves. */
export class Profiles {
  readonly #deps: Deps;
  readonly #attempts: PasswordAttempts;
  /** By person. */
  readonly #emailChanges: AttemptLimit;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#attempts = new PasswordAttempts(deps);
    this.#emailChanges = new AttemptLimit(deps.clock, { atOnce: 3, perSecond: 3 / 86_400 });
  }

  /** @throws {ApiError} unauthorized, when the current password is wrong; forbidden; conflict; invalid_body; rate_limited */
  async update(visitor: Visitor, changes: ProfileUpdate): Promise<Person> {
    if (visitor.kind === "key")
      throw new ApiError("forbidden", { detail: "A session that was begun with a key belongs to no person" });
    const id = visitor.personId ?? (await this.#becomePerson(visitor, changes));
    if (visitor.personId !== null) await this.#change(visitor, visitor.personId, changes);
    const person = await people.personById(this.#deps.db, id);
    if (person === null) throw new ApiError("unauthorized");
    return personView(person);
  }

  async #change(
    visitor: Visitor,
    id: string,
    { name, email, password, current_password }: ProfileUpdate,
  ): Promise<void> {
    const { db, audit, sessions } = this.#deps;
    const person = await people.personById(db, id);
    if (person === null) throw new ApiError("unauthorized");
    if (email !== undefined && email !== person.email) this.#countEmailChange(id);
    // A tab that was left open must not be enough to take a person over.
    const isSensitive = password !== undefined || (email !== undefined && email !== person.email);
    if (isSensitive && person.password === null) this.#demandRecent(visitor);
    if (isSensitive && person.password !== null) await this.#prove(person, current_password, visitor);
    const hash =
      password === undefined ? undefined : await hashPassword(password, visitor.actor.network ?? "");
    const change = async (tx: Queries) => {
      await demandProof(tx, id, {
        session: visitor.sessionId,
        ...(isSensitive ? { password: person.password } : {}),
      });
      // The new address is not shown to be the person's, and links for the old state of things must not work.
      const verified = email === undefined || email === person.email ? {} : { verified_at: null };
      await people.updatePerson(tx, id, { name, email, password: hash, ...verified });
      if (isSensitive) await dropLinksOf(tx, { personId: id });
      const changed = Object.entries({ name, email, password }).filter(([, value]) => value !== undefined);
      const detail = { changed: changed.map(([member]) => member) };
      await audit.note(
        { actor: visitor.actor, action: "person.updated", subject: visitor.actor.name, detail },
        tx,
      );
    };
    await addressIsFree(
      hash === undefined
        ? db.transaction().execute(change)
        : sessions.endAllOf({ person: id, but: visitor.sessionId }, visitor.actor, change),
    );
  }

  /** A free address answers otherwise than a taken one: with many tries one could list those of others. */
  #countEmailChange(id: string): void {
    const detail = "The e-mail address was changed too often today";
    takeAttempt(this.#emailChanges, id, { policy: "email", detail });
  }

  /** There is no password to ask for, so the sign-in itself is the proof. @throws {ApiError} forbidden */
  #demandRecent({ signedInAt }: Visitor): void {
    const { recentMs } = signInTimes;
    if (this.#deps.clock.now().getTime() - signedInAt.getTime() <= recentMs) return;
    throw new ApiError("forbidden", {
      detail: `Sign in again first: without a password, address and password can be set for ${recentMs / 60_000} minutes after the sign-in`,
    });
  }

  async #prove(
    { email, password }: people.PersonRow,
    given: string | undefined,
    { actor }: Visitor,
  ): Promise<void> {
    const network = actor.network ?? "";
    if (given === undefined)
      throw new ApiError("invalid_body", {
        fields: [{ in: "body", name: "current_password", detail: "is required: a password is set" }],
      });
    await this.#attempts.begin(email ?? "", network);
    if (!(await this.#attempts.check(given, password, { email: email ?? "", network })))
      throw new ApiError("unauthorized", { detail: "The current password is wrong" });
    await this.#attempts.succeeded(email ?? "", network);
  }

  /** The operator, who signed in by a link or the admin token, becomes a person. @returns the id */
  async #becomePerson(visitor: Visitor, { name, email, password }: ProfileUpdate): Promise<string> {
    if (email === undefined || password === undefined)
      throw new ApiError("invalid_body", {
        fields: [{ in: "body", name: email === undefined ? "email" : "password", detail: "is required" }],
      });
    this.#demandRecent(visitor);
    const { db, clock, audit } = this.#deps;
    const id = randomUUID();
    const made: people.PersonRow = {
      id,
      email,
      name: name ?? email.replace(/@.*$/, ""),
      role: "operator",
      password: await hashPassword(password, visitor.actor.network ?? ""),
      created_at: clock.now(),
      verified_at: null,
    };
    await addressIsFree(
      db.transaction().execute(async (tx) => {
        await people.insertPerson(tx, made);
        if (!(await giveSessionTo(tx, visitor.sessionId, id))) throw new ApiError("unauthorized");
        const detail = { role: "operator" };
        await audit.note({ actor: visitor.actor, action: "person.updated", subject: email, detail }, tx);
      }),
    );
    return id;
  }
}

/** @throws {ApiError} conflict, when the change gives a person an e-mail address that another has, or has just taken */
export async function addressIsFree(
  change: Promise<void>,
  detail = "Another person has this e-mail address",
): Promise<void> {
  try {
    await change;
  } catch (cause) {
    if (!isKnownRow(cause)) throw cause;
    throw new ApiError("conflict", { detail, cause });
  }
}
