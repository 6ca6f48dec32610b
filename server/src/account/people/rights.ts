import type { SessionRight } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { hasAccount } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import type { Visitor } from "./types.ts";

/** Who may do what in an account. Source: design of sign-in, 2.5. */
const abilities = {
  /** Items, symbols, usage; saved views. */
  see: ["operator", "owner", "member", "viewer", "key"],
  /** Whatever a key of the account may do: score texts, manage webhooks. */
  act: ["operator", "owner", "member", "key"],
  /** Create keys, and manage those that one created. */
  holdKeys: ["operator", "owner", "member"],
  manageAllKeys: ["operator", "owner"],
  managePeople: ["operator", "owner"],
  readAudit: ["operator", "owner"],
  /** Change views that somebody else shares. */
  manageViews: ["operator", "owner"],
} as const satisfies Record<string, readonly SessionRight[]>;
export type Ability = keyof typeof abilities;

/** The visitor's right to an account; null: none. */
export function rightTo({ isOperator, roles, key }: Visitor, accountId: string): SessionRight | null {
  if (isOperator) return "operator";
  if (key?.accountId === accountId) return "key";
  return roles.get(accountId) ?? null;
}

export function may(right: SessionRight, ability: Ability): boolean {
  const rights: readonly SessionRight[] = abilities[ability];
  return rights.includes(right);
}

/**
 * @returns the visitor's right to the account
 * @throws {ApiError} not_found, when there is no such account, or the visitor has no right to it: whether it exists is
 *   nobody else's business; forbidden, when the right does not include the ability
 */
export async function demand(
  db: Queries,
  visitor: Visitor,
  accountId: string,
  ability: Ability,
): Promise<SessionRight> {
  const right = rightTo(visitor, accountId);
  // The operator has a right to every id; others only to accounts that exist.
  if (right === null || (right === "operator" && !(await hasAccount(db, accountId))))
    throw new ApiError("not_found", { detail: "There is no account with this id" });
  if (!may(right, ability)) throw new ApiError("forbidden");
  return right;
}

/** @throws {ApiError} forbidden */
export function demandOperator({ isOperator }: Visitor): void {
  if (!isOperator) throw new ApiError("forbidden", { detail: "Only the operator may do this" });
}
