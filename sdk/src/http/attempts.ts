import { ask, unanswered } from "./ask.ts";
import { backoffMs } from "./backoff.ts";
import { ConnectionError, TimeoutError } from "./errors.ts";
import type { Connection } from "./settings.ts";
import { pause, stopperOf, timer } from "./waiting.ts";

/** One request of the interface. */
export interface Outgoing {
  /** Default: GET. */
  readonly method?: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** 0 where sending it twice may do harm. */
  readonly maxRetries?: number | undefined;
}

export interface Answer {
  readonly response: Response;
  /** The whole body. */
  readonly text: string;
}

/** A longer Retry-After is the caller's to wait for: the end of a day's quota is hours away. */
const mostWaitMs = 60_000;
const passing = [408, 429, 502, 503, 504];

/**
 * Sends a request, and again when the failure may pass and the request may be repeated.
 * @throws {TapewireError} for a response that is no success, {ConnectionError} without one, and the signal's reason
 */
export async function send(connection: Connection, request: Outgoing): Promise<Answer> {
  // patienceMs: how long a first call with the same Idempotency-Key is waited for while it is at work.
  let { maxRetries = connection.maxRetries, timeoutMs: patienceMs = connection.timeoutMs } = request;
  let refused: string | undefined;
  for (let attempt = 0; ; attempt++) {
    const key = await connection.key(refused);
    try {
      return await attemptOnce(connection, request, key);
    } catch (error) {
      // Only a TapewireError has these.
      const { status, retryAfterMs } = Object(error);
      if (status === 401 && connection.renews && refused === undefined) {
        refused = key;
        continue;
      }
      const waitMs = retryAfterMs ?? backoffMs(attempt, 500, 8_000);
      const mayPass = error instanceof ConnectionError || passing.includes(status);
      if (status === 409 && retryAfterMs && retryAfterMs <= patienceMs) {
        // The first call with this Idempotency-Key is at work, and may be paid for. A repeat gets its answer, and does not count.
        patienceMs -= retryAfterMs;
        attempt -= 1;
      } else if (!mayPass || attempt >= maxRetries || waitMs > mostWaitMs) throw error;
      await pause(waitMs, request.signal);
    }
  }
}

async function attemptOnce(connection: Connection, request: Outgoing, key: string): Promise<Answer> {
  const { method = "GET", path, signal, timeoutMs = connection.timeoutMs } = request;
  const stopper = stopperOf(signal);
  const limit = timer(timeoutMs, () =>
    stopper.abort(new TimeoutError(`${method} ${path}: no response in ${timeoutMs} ms`)),
  );
  try {
    stopper.signal.throwIfAborted();
    const response = await ask(connection, path, key, { ...request, signal: stopper.signal });
    return { response, text: await response.text().catch(unanswered(connection)) };
  } catch (error) {
    stopper.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(limit);
    // Takes the listener away: the body has been read.
    stopper.abort();
  }
}
