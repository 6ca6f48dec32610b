import type { AuditEntry } from "@tapewire/contract/dashboard/people.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { AttemptLimit } from "../../runtime/sharing/attempt-limit.ts";
import type { Queries } from "../../store/engine/db.ts";
import { insertAudit, readAudit } from "../../store/people/audit.ts";
import { demand } from "./rights.ts";
import type { Actor, Visitor } from "./types.ts";

/** Everything that is written down. The subject of a session is who began it. */
export type Action =
  | "account.updated"
  | "invite.created"
  | "invite.withdrawn"
  | "key.created"
  | "key.revoked"
  | "key.rotated"
  | "backup.made"
  | "key.updated"
  | "link.created"
  | "member.joined"
  | "member.removed"
  | "member.updated"
  | "person.updated"
  | "session.begun"
  | "session.ended"
  | "sign_in.failed";

export interface Deed {
  readonly actor: Actor;
  readonly action: Action;
  readonly subject: string;
  readonly accountId?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

interface WantedPage {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface AuditPage {
  readonly data: AuditEntry[];
  readonly next_cursor: string | null;
}

/** Failed sign-ins that a process writes down: strangers must not fill the table. */
const failureRate = { atOnce: 120, perSecond: 0.2 } as const;

/** Writes down who did what. Never with a secret. */
export class Audit {
  readonly #clock: Clock;
  readonly #db: Queries;
  readonly #failures: AttemptLimit;

  constructor(deps: { db: Queries; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#failures = new AttemptLimit(deps.clock, failureRate);
  }

  /** A sign-in that failed; above a rate they are not written down. */
  async noteFailure(subject: string, network: string): Promise<void> {
    if (this.#failures.begin("all") > 0) return;
    await this.note({ actor: { name: "nobody", network }, action: "sign_in.failed", subject });
  }

  /** @param db the transaction of the deed, so that neither is there without the other */
  async note({ actor, action, subject, accountId = null, detail = {} }: Deed, db = this.#db): Promise<void> {
    await insertAudit(db, {
      at: this.#clock.now(),
      actor: actor.name,
      action,
      subject,
      account_id: accountId,
      network: actor.network,
      detail: { ...detail },
    });
  }

  /** @throws {ApiError} see page; also forbidden, not_found */
  async pageOf(visitor: Visitor, accountId: string, wanted: WantedPage): Promise<AuditPage> {
    await demand(this.#db, visitor, accountId, "readAudit");
    return this.page(accountId, wanted);
  }

  /** Newest first. @param accountId null: of all accounts @throws {ApiError} invalid_cursor */
  async page(accountId: string | null, { limit = 50, cursor }: WantedPage): Promise<AuditPage> {
    const before = cursor === undefined ? null : Number(cursor);
    if (before !== null && !(Number.isSafeInteger(before) && before > 0))
      throw new ApiError("invalid_cursor");
    const rows = await readAudit(this.#db, { accountId, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      data: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
      next_cursor: rows.length > limit && last !== undefined ? String(last.id) : null,
    };
  }
}
