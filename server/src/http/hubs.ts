import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Gate } from "./admission.ts";
import { checkReady } from "./readiness.ts";
import type { Params } from "./wire/types.ts";
import { type Router, readBytes, sendAnswer } from "./wire/wire.ts";

/** Calls that hubs make (see ingest/hubs.ts). */
export interface HubCalls {
  readonly path: string;
  readonly confirm: (token: string, query: URLSearchParams) => Promise<string | null>;
  readonly ping: (
    token: string,
    signature: string | undefined,
    body: () => Promise<Uint8Array | null>,
  ) => Promise<boolean>;
}

/** A ping may contain the feed. Its signature is checked, its content is not used. */
const mostBytes = 2 * 1024 * 1024;

/** The callback address for hubs (WebSub). It is not part of the API and useless without the token. */
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
    // Success is reported for a wrong signature too, as WebSub recommends, so that a forger learns nothing.
    if (token !== null)
      await ping(token, String(signature ?? ""), () => readCapped(readBytes(exchange, mostBytes)));
    exchange.response.writeHead(204, exchange.headers).end();
  });
}

/** null when the token is malformed: then nothing is looked up or read. */
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
