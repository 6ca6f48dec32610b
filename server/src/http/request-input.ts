import type { IncomingHttpHeaders } from "node:http";
import { ApiError, fieldErrors } from "@tapewire/contract/errors/errors.ts";
import { queryValues } from "@tapewire/contract/query-values.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import type { z } from "zod";
import { AskedBefore } from "../feed/asked-before.ts";
import { lruOf } from "../runtime/sharing/lru.ts";

/** @throws {ApiError} invalid_parameter, when the key is not valid */
export function idempotencyKeyOf(headers: IncomingHttpHeaders, route: Route): string | null {
  const key = route.idempotent === true ? headers["idempotency-key"] : undefined;
  if (key === undefined) return null;
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError("invalid_parameter", {
      fields: [
        { in: "header", name: "Idempotency-Key", detail: "must be 1 to 255 printable ASCII characters" },
      ],
    });
  return key;
}

/** @throws {ApiError} invalid_parameter, listing each wrong field */
export function parse(schema: z.ZodType | undefined, value: unknown, where: "path" | "query"): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid_parameter", { fields: fieldErrors(parsed.error, where) });
}

const mostQueries = 1_000;
const mostAsked = 8_192;
const longestQuery = 1_024;

/** Parses the queries of a route. Parsed queries that are used again are cached. */
export function queryReader(route: Route): (search: string) => unknown {
  const ours = new Set(Object.keys(route.query?.shape ?? {}));
  const kept = lruOf<string, { readonly query: unknown }>(mostQueries);
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
