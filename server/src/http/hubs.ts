import { ApiError } from "@tapewire/contract/errors.ts";
import { checkReady, type Gate } from "./admission.ts";
import type { Params } from "./wire/types.ts";
import { type Router, readBytes, sendAnswer } from "./wire/wire.ts";

/** What hubs may tell (see ingest/hubs.ts). */
export interface HubCalls {
  readonly path: string;
  readonly confirm: (token: string, query: URLSearchParams) => Promise<string | null>;
  readonly ping: (
    token: string,
    signature: string | undefined,
    body: () => Promise<Uint8Array | null>,
  ) => Promise<boolean>;
}

/** A ping may carry the feed itself, which is not read, only checked. */
const mostBytes = 2 * 1024 * 1024;

/** The address that hubs call back (WebSub): not part of the API, and of no use without the token. */
export function mountHubs(router: Router, env: Pick<Gate, "ready">, { path, confirm, ping }: HubCalls): void {
  router.add("GET", `${path}/{token}`, async (exchange, params) => {
    checkReady(env);
    const token = tokenOf(params);
    const challenge = token === null ? null : await confirm(token, new URLSearchParams(exchange.search));
    if (challenge === null) throw new ApiError("not_found");
    const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
    await sendAnswer(exchange, 200, { body: challenge, headers });
  });
  router.add("POST", `${path}/{token}`, async (exchange, params) => {
    checkReady(env);
    const token = tokenOf(params);
    const signature = exchange.request.headers["x-hub-signature"];
    // Said to succeed either way, as the recommendation asks: a forger learns nothing.
    if (token !== null)
      await ping(token, String(signature ?? ""), () => readCapped(readBytes(exchange, mostBytes)));
    exchange.response.writeHead(204, exchange.headers).end();
  });
}

/** null for what is none of ours: nothing is looked up or read for it. */
function tokenOf({ token = "" }: Params): string | null {
  return /^[0-9a-f]{32}$/.test(token) ? token : null;
}

async function readCapped(reading: Promise<Buffer>): Promise<Buffer | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
