import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";

/** The headings of the documentation. */
export type Section = "feeds" | "score" | "webhooks" | "reference" | "account" | "admin";

/** One endpoint: everything that router, validation, OpenAPI and docs need to know of it. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** Whose bearer token opens it: an API key, the operator's admin token, or nobody's. */
  readonly auth: "key" | "admin" | "none";
  /** The heading it stands under in the documentation. */
  readonly section: Section;
  /** Plan ability the key needs, beyond being valid. */
  readonly needs?: "feed_list" | "score_per_day";
  /** Takes an Idempotency-Key header. */
  readonly idempotent?: boolean;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media types taken, application/json when absent. */
  readonly bodyTypes?: readonly string[];
  readonly status: number;
  readonly response: z.ZodType;
  /** Headers of the answer that tell something of their own. */
  readonly headers?: readonly "X-Page-Limit"[];
  /** Errors beyond those every route of its kind can give (see description/openapi-answers.ts). */
  readonly errors: readonly ErrorCode[];
}
