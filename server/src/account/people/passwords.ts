import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { Gate, GateError } from "../../runtime/sharing/gate.ts";
import type { Queries } from "../../store/engine/db.ts";
import { countAttempt, forgetAttempts, giveBackAttempt } from "../../store/people/attempts.ts";
import { lockPerson, type PersonRow } from "../../store/people/people.ts";
import { lockSession } from "../../store/people/sessions.ts";
import { overloaded, rateLimited } from "../refusals.ts";

/** Source: OWASP's password storage cheat sheet, scrypt. One hash uses 32 MiB and some 80 ms of a thread. */
const cost = { logN: 15, r: 8, p: 1 } as const;
const hashBytes = 32;
const saltBytes = 16;

/** Hashing fills the threads that file reads share: two at a time, of each network one, and a flood is refused. */
const gate = new Gate({ inside: 2, waiting: 64, each: { inside: 1, waiting: 16 } });

/** The hash to store: `scrypt$15$8$1$salt$hash`. @param network whose turn it takes @throws {ApiError} overloaded */
export async function hashPassword(password: string, network: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, { ...cost, network });
  return ["scrypt", cost.logN, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")].join(
    "$",
  );
}

/**
 * Whether the password is the stored one. Takes equally long when there is none stored, so that the time does not tell
 * which e-mail addresses are known.
 * @throws {ApiError} overloaded
 */
export async function checkPassword(
  password: string,
  stored: string | null,
  network: string,
): Promise<boolean> {
  const [, logN, r, p, salt = "", hash = ""] = (stored ?? nobody).split("$");
  const expected = Buffer.from(hash, "base64url");
  const given = await derive(password, Buffer.from(salt, "base64url"), {
    logN: Number(logN),
    r: Number(r),
    p: Number(p),
    network,
  });
  return timingSafeEqual(given, expected) && stored !== null;
}

const nobody = [
  "scrypt",
  cost.logN,
  cost.r,
  cost.p,
  randomBytes(saltBytes).toString("base64url"),
  randomBytes(hashBytes).toString("base64url"),
].join("$");

async function derive(
  password: string,
  salt: Buffer,
  { logN, r, p, network }: { logN: number; r: number; p: number; network: string },
): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r };
  const leave = await enter(network);
  try {
    // The same letters typed on another system may be other code points.
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, hash) =>
        error === null ? resolve(hash) : reject(error),
      );
    });
  } finally {
    leave();
  }
}

async function enter(network: string): Promise<() => void> {
  try {
    return await gate.enter({ owner: network, waitMs: 5_000 });
  } catch (cause) {
    if (!(cause instanceof GateError)) throw cause;
    throw overloaded({ cause });
  }
}

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

/** Attempts an hour: of one network for an e-mail address, and of all networks for it. */
const allowed = { fromNetwork: 10, inAll: 100 } as const;

const subject = (...parts: readonly string[]) => createHash("sha256").update(parts.join("\n")).digest();

/**
 * Bounds guesses of passwords, over all processes. The bound for one network is low and the one for all is high, so that
 * a stranger who guesses from one network does not keep the person out. Many networks together can, for the hour: the person
 * then signs in by a link, a key or the identity provider.
 */
export class PasswordAttempts {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor(deps: { db: Queries; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  /** Takes an attempt before the password is checked, so that calls at once count. @throws {ApiError} rate_limited */
  async begin(email: string, network: string): Promise<void> {
    const now = this.#clock.now();
    const near = await countAttempt(this.#db, subject(email, network), now);
    if (near.count > allowed.fromNetwork) throw tooMany(near.endsAt, now);
    const all = await countAttempt(this.#db, subject(email), now);
    if (all.count > allowed.inAll) throw tooMany(all.endsAt, now);
  }

  /** As checkPassword, after `begin`; what is not checked after all is no attempt. */
  async check(
    password: string,
    stored: string | null,
    { email, network }: { email: string; network: string },
  ): Promise<boolean> {
    try {
      return await checkPassword(password, stored, network);
    } catch (error) {
      await giveBackAttempt(this.#db, [subject(email, network), subject(email)]);
      throw error;
    }
  }

  /** The password was right. */
  async succeeded(email: string, network: string): Promise<void> {
    await forgetAttempts(this.#db, [subject(email, network), subject(email)]);
  }
}

function tooMany(endsAt: Date, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000));
  return rateLimited(seconds, "sign_in", "Too many attempts to sign in with this e-mail address");
}
