import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Queries } from "../../store/engine/db.ts";
import { lockPerson, type PersonRow } from "../../store/people/people.ts";
import { lockSession } from "../../store/people/sessions.ts";

/** What showed that a client is a person; neither for a link or the identity provider. */
export interface Proof {
  /** The stored hash that the client's password has; null: none is stored. */
  readonly password?: string | null;
  /** Id of the client's session. */
  readonly session?: string;
}

/**
 * Locks the person until the transaction ends, and checks that the proof still holds: hashing waits for its turn, and what
 * was proved before it may have ended meanwhile.
 * @throws {ApiError} unauthorized
 */
export async function demandProof(
  tx: Queries,
  personId: string,
  { password, session }: Proof,
): Promise<PersonRow> {
  const person = await lockPerson(tx, personId);
  const isSamePassword = password === undefined || person?.password === password;
  if (person !== null && isSamePassword && (session === undefined || (await lockSession(tx, session))))
    return person;
  throw new ApiError("unauthorized", {
    detail: "The password was changed, or the session has ended, in this moment: sign in again",
  });
}
