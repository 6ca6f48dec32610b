import type { z } from "zod";
import type { ErrorCode } from "../errors/errors.ts";

/** The headings of the documentation. */
export type Section = "feeds" | "score" | "webhooks" | "reference" | "account" | "admin";

/** One endpoint: everything that routing, validation, OpenAPI and the docs need. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** The bearer token it needs: an API key, the operator's admin token, or none. */
  readonly auth: "key" | "admin" | "none";
  /** Its heading in the documentation. */
  readonly section: Section;
  /** The plan member that the key's plan must have. */
  readonly needs?: "feed_list" | "score_per_day";
  /** Takes an Idempotency-Key header. */
  readonly idempotent?: boolean;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media types of the body. Absent: application/json. */
  readonly bodyTypes?: readonly string[];
  readonly status: number;
  readonly response: z.ZodType;
  /** Headers that only this route's response has. */
  readonly headers?: readonly "X-Page-Limit"[];
  /** Errors beyond those that its method and authentication imply (see description/openapi-answers.ts). */
  readonly errors: readonly ErrorCode[];
}
