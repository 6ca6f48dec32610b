import type { z } from "zod";
import type { ErrorCode } from "../errors/errors.ts";

/** The headings of the documentation. */
export type Section = "feeds" | "score" | "webhooks" | "reference" | "account" | "dashboard" | "admin";

/** One endpoint: everything that routing, validation, OpenAPI and the docs need. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** What it needs: the bearer token of an API key or of the operator, the cookie of a session, or nothing. */
  readonly auth: "key" | "admin" | "session" | "none";
  /** A key may also be given as `api_key` in the query, for programs that take an address and nothing else. */
  readonly keyInQuery?: boolean;
  /** Its heading in the documentation. */
  readonly section: Section;
  /** The plan member that the key's plan must have. */
  readonly needs?: "feed_list" | "score_per_day" | "replay";
  /** The rate limit that it counts against. Absent: that of reference reads in the sections reference and account, else the plan's. */
  readonly bucket?: "reference";
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
  /** Media type of the response. Absent: application/json. */
  readonly responseType?: "application/rss+xml" | "application/feed+json";
  /** Headers that only this route's response has. */
  readonly headers?: readonly "X-Page-Limit"[];
  /** Errors beyond those that its method and authentication imply (see description/openapi-answers.ts). */
  readonly errors: readonly ErrorCode[];
}
