import { setTimeout as delay } from "node:timers/promises";
import { feedList } from "@tapewire/contract/feeds.ts";
import { z } from "zod";
import type { Answer, Sent } from "./client.ts";
import { type FuzzWorld, fuzzRequest } from "./fuzz-requests.ts";
import { isRateLimited, type Live } from "./live.ts";

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  /** Whether to make admin calls that change things: only on a service that is used for nothing else. */
  readonly admin?: boolean;
}

export interface FuzzFailure {
  readonly index: number;
  readonly fault: string;
  /** A curl line that reproduces it, with the tokens in variables. */
  readonly curl: string;
}

export interface FuzzResult {
  readonly failures: readonly FuzzFailure[];
  /** Number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

const withId = z.object({ id: z.uuid() });
const listOfIds = z.object({ data: z.array(withId) });
const concurrency = 16;
const mostFailures = 25;
const mostOfOneKind = 5;
const waitsForRate = 5;

/**
 * Sends valid and invalid requests generated from the published description, and checks every response: no 5xx, nothing
 * that is not described, no request without a response. Stops at 25 failures, and reports at most five of the same kind.
 */
export async function fuzz(live: Live, { count, seed, admin = false }: FuzzOptions): Promise<FuzzResult> {
  const world = await worldOf(live, admin);
  const failures: FuzzFailure[] = [];
  const told = new Map<string, number>();
  const statuses = new Map<number, number>();
  let next = 0;
  const worker = async () => {
    while (next < count && failures.length < mostFailures) {
      const index = next++;
      const sent = fuzzRequest(live.description, world, seed, index);
      const { status, fault } = await outcome(live, sent, world);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const before = told.get(fault ?? "") ?? 0;
      if (fault === null || before >= mostOfOneKind) continue;
      told.set(fault, before + 1);
      const least = await minimal(sent, async (one) => (await outcome(live, one, world)).fault === fault);
      failures.push({ index, fault, curl: curl(live.client.baseUrl, least, world) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await removeWebhooks(live, world);
  return { failures, statuses };
}

async function worldOf(live: Live, admin: boolean): Promise<FuzzWorld> {
  const { key, account_id: accountId } = await live.newKey({ plan: "enterprise" });
  const items = await live.push(
    ["Orbitex Robotics raises guidance", "Brandmoor cuts its dividend"].map((title) => ({
      title: `${title} (${live.run})`,
      source: live.name("fuzz"),
      symbols: [`X${live.run}:F${live.run}`],
    })),
  );
  const { next_cursor: cursor } = (await live.get("/v1/feeds", { key, query: { limit: 1 } })).read(feedList);
  const others = await Promise.all((["free", "pro"] as const).map((plan) => live.newKey({ plan })));
  return {
    // Mostly the plan with the highest limits.
    keys: [key, key, key, key, ...others.map((one) => one.key)],
    adminToken: live.adminToken,
    pages: await pagesOf(live, key),
    ids: [accountId, ...items.map(({ id }) => id), ...(await webhookId(live, key))],
    names: [live.name("fuzz"), `F${live.run}`, `X${live.run}:F${live.run}`, cursor ?? ""],
    admin,
  };
}

/** Sessions of the dashboard. Some requests sign out, so there are several. */
async function pagesOf(live: Live, key: string): Promise<FuzzWorld["pages"]> {
  if (live.description.operationOf("POST", "/app/v1/session") === null) return [];
  const headers = { origin: live.client.baseUrl.origin };
  const signIn = async () => {
    const body = { secret: key };
    const answer = await live.call("POST", "/app/v1/session", { key: null, headers, body, status: 201 });
    return { ...headers, cookie: answer.header("set-cookie").split(";")[0] ?? "" };
  };
  return Promise.all(Array.from({ length: 8 }, signIn));
}

/** A webhook endpoint to read and change. It is removed with the others. */
async function webhookId(live: Live, key: string): Promise<string[]> {
  if (live.description.operationOf("POST", "/v1/webhooks") === null) return [];
  const body = { url: "https://fuzz.invalid/", filters: { symbols: [`NO${live.run}`] } };
  return [(await live.call("POST", "/v1/webhooks", { key, body, status: 201 })).read(withId).id];
}

/** Status 0: no response. */
interface Outcome {
  readonly status: number;
  readonly fault: string | null;
}

async function outcome(live: Live, sent: Sent, world: FuzzWorld): Promise<Outcome> {
  // Without a key there is no reason to wait: such a 429 concerns the address, and is as valid as a 401.
  const waits = world.keys.includes(sent.headers.authorization?.replace("Bearer ", "") ?? "")
    ? waitsForRate
    : 0;
  try {
    let answer = await live.client.send(sent);
    for (let waited = 0; waited < waits && slowsDown(answer); waited++) {
      await delay(Number(answer.header("retry-after")) * 1000);
      answer = await live.client.send(sent);
    }
    return { status: answer.status, fault: live.description.fault(sent, answer) };
  } catch (error) {
    return { status: 0, fault: `no response: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function slowsDown(answer: Answer): boolean {
  return answer.mediaType === "application/problem+json" && isRateLimited(answer);
}

/** The smallest request that still fails. */
async function minimal(sent: Sent, fails: (one: Sent) => Promise<boolean>): Promise<Sent> {
  let least = sent;
  for (;;) {
    const smaller = await firstThat(simpler(least), fails);
    if (smaller === null) return least;
    least = smaller;
  }
}

async function firstThat<T>(list: readonly T[], holds: (one: T) => Promise<boolean>): Promise<T | null> {
  for (const one of list) if (await holds(one)) return one;
  return null;
}

/** Variants of the request without one header, parameter or the body. */
function simpler(sent: Sent): Sent[] {
  const { headers, path, body } = sent;
  const [at = "", query] = path.split(/\?(.*)/s);
  const parts = query === undefined ? [] : query.split("&");
  const withParts = (left: readonly string[]) => (left.length === 0 ? at : `${at}?${left.join("&")}`);
  return [
    ...(body === null ? [] : [{ ...sent, body: null }]),
    ...Object.keys(headers).map((name) => {
      const { [name]: _, ...rest } = headers;
      return { ...sent, headers: rest };
    }),
    ...parts.map((_, index) => ({ ...sent, path: withParts(parts.toSpliced(index, 1)) })),
  ];
}

function curl(baseUrl: URL, { method, path, headers, body }: Sent, world: FuzzWorld): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const hidden = (value: string) =>
    world.keys
      .reduce((text, key) => text.replaceAll(key, "$TAPEWIRE_KEY"), value)
      .replaceAll(world.adminToken, "$TAPEWIRE_ADMIN_TOKEN");
  const data = body === null ? "" : typeof body === "string" ? body : `base64:${body.toString("base64")}`;
  return [
    `curl -gi --path-as-is${method === "HEAD" ? " -I" : ` -X ${method}`} ${quoted(baseUrl.href.replace(/\/$/, "") + path)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `-H "${name}: ${hidden(value).replaceAll('"', '\\"')}"`,
    ),
    ...(body === null
      ? []
      : [
          `--data-binary ${quoted(data.length > 2_000 ? `${data.slice(0, 100)}... (${data.length} characters)` : data)}`,
        ]),
  ].join(" ");
}

/** Endpoints that valid requests have created. */
async function removeWebhooks(live: Live, { keys }: FuzzWorld): Promise<void> {
  if (live.description.operationOf("GET", "/v1/webhooks") === null) return;
  for (const key of new Set(keys)) {
    const { data } = (await live.get("/v1/webhooks", { key })).read(listOfIds);
    for (const { id } of data) await live.call("DELETE", `/v1/webhooks/${id}`, { key });
  }
}
