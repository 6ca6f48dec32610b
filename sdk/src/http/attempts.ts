import { ask, noAnswer } from "./ask.ts";
import { backoffMs } from "./backoff.ts";
import { ConnectionError, TapewireError, TimeoutError } from "./errors.ts";
import type { Connection } from "./settings.ts";
import { pause, stopperOf, timer } from "./waiting.ts";

/** One request of the interface. */
export interface Outgoing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether sending it twice does no harm. */
  readonly isSafe: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
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
  const retries = request.isSafe ? (request.maxRetries ?? connection.maxRetries) : 0;
  let refused: string | undefined;
  for (let attempt = 0; ; attempt++) {
    const key = await connection.key(refused);
    try {
      return await attemptOnce(connection, request, key);
    } catch (error) {
      const isStale = error instanceof TapewireError && error.status === 401;
      if (isStale && connection.renews && refused === undefined) {
        refused = key;
        continue;
      }
      const waitMs = attempt < retries ? waitBefore(error, attempt) : null;
      if (waitMs === null) throw error;
      await pause(waitMs, request.signal);
    }
  }
}

/** @returns null when another attempt cannot help */
function waitBefore(error: unknown, attempt: number): number | null {
  const isRefusal = error instanceof TapewireError;
  if (!(isRefusal ? passing.includes(error.status) : error instanceof ConnectionError)) return null;
  const askedMs = isRefusal ? error.retryAfterMs : null;
  const waitMs = askedMs ?? backoffMs(attempt, 500, 8_000);
  return waitMs <= mostWaitMs ? waitMs : null;
}

async function attemptOnce(connection: Connection, request: Outgoing, key: string): Promise<Answer> {
  const { method, path, headers = {}, body = null, signal, timeoutMs = connection.timeoutMs } = request;
  const stopper = stopperOf(signal);
  const limit = timer(timeoutMs, () =>
    stopper.abort(new TimeoutError(`${method} ${path}: no response in ${timeoutMs} ms`)),
  );
  try {
    stopper.signal.throwIfAborted();
    const response = await ask(connection, path, key, { method, headers, body, signal: stopper.signal });
    return { response, text: await response.text() };
  } catch (cause) {
    stopper.signal.throwIfAborted();
    if (cause instanceof TapewireError) throw cause;
    throw new ConnectionError(noAnswer(connection, cause), { cause });
  } finally {
    clearTimeout(limit);
    // Takes the listener away: the body has been read.
    stopper.abort();
  }
}
