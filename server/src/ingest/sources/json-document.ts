import type { z } from "zod";
import { type Adapter, ParseError } from "../adapter.ts";
import { boundJson, decodeText } from "../decode/decode.ts";
import type { FetchRequest } from "../fetch/types.ts";

/**
 * The JSON value of an answer.
 * @throws {ParseError} when it is none (an HTML page with status 200, a cut document)
 */
export function readJson(body: Uint8Array, contentType: string): unknown {
  const text = decodeText(body, contentType).replace(/^\ufeff/, "");
  boundJson(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new ParseError("the answer cannot be read as JSON");
  }
}

/** A request for one page of a JSON API's list. */
export function jsonRequest(url: string): FetchRequest {
  return { url, accept: "application/json", conditional: true, trusted: true };
}

/** For an API whose list is complete: its items have no documents. */
export function jsonListAdapter(parse: Adapter["parse"]): Adapter {
  return {
    plan: ({ url }) => ({ request: jsonRequest(url), floor: null }),
    parse,
    enrich: () => null,
    withDocuments: (item) => item,
  };
}

/**
 * The readable entries among the first `most` of a list.
 * @throws {ParseError} when there are some and none can be read
 */
export function readEntries<T>(
  list: readonly unknown[],
  { schema, most, what }: { schema: z.ZodType<T>; most: number; what: string },
): T[] {
  const listed = list.slice(0, most);
  const read = listed.flatMap((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
  if (listed.length > 0 && read.length === 0) throw new ParseError(`no ${what} of the list can be read`);
  return read;
}
