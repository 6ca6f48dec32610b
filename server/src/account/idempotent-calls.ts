import {
  beginCall,
  type CallState,
  dropAnswersBeyond,
  finishCall,
  forgetCall,
  type IdempotentCall,
  type KeptAnswers,
} from "../store/accounts/idempotent-calls.ts";
import type { Queries } from "../store/engine/db.ts";

/**
 * Stored per account. Only a plan without a cap of score calls can reach this in ordinary use: its oldest answers are
 * then dropped before their 24 hours are over, and a repeat of such a call is a new call.
 */
export const mostKept: KeptAnswers = { answers: 100_000, bytes: 64 * 2 ** 20 };
/** An account's answers are trimmed each time this process has added 1/16 of the limit, to keep the cost per answer low. */
const lookShare = 16;

/** Calls with an Idempotency-Key and their answers, bounded per account. */
export class IdempotentCalls {
  readonly #db: Queries;
  readonly #most: KeptAnswers;
  /** What this process has added for each account since it last trimmed the account's answers. */
  readonly #fresh = new Map<string, { answers: number; bytes: number }>();

  constructor(db: Queries, most: KeptAnswers = mostKept) {
    this.#db = db;
    this.#most = most;
  }

  begin(call: IdempotentCall): Promise<CallState> {
    return beginCall(this.#db, call);
  }

  forget(call: IdempotentCall): Promise<void> {
    return forgetCall(this.#db, call);
  }

  async finish(call: IdempotentCall, answer: string): Promise<void> {
    await finishCall(this.#db, call, answer);
    const { accountId } = call;
    const fresh = this.#fresh.get(accountId) ?? { answers: 0, bytes: 0 };
    fresh.answers += 1;
    fresh.bytes += Buffer.byteLength(answer);
    const { answers, bytes } = this.#most;
    const isMuch = fresh.answers * lookShare >= answers || fresh.bytes * lookShare >= bytes;
    if (!isMuch) this.#fresh.set(accountId, fresh);
    else {
      this.#fresh.delete(accountId);
      await dropAnswersBeyond(this.#db, accountId, this.#most);
    }
  }
}
