import type {
  AccountRole,
  Invite,
  MadeInvite,
  MadeLink,
  MemberRecord,
} from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { revokeKeysOf } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import * as links from "../../store/people/links.ts";
import * as people from "../../store/people/people.ts";
import { endTabKeys } from "../../store/people/sessions.ts";
import type { Authenticator } from "../keys/auth.ts";
import type { Audit, Deed } from "./audit.ts";
import type { Links } from "./links.ts";
import { demand, may } from "./rights.ts";
import { personView, type Sessions } from "./sessions.ts";
import type { Visitor } from "./types.ts";

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly auth: Authenticator;
  readonly audit: Audit;
  readonly links: Links;
  readonly sessions: Sessions;
}

/** The people of an account, and invitations to it. */
export class Members {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {ApiError} forbidden, not_found: all methods */
  async list(visitor: Visitor, accountId: string): Promise<MemberRecord[]> {
    await demand(this.#deps.db, visitor, accountId, "managePeople");
    return (await people.listMembers(this.#deps.db, accountId)).map(memberView);
  }

  /** @throws {ApiError} also conflict, when the account would lose its last owner */
  async setRole(
    visitor: Visitor,
    accountId: string,
    personId: string,
    role: AccountRole,
  ): Promise<MemberRecord> {
    const at = this.#deps.clock.now();
    const change = (tx: Queries) => people.setMembership(tx, { accountId, personId, role, at });
    const deed = { action: "member.updated", detail: { role } } as const;
    return {
      ...(await this.#change(
        visitor,
        { accountId, personId, keepsOwner: role === "owner" },
        { change, deed },
      )),
      account_role: role,
    };
  }

  /** @throws {ApiError} also conflict, when the account would lose its last owner */
  async remove(visitor: Visitor, accountId: string, personId: string): Promise<void> {
    const change = (tx: Queries) => people.removeMembership(tx, accountId, personId);
    await this.#change(
      visitor,
      { accountId, personId, keepsOwner: false },
      { change, deed: { action: "member.removed" } },
    );
  }

  /**
   * A link with which the person sets a new password. Who makes it could use it too, so an owner may make one only for a
   * person whose accounts are all his or her own.
   */
  async reset(visitor: Visitor, accountId: string, personId: string): Promise<MadeLink> {
    const { db, audit } = this.#deps;
    await demand(this.#deps.db, visitor, accountId, "managePeople");
    const { id, ...link } = await db.transaction().execute(async (tx) => {
      await people.lockPerson(tx, personId);
      await people.lockMembers(tx, accountId);
      const member = await this.#member(tx, accountId, personId);
      await this.#demandOwn(tx, visitor, member);
      await links.dropLinksOf(tx, { personId });
      const made = await this.#deps.links.make(
        { purpose: "reset", person_id: personId, email: member.email },
        { name: visitor.actor.name, personId: visitor.personId },
        tx,
      );
      const subject = member.email ?? member.name;
      const detail = { purpose: "reset" };
      await audit.note({ actor: visitor.actor, action: "link.created", subject, accountId, detail }, tx);
      return made;
    });
    await this.#demandStill(visitor, accountId, id);
    return link;
  }

  /** @throws {ApiError} forbidden */
  async #demandOwn(tx: Queries, visitor: Visitor, { id, role, password }: people.MemberRow): Promise<void> {
    if (visitor.isOperator) return;
    const accounts = [...(await people.rolesOf(tx, id)).keys()];
    const owns = accounts.every((account) => visitor.roles.get(account) === "owner");
    if (role === "operator" || !owns || password === null)
      throw new ApiError("forbidden", {
        detail:
          "This person has rights beyond your accounts, or signs in without a password: ask the operator for the link",
      });
  }

  /** Takes a link back that was made while its maker lost the right to it. @throws {ApiError} forbidden */
  async #demandStill(visitor: Visitor, accountId: string, linkId: string): Promise<void> {
    const right = await this.#deps.sessions.rightNow(visitor, accountId);
    if (right !== null && may(right, "managePeople")) return;
    await links.dropLink(this.#deps.db, linkId);
    throw new ApiError("forbidden");
  }

  async invites(visitor: Visitor, accountId: string): Promise<Invite[]> {
    await demand(this.#deps.db, visitor, accountId, "managePeople");
    const rows = await links.listInvites(this.#deps.db, accountId, this.#deps.clock.now());
    return rows.flatMap(({ id, email, role, created_at, created_by, expires_at }) =>
      email === null || role === null
        ? []
        : [
            {
              id,
              email,
              role,
              created_by,
              created_at: created_at.toISOString(),
              expires_at: expires_at.toISOString(),
            },
          ],
    );
  }

  /** @throws {ApiError} also conflict, when the person is in the account already */
  async invite(
    visitor: Visitor,
    accountId: string,
    { email, role }: { email: string; role: AccountRole },
  ): Promise<MadeInvite> {
    const { db, clock, audit } = this.#deps;
    await demand(this.#deps.db, visitor, accountId, "managePeople");
    if (await people.hasMember(db, accountId, email))
      throw new ApiError("conflict", { detail: "This person is in the account already" });
    const invited = await db.transaction().execute(async (tx) => {
      await people.lockMembers(tx, accountId);
      await links.dropLinksOf(tx, { accountId, email });
      const what = { purpose: "invite", account_id: accountId, email, role } as const;
      const { id, url, expires_at } = await this.#deps.links.make(
        what,
        { name: visitor.actor.name, personId: visitor.personId },
        tx,
      );
      await audit.note(
        { actor: visitor.actor, action: "invite.created", subject: email, accountId, detail: { role } },
        tx,
      );
      const created_at = clock.now().toISOString();
      return { id, email, role, created_at, created_by: visitor.actor.name, expires_at, url };
    });
    await this.#demandStill(visitor, accountId, invited.id);
    return invited;
  }

  async withdraw(visitor: Visitor, inviteId: string): Promise<void> {
    const { db, audit } = this.#deps;
    const found = await links.inviteById(db, inviteId);
    if (found?.account_id == null)
      throw new ApiError("not_found", { detail: "There is no open invitation with this id" });
    await demand(this.#deps.db, visitor, found.account_id, "managePeople");
    await links.dropLink(db, inviteId);
    await audit.note({
      actor: visitor.actor,
      action: "invite.withdrawn",
      subject: found.email ?? "",
      accountId: found.account_id,
    });
  }

  async #change(
    visitor: Visitor,
    { accountId, personId, keepsOwner }: { accountId: string; personId: string; keepsOwner: boolean },
    { change, deed }: { change: (tx: Queries) => Promise<void>; deed: Pick<Deed, "action" | "detail"> },
  ): Promise<MemberRecord> {
    const { db, auth, audit } = this.#deps;
    await demand(this.#deps.db, visitor, accountId, "managePeople");
    const changed = await db.transaction().execute(async (tx) => {
      await people.lockMembers(tx, accountId);
      const member = await this.#member(tx, accountId, personId);
      if (!keepsOwner && (await people.isLastOwner(tx, accountId, personId)))
        throw new ApiError("conflict", {
          detail: "This is the account's last owner: make another person owner first",
        });
      await change(tx);
      await this.#endWhatIsLost(tx, { accountId, personId, role: deed.detail?.role });
      await audit.note(
        { ...deed, actor: visitor.actor, subject: member.email ?? member.name, accountId },
        tx,
      );
      return memberView(member);
    });
    auth.changed();
    return changed;
  }

  /** Nobody keeps by a key or a link what the role no longer gives. @param role the new one; undefined: none */
  async #endWhatIsLost(
    tx: Queries,
    { accountId, personId, role }: { accountId: string; personId: string; role: unknown },
  ): Promise<void> {
    const at = this.#deps.clock.now();
    await endTabKeys(tx, { personId, accountId, at });
    if (role !== "owner") await links.dropLinksMadeBy(tx, { maker: personId, accountId });
    if (role !== "owner" && role !== "member") await revokeKeysOf(tx, { personId, accountId, at });
  }

  async #member(db: Queries, accountId: string, personId: string): Promise<people.MemberRow> {
    const member = await people.memberById(db, accountId, personId);
    if (member === null)
      throw new ApiError("not_found", { detail: "There is no such person in this account" });
    return member;
  }
}

function memberView(row: people.MemberRow): MemberRecord {
  return {
    ...personView(row),
    account_role: row.account_role,
    joined_at: row.joined_at.toISOString(),
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  };
}
