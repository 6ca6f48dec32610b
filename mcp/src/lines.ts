import { Transform, type TransformCallback, type Writable } from "node:stream";

interface Fault {
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A longer line is passed on as it comes: the transport bounds it. */
const longest = 1_048_576;
const newline = 0x0a;

/**
 * The lines of a client that are messages. The transport drops all others without a word, and the client would wait for ever:
 * they are answered here. Source: JSON-RPC 2.0, Error object.
 */
export class Lines extends Transform {
  readonly #output: Writable;
  #rest: Buffer = Buffer.alloc(0);
  /** The line that comes was too long to be looked at. */
  #isPassing = false;

  /** @param output where the server writes its messages too, a line each */
  constructor(output: Writable) {
    super();
    this.#output = output;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      this.#take(rest.subarray(0, end + 1));
      rest = rest.subarray(end + 1);
    }
    if (this.#isPassing || rest.length > longest) {
      this.#isPassing = rest.length > 0;
      this.push(rest);
      rest = Buffer.alloc(0);
    }
    this.#rest = rest;
    done();
  }

  #take(line: Buffer): void {
    const fault = this.#isPassing ? null : faultOf(line.toString());
    this.#isPassing = false;
    if (fault === null) this.push(line);
    else this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", ...fault })}\n`);
  }
}

function faultOf(line: string): Fault | null {
  if (line.trim() === "") return null;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { id: null, error: { code: -32700, message: "Parse error: a line is not JSON" } };
  }
  if (isMessage(message)) return null;
  return {
    id: idOf(message),
    error: { code: -32600, message: "Invalid Request: a line is not a message of JSON-RPC 2.0" },
  };
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || value.jsonrpc !== "2.0") return false;
  return typeof value.method === "string" || "result" in value || "error" in value;
}

function idOf(value: unknown): string | number | null {
  const id = isObject(value) ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
