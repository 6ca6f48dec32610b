/** Questions that one process asks another, over the bus that both are on. */

/**
 * late: no answer came within the deadline. gone: nobody hears that process any more. away: this process is not connected,
 * or was cut off meanwhile. full: as many questions wait for answers as may. large: the bus carries no message so long.
 */
export type CallFailure = "late" | "gone" | "away" | "full" | "large";

/** Why a question has no answer. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly reason: CallFailure;

  constructor(reason: CallFailure) {
    super(`the question has no answer: ${reason}`);
    this.reason = reason;
  }
}

/** What a process hears. Called in the turn in which it comes; must not throw. */
export interface CallEvents {
  /** The connection stands: what this process has told before, the others may not have heard. */
  begun(): void;
  /** It has ended. */
  ended(): void;
  /** Another process has told all. */
  told(body: Buffer): void;
  /** Another process asks this one. `answer` may be called once, at any time. @returns false: it could not be sent */
  asked(body: Buffer, answer: (body: Buffer) => boolean): void;
}

/** Bodies are those of processes of the same installation; what they mean, and whether to believe it, is the caller's. */
export interface Calls {
  /** Names this process to the others, as long as it runs. */
  readonly id: string;
  /** One at a time hears. */
  attach(events: CallEvents): void;
  /** Tells all others; lost when there is no connection. Neither waits nor throws. */
  tell(body: Buffer): void;
  /** @throws {CallError} */
  ask(to: string, body: Buffer, deadlineMs: number): Promise<Buffer>;
}
