import { type IncomingMessage, request } from "node:http";

export interface Raw {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface RawCall {
  readonly method?: string;
  readonly headers?: object;
  readonly body?: string;
}

/** An answer as it comes over the wire: fetch would decompress it. */
export async function rawCall(
  url: string,
  { method = "GET", headers = {}, body = "" }: RawCall = {},
): Promise<Raw> {
  const outgoing = request(url, { method, headers: { ...headers } });
  outgoing.end(body);
  const [incoming]: [IncomingMessage] = await new Promise((resolve, reject) => {
    outgoing.once("response", (response) => resolve([response]));
    outgoing.once("error", reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  };
}
