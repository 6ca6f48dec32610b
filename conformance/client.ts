import * as http from "node:http";
import * as https from "node:https";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { z } from "zod";

/** One request exactly as sent: nothing is added, escaped or followed, so malformed requests can be sent too. */
export interface Sent {
  readonly method: string;
  /** Path and query after the base URL, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

const timeoutMs = 30_000;

/** A complete response. `body` is decoded, `sizeBytes` is the size on the wire. */
export class Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly sizeBytes: number;
  /** Parsed once: it is compared with the description, and then read. */
  #json: { readonly value: unknown } | null = null;

  constructor(status: number, headers: http.IncomingHttpHeaders, travelled: Buffer) {
    this.status = status;
    this.headers = headers;
    this.sizeBytes = travelled.byteLength;
    this.body = decoded(travelled, headers["content-encoding"]);
  }

  /** A header that occurs once; an empty string when it is absent. */
  header(name: string): string {
    const value = this.headers[name.toLowerCase()] ?? "";
    return typeof value === "string" ? value : value.join(", ");
  }

  get mediaType(): string {
    return this.header("content-type").split(";", 1)[0]?.trim() ?? "";
  }

  get text(): string {
    return this.body.toString("utf8");
  }

  /** @throws SyntaxError when the body is not JSON */
  get json(): unknown {
    this.#json ??= { value: JSON.parse(this.text) };
    return this.#json.value;
  }

  /** The body, parsed by a schema of the contract. */
  read<S extends z.ZodType>(schema: S): z.infer<S> {
    return schema.parse(this.json);
  }
}

/** Sends requests to one service over keep-alive connections. */
export class Client implements Disposable {
  readonly baseUrl: URL;
  readonly #agent: http.Agent | https.Agent;

  constructor(baseUrl: URL) {
    this.baseUrl = baseUrl;
    const options = { keepAlive: true, maxSockets: 64 };
    this.#agent = baseUrl.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
  }

  /** @throws the socket's error, or after 30 s without a complete response */
  async send(sent: Sent): Promise<Answer> {
    const first = await this.#attempt(sent);
    if (first !== "stale") return first;
    const second = await this.#attempt(sent);
    if (second !== "stale") return second;
    throw new Error(`${sent.method} ${sent.path}: the connection was closed twice without a response`);
  }

  /** `stale`: the service had closed the keep-alive connection, which says nothing about this request. */
  #attempt({ method, path, headers, body }: Sent): Promise<Answer | "stale"> {
    const { protocol, hostname, port, pathname } = this.baseUrl;
    const { promise, resolve, reject } = Promise.withResolvers<Answer | "stale">();
    const request = (protocol === "https:" ? https : http).request({
      agent: this.#agent,
      hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
      port,
      method,
      path: pathname.replace(/\/$/, "") + path,
      headers: { ...lengthOf(body, headers), ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.once("error", (error) => {
      if (request.reusedSocket && "code" in error && error.code === "ECONNRESET") resolve("stale");
      else reject(new Error(`${method} ${path}: ${error.message}`, { cause: error }));
    });
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        try {
          resolve(new Answer(response.statusCode ?? 0, response.headers, Buffer.concat(chunks)));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end(body ?? undefined);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function lengthOf(body: Sent["body"], headers: Sent["headers"]): Record<string, string> {
  const told = body === null || "transfer-encoding" in headers;
  return told ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (body.byteLength === 0) return body;
  if (encoding === "gzip") return gunzipSync(body);
  if (encoding === "br") return brotliDecompressSync(body);
  return body;
}
