import type { IncomingMessage } from "node:http";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Authenticator } from "../account/keys/auth.ts";
import type { LookUp } from "../runtime/sharing/attempt-limit.ts";
import type { Gate } from "./admission.ts";
import { checkReady } from "./readiness.ts";
import type { Params } from "./wire/types.ts";
import { type Router, readBytes, sendAnswer } from "./wire/wire.ts";

/** Calls that hubs make (see ingest/hubs.ts). */
export interface HubCalls {
  readonly path: string;
  readonly confirm: (token: string, query: URLSearchParams, lookUp: LookUp) => Promise<string | null>;
  readonly ping: (
    token: string,
    signature: string | undefined,
    body: () => Promise<Uint8Array | null>,
    lookUp: LookUp,
  ) => Promise<boolean>;
}

/** A ping may contain the feed. Its signature is checked, its content is not used. */
const mostBytes = 2 * 1024 * 1024;

interface Env extends Pick<Gate, "ready"> {
  readonly auth: Pick<Authenticator, "networkOf" | "lookUp">;
}

/** The callback address for hubs (WebSub). It is not part of the API and useless without the token. */
export function mountHubs(router: Router, env: Env, { path, confirm, ping }: HubCalls): void {
  const lookUpFor = (request: IncomingMessage): LookUp => {
    const network = env.auth.networkOf(request);
    return (look) => env.auth.lookUp(network, look);
  };
  router.add("GET", `${path}/{token}`, async (exchange, params) => {
    checkReady(env);
    const token = tokenOf(params);
    const query = new URLSearchParams(exchange.search);
    const challenge = token === null ? null : await confirm(token, query, lookUpFor(exchange.request));
    if (challenge === null) throw new ApiError("not_found");
    const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
    await sendAnswer(exchange, 200, { body: challenge, headers });
  });
  router.add("POST", `${path}/{token}`, async (exchange, params) => {
    checkReady(env);
    const token = tokenOf(params);
    const { request } = exchange;
    const signature = String(request.headers["x-hub-signature"] ?? "");
    const body = () => readCapped(readBytes(exchange, mostBytes));
    // Success is reported for a wrong signature too, as WebSub recommends, so that a forger learns nothing.
    if (token !== null) await ping(token, signature, body, lookUpFor(request));
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
