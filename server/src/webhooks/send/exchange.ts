import { AssertionError } from "node:assert";
import { type Dispatcher, errors } from "undici";
import { AttemptError } from "./attempt-error.ts";
import type { Connection } from "./connections.ts";
import type { AttemptErrorCode } from "./types.ts";

/** A receiver's answer. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The start of the body. */
  readonly head: Buffer | null;
}

export interface Post {
  readonly path: string;
  /** Names and values, alternating. */
  readonly headers: string[];
  readonly body: Buffer;
}

const keptBytes = 1_024;
const readBytes = 16 * 1_024;

/**
 * One request and its answer. The status decides: a body that is too large, breaks or does not end is cut, together with
 * the connection.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #bytesBefore: number;
  readonly #done = Promise.withResolvers<Answer>();
  #status = 0;
  #retryAfter: string | undefined;
  #head: Buffer | null = null;
  #bodyBytes = 0;
  #isSettled = false;
  /** Whether the connection may be reused. */
  isWhole = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#bytesBefore = connection.socket.bytesRead;
  }

  /** @throws {AttemptError} */
  post({ path, headers, body }: Post): Promise<Answer> {
    this.#connection.client.dispatch({ method: "POST", path, headers, body }, this);
    return this.#done.promise;
  }

  /** Whether any byte of an answer has come. */
  get hasBytes(): boolean {
    return this.#connection.socket.bytesRead > this.#bytesBefore;
  }

  /** Ends it now, with the status if it has come. The owner of the connection must drop it. */
  cut(code: AttemptErrorCode, cause?: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#status === 0) this.#done.reject(new AttemptError(code, { cause }));
    else this.#done.resolve({ status: this.#status, retryAfter: this.#retryAfter, head: this.#head });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isSettled) controller.abort(new AttemptError("stopped"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    const retryAfter = headers["retry-after"];
    this.#retryAfter = typeof retryAfter === "object" ? retryAfter[0] : retryAfter;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const missing = keptBytes - this.#bodyBytes;
    this.#bodyBytes += chunk.length;
    if (missing > 0) {
      // Copied, since a slice would keep the whole chunk in memory.
      const kept = Buffer.from(chunk.subarray(0, missing));
      this.#head = this.#head === null ? kept : Buffer.concat([this.#head, kept]);
    }
    if (this.#bodyBytes > readBytes) this.cut("bad_answer");
  }

  onResponseEnd(): void {
    this.isWhole = !this.#isSettled;
    this.cut("bad_answer");
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.cut(meaningOf(error), error);
  }
}

function meaningOf(error: Error): AttemptErrorCode {
  if (error instanceof AttemptError) return error.code;
  if (error instanceof errors.HeadersOverflowError) return "headers_too_large";
  return isOfTheAnswer(error) ? "bad_answer" : "reset";
}

/** The library has four errors for answers that are not HTTP or do not fit the request. */
function isOfTheAnswer(error: Error): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.ResponseContentLengthMismatchError ||
    error instanceof AssertionError ||
    /^bad (?:response|upgrade)$/.test(error.message)
  );
}
