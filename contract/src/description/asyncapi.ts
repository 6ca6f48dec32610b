import { clientExamples, serverExamples } from "../examples/examples.ts";
import { clientFrame, serverFrame } from "../stream.ts";
import type { Dictionary } from "../tags.ts";
import { channelText, closes, refusals } from "./asyncapi-channel.ts";
import { message, operations } from "./asyncapi-operations.ts";
import type { AsyncApiDocument, Message } from "./asyncapi-types.ts";
import { schemaOf } from "./json-schema.ts";
import type { Reference, Schema } from "./openapi-types.ts";

/** The AsyncAPI 3.0 document of the realtime stream, made from the schemas that its frames are checked with. */
export function asyncApiDocument(dictionary: Dictionary, baseUrl: string): AsyncApiDocument {
  const schemas: Record<string, Schema> = {};
  const messages = messagesOf(dictionary, schemas);
  const { host, pathname, protocol } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, "");
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Tapewire realtime stream",
      version: "1.0.0",
      description:
        "Scored news and regulatory filings in real time. Operations are named from the server's side: it receives what clients send.",
      license: { name: "Apache License 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/json",
    servers: {
      stream: {
        host,
        ...(prefix === "" ? {} : { pathname: prefix }),
        protocol: protocol === "https:" ? "wss" : "ws",
        description: "This server.",
        security: [ref("securitySchemes", "key"), ref("securitySchemes", "keyInQuery")],
      },
    },
    channels: {
      stream: {
        address: "/v1/stream",
        title: "Realtime stream",
        description: channelText(),
        messages: Object.fromEntries(Object.keys(messages).map((name) => [name, ref("messages", name)])),
        bindings: { ws: { method: "GET", query: querySchema, bindingVersion: "0.1.0" } },
        "x-close-codes": closes,
        "x-refusals": refusals,
      },
    },
    operations: operations(),
    components: { messages, schemas, securitySchemes },
  };
}

const querySchema: Schema = {
  type: "object",
  properties: {
    api_key: { type: "string", description: "The API key, for clients that cannot set a header." },
  },
};

const securitySchemes = {
  key: { type: "http", scheme: "bearer", description: "An API key, `tw_live_...`, in Authorization." },
  keyInQuery: {
    type: "httpApiKey",
    name: "api_key",
    in: "query",
    description: "An API key in the query, for browsers.",
  },
} as const;

function ref(kind: "messages" | "securitySchemes", name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Every frame by its type. Adds the schemas that the frames refer to to `schemas`. */
function messagesOf(
  dictionary: Dictionary,
  schemas: Record<string, Schema>,
): Readonly<Record<string, Message>> {
  const frames = [
    ...clientFrame(dictionary).options.map((schema) => ({
      schema,
      examples: clientExamples[schema.shape.type.value],
    })),
    ...serverFrame.options.map((schema) => ({ schema, examples: serverExamples[schema.shape.type.value] })),
  ];
  return Object.fromEntries(
    frames.map(({ schema, examples }) => {
      const name = schema.shape.type.value;
      const payload = schemaOf(schema, schemas);
      return [name, message(name, payload, examples)];
    }),
  );
}
