import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { planTable } from "@tapewire/contract/plans.ts";
import { Authenticator } from "../../src/account/keys/auth.ts";
import { settings } from "../../src/config/config.ts";
import { readConfigFile } from "../../src/config/files.ts";
import { sourceConfig } from "../../src/config/sources.ts";
import { mountHubs } from "../../src/http/hubs.ts";
import { serverOf } from "../../src/http/wire/node-server.ts";
import { Router } from "../../src/http/wire/router.ts";
import { FetchError } from "../../src/ingest/fetch/types.ts";
import { Hubs, hubPath } from "../../src/ingest/hubs.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { claimSources, nextDueInMs, registerSources, savePoll } from "../../src/store/intake/sources.ts";
import { listening, listenLocally } from "./http.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const topic = "https://brandmoor.example/feed";
const entry = {
  name: "brandmoor",
  provider: "brandmoor",
  format: "feed",
  url: topic,
};
let made = 0;

/** A hub that keeps what it is asked. */
export async function startHub() {
  const asked: URLSearchParams[] = [];
  const state = { asked, status: 202 };
  const server = await listenLocally((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += chunk;
      state.asked.push(new URLSearchParams(text));
      response.writeHead(state.status).end();
    })();
  });
  return { state, url: `${server.origin}/`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Sends to any address: the service's own fetcher posts to public ones only, and the test's hub is on this machine. */
async function postAnywhere(address: string, form: URLSearchParams): Promise<void> {
  const { ok, status } = await fetch(address, { method: "POST", body: form });
  if (!ok) throw new FetchError(`HTTP ${status}`, { status });
}

/** Subscriptions of a source of its own, with a clock that the test moves and the address that hubs call. */
export async function startHubs(
  db: Db,
  { publicUrl = "https://feeds.example/" }: { publicUrl?: string | null } = {},
) {
  await using stack = new AsyncDisposableStack();
  made += 1;
  const source = sourceConfig.parse({ ...entry, id: `notices-${made}` });
  const hub = stack.use(await startHub());
  const state = { aheadMs: 0 };
  const clock: Clock = { now: () => new Date(Date.now() + state.aheadMs), sleep: systemClock.sleep };
  const hubs = new Hubs({ db, clock, log: silentLog, publicUrl, fetcher: { post: postAnywhere } });
  const plans = readConfigFile(settings.plansFile.fallback, planTable);
  const auth = stack.use(new Authenticator({ db: db.main, plans, clock, log: silentLog }));
  const router = new Router();
  mountHubs(
    router,
    { ready: () => true, auth },
    {
      path: hubPath,
      confirm: (token, query, lookUp) => hubs.confirm(token, query, lookUp),
      ping: (token, signature, body, lookUp) => hubs.ping(token, signature, body, lookUp),
    },
  );
  const { origin } = stack.use(await listening(serverOf(router, silentLog)));
  const owned = stack.move();
  return {
    id: source.id,
    db,
    hub,
    state,
    follow: (url = hub.url, of = topic) =>
      hubs.follow(source, { url, topic: of }, AbortSignal.timeout(10_000)),
    challenge: (token: string, more: Record<string, string> = {}) =>
      fetch(origin + challengePath(token, more)),
    ping: async (token: string, body: string, signature?: string) =>
      (await fetch(`${origin}${hubPath}/${token}`, pingOf(body, signature))).status,
    /** Tells of a body and keeps it back. @returns the status of an answer that comes all the same */
    pingWithoutEnd: (token: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { "content-length": "1000" };
        const outgoing = request(`${origin}${hubPath}/${token}`, { method: "POST", headers });
        outgoing.once("response", ({ statusCode }) => {
          resolve(statusCode);
          outgoing.destroy();
        });
        outgoing.once("error", reject);
        outgoing.write("<rss>");
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
type Started = Awaited<ReturnType<typeof startHubs>>;

export function challengePath(token: string, more: Record<string, string>): string {
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.challenge": "say-this",
    "hub.lease_seconds": "604800",
    ...more,
  });
  return `${hubPath}/${token}?${query}`;
}

export function pingOf(body: string, signature?: string) {
  return { method: "POST", body, headers: signature === undefined ? {} : { "x-hub-signature": signature } };
}

export const signed = (secret: string, body: string, method = "sha256") =>
  `${method}=${createHmac(method, secret).update(body).digest("hex")}`;

/** What the hub was told last: where to call, and what to sign with. */
export function lastAsked({ hub }: Pick<Started, "hub">) {
  const form = hub.state.asked.at(-1);
  const [, token] =
    /^https:\/\/feeds\.example\/hubs\/([0-9a-f]{32})$/.exec(form?.get("hub.callback") ?? "") ?? [];
  const secret = form?.get("hub.secret") ?? "";
  assert.ok(token !== undefined && /^[0-9a-f]{64}$/.test(secret));
  return { token, secret };
}

/** A poll of the source begins. @returns ends it, with the next one an hour away */
export async function startPoll({ db, id }: Started): Promise<() => Promise<void>> {
  await registerSources(db.main, [id]);
  await db.main.updateTable("sources").set({ next_poll_at: null }).where("id", "=", id).execute();
  const startedMs = performance.now();
  const [claimed] = await claimSources(db.main, { sources: [id], limit: 1, leaseMs: 60_000 });
  const lease = claimed?.lease_owner ?? null;
  assert.ok(lease !== null, "nobody else polls it");
  const poll = { id, lease, nextPollInMs: hourMs, error: null, walking: false };
  return () => savePoll(db.main, { ...poll, tookMs: performance.now() - startedMs });
}

export async function pollInAnHour(hubs: Started): Promise<void> {
  await (await startPoll(hubs))();
}

/** Whether the next poll comes at once, or as soon as the last one is some seconds past; else it is an hour away. */
export async function isDue({ db, id }: Started): Promise<boolean> {
  const dueInMs = await nextDueInMs(db.main, [id]);
  assert.ok(dueInMs !== null);
  return dueInMs < 30_000;
}
