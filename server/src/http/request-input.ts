import type { IncomingMessage } from "node:http";
import { ApiError, fieldErrors } from "@tapewire/contract/errors.ts";
import { queryValues } from "@tapewire/contract/query-values.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { AskedBefore } from "../feed/asked-before.ts";

/** @throws {ApiError} invalid_parameter, when it is no key that can be kept */
export function idempotencyKeyOf({ headers }: IncomingMessage, route: Route): string | null {
  const key = route.idempotent === true ? headers["idempotency-key"] : undefined;
  if (key === undefined) return null;
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError("invalid_parameter", {
      fields: [{ in: "header", name: "Idempotency-Key", detail: "1 to 255 printable ASCII characters" }],
    });
  return key;
}

/** @throws {ApiError} invalid_parameter, naming each offending field */
export function parse(schema: z.ZodType | undefined, value: unknown, where: "path" | "query"): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid_parameter", { fields: fieldErrors(parsed.error, where) });
}

const mostQueries = 1_000;
const mostAsked = 8_192;
const longestQuery = 1_024;

/** Reads the queries of a route. Those asked for again are kept as they were read. */
export function queryReader(route: Route): (search: string) => unknown {
  const ours = new Set(Object.keys(route.query?.shape ?? {}));
  const kept = new LRUCache<string, { readonly query: unknown }>({ max: mostQueries });
  const asked = new AskedBefore(mostAsked);
  return (search) => {
    const known = kept.get(search);
    if (known !== undefined) return known.query;
    const query = Object.freeze(parse(route.query, queryValues(search, ours), "query"));
    if (search.length > longestQuery || !asked.ask(search)) return query;
    kept.set(search, { query });
    return query;
  };
}
