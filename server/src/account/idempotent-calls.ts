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
 * Of one account. No plan's ordinary use of a day comes near it but one without a cap of score calls: there the oldest
 * answers go before their 24 hours are over, and a repeat of such a call is a call of its own.
 */
export const mostKept: KeptAnswers = { answers: 100_000, bytes: 64 * 2 ** 20 };
/** Looked at whenever so much of it has come anew here, so that the look costs little per answer. */
const lookShare = 16;

/** Calls that named an Idempotency-Key, and their answers, as many as are kept of an account. */
export class IdempotentCalls {
  readonly #db: Queries;
  readonly #most: KeptAnswers;
  /** What was kept of an account since it was last looked at. */
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
