import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenLocally } from "./http.ts";

export interface Received {
  readonly id: string;
  readonly seq: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** How a path answers: the status, and how long it wants to be left alone. */
export type Behaviour = (received: Received, before: number) => Answer | Promise<Answer>;
type Answer = number | { readonly status: number; readonly retryAfterS: number } | { readonly text: string };

/** Many receivers of deliveries on one port: what came to each path, and how it answers. */
export async function startReceivers(behaviours: Readonly<Record<string, Behaviour>>) {
  const received = new Map<string, Received[]>();
  const server = await listenLocally((request, response) => void receive(request, response));
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? "/";
    const body = Buffer.concat(chunks).toString();
    const one = {
      id: String(request.headers["webhook-id"]),
      seq: Number(JSON.parse(body).seq),
      headers: request.headers,
      body,
    };
    const all = received.get(path) ?? [];
    received.set(path, all);
    all.push(one);
    const status = (await behaviours[path]?.(one, all.length - 1)) ?? 204;
    if (response.destroyed) return;
    if (typeof status === "number") response.writeHead(status).end();
    else if ("text" in status) response.end(status.text);
    else response.writeHead(status.status, { "retry-after": String(status.retryAfterS) }).end();
  };
  return {
    url: (path: string) => server.origin + path,
    at: (path: string): readonly Received[] => received.get(path) ?? [],
    /** The seqs that came to a path, without repeats, in the order of their first coming. */
    seqsAt: (path: string): number[] => [...new Set((received.get(path) ?? []).map(({ seq }) => seq))],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** As long as a page is waited for: a shared machine may stand still for seconds. */
const usualMs = 30_000;

/** Waits until something is so. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = usualMs,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await sleep(20);
  }
}
