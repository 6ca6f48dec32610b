import type { IncomingMessage, ServerResponse } from "node:http";
import type { EncodedBody } from "./encoded-body.ts";

/** A request on its way to an answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Ours always: a client's would let it write into the log, and collide with others'. */
  readonly requestId: string;
  /** As it was sent: not decoded, no `.` or `..` resolved. */
  readonly path: string;
  /** Behind the `?`; empty when there is none. */
  readonly search: string;
  /** Headers of the answer, whatever it comes to be; the stages of the pipeline add theirs. */
  readonly headers: Record<string, string>;
  /** Asks for the body of a client that waits for leave to send it (`Expect: 100-continue`). */
  readonly invite: () => void;
}

export interface Params {
  readonly [name: string]: string;
}

/** `body`: an object becomes JSON; text is sent as it is. Its headers go before those of the stages. */
export interface Answer {
  readonly body: string | object | EncodedBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers an exchange, or throws what becomes its problem document. */
export type Serve = (exchange: Exchange, params: Params) => Promise<void>;
