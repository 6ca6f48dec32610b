import type { IncomingMessage, ServerResponse } from "node:http";
import type { EncodedBody } from "./encoded-body.ts";

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Always generated here: a client's id could collide with others, and could inject text into the log. */
  readonly requestId: string;
  /** As sent: not decoded, `.` and `..` not resolved. */
  readonly path: string;
  /** The text after `?`; empty when there is none. */
  readonly search: string;
  /** Headers of the response, whatever its status. Each stage adds its own. */
  readonly headers: Record<string, string>;
  /** Tells a client with `Expect: 100-continue` to send the body. */
  readonly invite: () => void;
}

export interface Params {
  readonly [name: string]: string;
}

/** `body`: an object becomes JSON, text is sent as is. These headers take precedence over those of the stages. */
export interface Answer {
  readonly body: string | object | EncodedBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Responds to an exchange, or throws an error that becomes the problem document. */
export type Serve = (exchange: Exchange, params: Params) => Promise<void>;
