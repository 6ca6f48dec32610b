import { ParseError } from "../adapter.ts";
import { decodeText } from "../decode.ts";

/**
 * The JSON value of an answer.
 * @throws {ParseError} when it is none (an HTML page with status 200, a cut document)
 */
export function readJson(body: Uint8Array, contentType: string): unknown {
  try {
    return JSON.parse(decodeText(body, contentType).replace(/^\ufeff/, ""));
  } catch {
    throw new ParseError("the answer cannot be read as JSON");
  }
}
