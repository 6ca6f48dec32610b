import { randomUUID } from "node:crypto";
import { type LinkInfo, newPassword, type SignIn } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { cachedFor } from "../../runtime/cached-for.ts";
import type { Clock } from "../../runtime/clock.ts";
import { keyById } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import { dropLinksOf, type LinkRow } from "../../store/people/links.ts";
import * as people from "../../store/people/people.ts";
import { type Authenticator, isLiveKey } from "../keys/auth.ts";
import { isSameSecret } from "../secrets.ts";
import type { Audit } from "./audit.ts";
import type { Links } from "./links.ts";
import { demandProof, hashPassword, PasswordAttempts, type Proof } from "./passwords.ts";
import { addressIsFree } from "./profile.ts";
import type { Beginner, BegunSession, Sessions } from "./sessions.ts";
import type { Client } from "./types.ts";

const optionsForMs = 5_000;

const operator: Beginner = { kind: "admin", personId: null, keyId: null, name: "operator", proof: {} };

const ofPerson = ({ id, email, name }: people.PersonRow, proof: Proof): Beginner => ({
  kind: "person",
  personId: id,
  keyId: null,
  name: email ?? name,
  proof,
});

/** What a person sends with the link of an invitation or a reset. */
interface GivenWithLink {
  readonly password: string | undefined;
  readonly name: string | undefined;
}

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly auth: Authenticator;
  readonly audit: Audit;
  readonly links: Links;
  readonly sessions: Sessions;
  readonly adminToken: string;
  readonly hasIdentityProvider: boolean;
}

/** The ways to sign in: a one-use link, a key or the admin token, e-mail and password. */
export class SignIns {
  readonly #deps: Deps;
  readonly #attempts: PasswordAttempts;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#attempts = new PasswordAttempts(deps);
    this.options = cachedFor(deps.clock, optionsForMs, async () => ({
      password: await people.hasPasswords(deps.db),
      oidc: deps.hasIdentityProvider,
    }));
  }

  /** @throws {ApiError} unauthorized, link_expired, rate_limited, invalid_body, conflict */
  async begin(way: SignIn, client: Client): Promise<BegunSession> {
    const beginner = await this.#beginner(way, client);
    return this.#deps.sessions.begin(beginner, client);
  }

  /** Whoever is signed in as the invited needs no password. Nobody else is told whether the address is known. @throws as Links.look */
  async look(token: string, { sessionSecret, network }: Client): Promise<LinkInfo> {
    const { links, sessions, db } = this.#deps;
    const info = await links.look(token, network);
    if (info.purpose !== "invite" || sessionSecret === null) return info;
    const id = (await sessions.visitor(sessionSecret, network))?.personId ?? null;
    const person = id === null ? null : await people.personById(db, id);
    return { ...info, needs_password: person?.email !== info.email };
  }

  /** Which ways there are beside keys, the admin token and links. Anybody may ask, so the answer is kept for seconds. */
  readonly options: () => Promise<{ password: boolean; oidc: boolean }>;

  #beginner({ link, secret, email, password, name }: SignIn, client: Client): Promise<Beginner> {
    if (link !== undefined) return this.#withLink(link, { password, name }, client);
    if (secret !== undefined) return this.#withSecret(secret, client);
    return this.#withPassword(email ?? "", password ?? "", client);
  }

  async #withSecret(secret: string, { network }: Client): Promise<Beginner> {
    const { auth, adminToken, db } = this.#deps;
    if (isSameSecret(secret, adminToken)) return operator;
    // A tab key is itself made by a session: it must not begin another one that outlives it.
    const caller = isLiveKey(secret) ? await auth.authenticate(secret) : null;
    const key = caller === null ? null : await keyById(db, caller.keyId);
    if (key !== null)
      return { kind: "key", personId: null, keyId: key.id, name: `key ${key.name}`, proof: {} };
    throw await this.#refuse(network, "The key or admin token is wrong, revoked or expired", "a secret");
  }

  async #withPassword(email: string, password: string, { network }: Client): Promise<Beginner> {
    await this.#attempts.begin(email, network);
    const person = await people.personByEmail(this.#deps.db, email);
    const isRight = await this.#attempts.check(password, person?.password ?? null, { email, network });
    if (!isRight || person === null)
      throw await this.#refuse(network, "The e-mail address or the password is wrong", email);
    await this.#attempts.succeeded(email, network);
    return ofPerson(person, { password: person.password });
  }

  async #withLink(token: string, given: GivenWithLink, client: Client): Promise<Beginner> {
    const { links, db } = this.#deps;
    const link = await links.find(token, client.network);
    if (link.purpose === "first" || link.purpose === "open") {
      await links.use(link, db);
      return operator;
    }
    if (link.purpose === "reset")
      return this.#reset(
        link,
        await hashPassword(chosenPassword(given.password), client.network),
        client.network,
      );
    return this.#join(link, given, client);
  }

  /** Sets the person's password; who had the old one is signed out. */
  async #reset(link: LinkRow, password: string, network: string): Promise<Beginner> {
    const { db, links, sessions, audit } = this.#deps;
    const person = link.person_id === null ? null : await people.personById(db, link.person_id);
    if (person === null) throw new ApiError("link_expired");
    const beginner = ofPerson(person, { password });
    const actor = { name: beginner.name, network };
    await sessions.endAllOf({ person: person.id }, actor, async (tx) => {
      await people.lockPerson(tx, person.id);
      await links.use(link, tx);
      await people.updatePerson(tx, person.id, { password });
      await dropLinksOf(tx, { personId: person.id });
      const detail = { password: "reset" };
      await audit.note({ actor, action: "person.updated", subject: beginner.name, detail }, tx);
    });
    return beginner;
  }

  /**
   * Accepts an invitation. The link proves nothing about a person who is known already: who made it knows it too, and would
   * get that person's rights in other accounts. So a known person signs in besides.
   */
  async #join(link: LinkRow, given: GivenWithLink, client: Client): Promise<Beginner> {
    const { db, clock, links, audit } = this.#deps;
    const { email, account_id: accountId, role } = link;
    if (email === null || accountId === null || role === null) throw new ApiError("link_expired");
    const known = await people.personByEmail(db, email);
    const proof = known === null ? null : await this.#prove(known, given.password, client);
    const made = known ?? (await this.#newPerson(email, given, client.network));
    const joining = db.transaction().execute(async (tx) => {
      if (proof !== null) await demandProof(tx, made.id, proof);
      await people.lockMembers(tx, accountId);
      await links.use(link, tx);
      if (known === null) await people.insertPerson(tx, made);
      if ((await people.rolesOf(tx, made.id)).has(accountId))
        throw new ApiError("conflict", { detail: "You are in this account already" });
      // Whoever may make them was judged by the accounts that the person had until now.
      await dropLinksOf(tx, { personId: made.id });
      await people.setMembership(tx, { accountId, personId: made.id, role, at: clock.now() });
      const actor = { name: email, network: client.network };
      await audit.note({ actor, action: "member.joined", subject: email, accountId, detail: { role } }, tx);
    });
    await addressIsFree(joining, "Somebody with this address joined in this moment: try again");
    return ofPerson(made, proof ?? { password: made.password });
  }

  /** The client is this person: by its session, or by the password. @throws {ApiError} unauthorized, rate_limited */
  async #prove(person: people.PersonRow, password: string | undefined, client: Client): Promise<Proof> {
    const { sessionSecret, network } = client;
    const visitor = sessionSecret === null ? null : await this.#deps.sessions.visitor(sessionSecret, network);
    if (visitor?.personId === person.id) return { session: visitor.sessionId };
    return (await this.#withPassword(person.email ?? "", password ?? "", client)).proof;
  }

  async #newPerson(
    email: string,
    { password, name = email.replace(/@.*$/, "") }: GivenWithLink,
    network: string,
  ): Promise<people.PersonRow> {
    const hash = await hashPassword(chosenPassword(password), network);
    const created_at = this.#deps.clock.now();
    return { id: randomUUID(), email, name, role: "member", password: hash, created_at, verified_at: null };
  }

  async #refuse(network: string, detail: string, subject: string): Promise<ApiError> {
    const { auth, audit } = this.#deps;
    const refusal = auth.refusalOf(network, detail);
    if (refusal.code === "unauthorized") await audit.noteFailure(subject, network);
    return refusal;
  }
}

/** @throws {ApiError} invalid_body */
function chosenPassword(password: string | undefined): string {
  const chosen = newPassword.safeParse(password);
  if (chosen.success) return chosen.data;
  const detail = password === undefined ? "is required with this link" : "must have 12 to 1024 characters";
  throw new ApiError("invalid_body", { fields: [{ in: "body", name: "password", detail }] });
}
