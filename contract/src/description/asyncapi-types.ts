import type { ErrorCode } from "../errors/errors.ts";
import type { Reference, Schema } from "./openapi-types.ts";

export interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: "application/json";
  readonly payload: Schema;
  readonly examples: readonly { readonly name: string; readonly summary: string; readonly payload: object }[];
}

export interface Operation {
  /** From the server's side: it receives what clients send. */
  readonly action: "send" | "receive";
  readonly title: string;
  readonly summary: string;
  readonly channel: Reference;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly channel: Reference; readonly messages: readonly Reference[] };
}

export interface AsyncApiDocument {
  readonly asyncapi: "3.0.0";
  readonly info: Readonly<Record<"title" | "version" | "description", string>> & {
    readonly license: { readonly name: string; readonly url: string };
  };
  readonly defaultContentType: "application/json";
  readonly servers: {
    readonly stream: {
      readonly host: string;
      readonly pathname?: string;
      readonly protocol: "ws" | "wss";
      readonly description: string;
      readonly security: readonly Reference[];
    };
  };
  readonly channels: {
    readonly stream: {
      readonly address: "/v1/stream";
      readonly title: string;
      /** Markdown. */
      readonly description: string;
      readonly messages: Readonly<Record<string, Reference>>;
      readonly bindings: {
        readonly ws: { readonly method: "GET"; readonly query: Schema; readonly bindingVersion: "0.1.0" };
      };
      readonly "x-close-codes": readonly CloseCode[];
      readonly "x-refusals": readonly {
        readonly status: number;
        readonly code: ErrorCode;
        readonly message: string;
      }[];
    };
  };
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<"key" | "keyInQuery", object>>;
  };
}

export interface CloseCode {
  readonly code: number;
  readonly meaning: string;
  /** What the client should do. */
  readonly reconnect: string;
}
