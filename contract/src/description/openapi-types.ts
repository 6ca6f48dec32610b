import type { z } from "zod";

/** JSON Schema 2020-12 as this document uses it. */
export type Schema = z.core.JSONSchema.BaseSchema;

export interface Reference {
  readonly $ref: string;
}

export interface Header {
  readonly description: string;
  /** false: some answers of the status lack it. */
  readonly required?: false;
  readonly schema: Schema;
  readonly example: string | number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export interface Content {
  readonly [mediaType: string]: MediaType;
}

export interface Answer {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  /** By HTTP status. The successful response is inline, the others are components. */
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly "x-codeSamples": readonly [
    { readonly lang: "Shell"; readonly label: "curl"; readonly source: string },
  ];
}

export type SecurityScheme = { readonly description: string } & (
  | { readonly type: "http"; readonly scheme: "bearer" }
  | { readonly type: "apiKey"; readonly in: "query" | "cookie"; readonly name: string }
);

/** What operations refer to, collected while the operations are described. */
export interface Components {
  readonly schemas: Record<string, Schema>;
  readonly responses: Record<string, Answer>;
  readonly parameters: Record<string, Parameter>;
  readonly headers: Record<string, Header>;
  readonly examples: Record<string, { readonly summary: string; readonly value: unknown }>;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    /** Markdown. */
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly [{ readonly url: string; readonly description: string }];
  readonly externalDocs: { readonly description: string; readonly url: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components & {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}
