import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  account,
  type CreatedKey,
  createdKey,
  type PushResult,
  pushAnswer,
  type pushItem,
} from "@tapewire/contract/admin.ts";
import { type ErrorCode, errorTable, type Problem, problem } from "@tapewire/contract/errors.ts";
import type { PlanName } from "@tapewire/contract/plans.ts";
import type { z } from "zod";
import { type Answer, Client, type Sent } from "./client.ts";
import { Description } from "./description.ts";

export interface CallOptions {
  readonly query?: string | Readonly<Record<string, string | number | boolean>>;
  /** Bearer token; null: none; the key on the enterprise plan when absent, the admin token under /admin. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly rawBody?: string | Buffer;
  /** The status that must come; 200 when absent, null: any. */
  readonly status?: number | null;
  /** Whether to wait and ask again where the rate limit says so; when absent, unless 429 or any status is wanted. */
  readonly waits?: boolean;
}

type RawItem = z.input<typeof pushItem>;

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const waitsForRate = 8;
const withdrawnAtOnce = 8;

/**
 * A service under test, and what a run has put into it: accounts and keys named after the run, and items of invented
 * issuers. Every answer is held against the published description. Disposing revokes the keys and withdraws the items.
 */
export class Live implements AsyncDisposable {
  /** Six letters that no other run has; names, sources and symbols carry them. */
  readonly run = Array.from({ length: 6 }, () => letters[randomInt(26)]).join("");
  readonly client: Client;
  readonly description: Description;
  readonly adminToken: string;
  readonly #shared = new Map<PlanName, Promise<string>>();
  readonly #undo: (() => Promise<unknown>)[] = [];
  readonly #pushed: string[] = [];

  private constructor(client: Client, description: Description, adminToken: string) {
    this.client = client;
    this.description = description;
    this.adminToken = adminToken;
  }

  static async open({ baseUrl, adminToken }: { baseUrl: URL; adminToken: string }): Promise<Live> {
    const client = new Client(baseUrl);
    return new Live(client, await Description.read(client), adminToken);
  }

  /** Name of something that this run makes. */
  name(part: string): string {
    return `conformance-${this.run.toLowerCase()}-${part}`;
  }

  /** The run's own key on a plan. */
  key(plan: PlanName): Promise<string> {
    const known = this.#shared.get(plan);
    if (known !== undefined) return known;
    const made = this.newKey({ plan }).then(({ key }) => key);
    this.#shared.set(plan, made);
    return made;
  }

  /** A key of a new account, or another one of an account. */
  async newKey(body: { plan: PlanName } | { account_id: string; expires_at?: string }): Promise<CreatedKey> {
    const name = this.name("plan" in body ? body.plan : "key");
    const answer = await this.call("POST", "/admin/v1/keys", { body: { name, ...body }, status: 201 });
    const made = answer.read(createdKey);
    this.undoLater(() => this.revoke(made.id));
    return made;
  }

  revoke(keyId: string): Promise<Answer> {
    return this.call("DELETE", `/admin/v1/keys/${keyId}`);
  }

  async movePlan(accountId: string, plan: PlanName): Promise<void> {
    (await this.call("PATCH", `/admin/v1/accounts/${accountId}`, { body: { plan } })).read(account);
  }

  /** Into the feed; withdrawn when the run ends. @throws when one is refused */
  async push(items: readonly RawItem[]): Promise<(PushResult & { id: string })[]> {
    const answer = await this.call("POST", "/admin/v1/items", { body: items });
    return answer.read(pushAnswer).data.map((result) => {
      const { id } = result;
      if (id === null) throw new Error(`an item was rejected: ${result.error}`);
      if (result.status === "created") this.#pushed.push(id);
      return { ...result, id };
    });
  }

  /** Revokes or deletes what was made, when the run ends. */
  undoLater(undo: () => Promise<unknown>): void {
    this.#undo.push(undo);
  }

  get(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call("GET", path, options);
  }

  /**
   * One request.
   * @throws AssertionError when the answer is not as described, or has another status than the wanted one
   */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { status = 200, waits = status !== null && status !== 429 } = options;
    const sent = await this.#request(method, path, options);
    for (let waited = 0; ; waited++) {
      const answer = await this.#checked(sent);
      if (waits && waited < waitsForRate && isRateLimited(answer)) {
        await delay(Number(answer.header("retry-after")) * 1000);
        continue;
      }
      if (status !== null)
        assert.equal(answer.status, status, `${method} ${sent.path}: ${answer.text.slice(0, 500)}`);
      return answer;
    }
  }

  /** A request that must be refused with this code, naming these fields. */
  async refuses(
    code: ErrorCode,
    method: string,
    path: string,
    options: CallOptions & { readonly fields?: readonly string[] } = {},
  ): Promise<Problem> {
    const waits = code !== "rate_limited";
    const answer = await this.call(method, path, { ...options, status: errorTable[code].status, waits });
    const found = answer.read(problem);
    const what = `${method} ${path} ${JSON.stringify(options.query ?? options.body ?? "")}: ${found.detail}`;
    assert.equal(found.code, code, what);
    if (options.fields !== undefined) assert.deepEqual(namesOf(found), [...options.fields].sort(), what);
    return found;
  }

  async #checked(sent: Sent): Promise<Answer> {
    const answer = await this.client.send(sent);
    const fault = this.description.fault(sent, answer);
    assert.equal(fault, null, `${sent.method} ${sent.path}: ${fault}\n${answer.text.slice(0, 1000)}`);
    return answer;
  }

  async #request(method: string, path: string, options: CallOptions): Promise<Sent> {
    const { query = "", body, rawBody } = options;
    const text = typeof query === "string" ? query : queryText(query);
    const key =
      options.key === undefined
        ? path.startsWith("/admin/")
          ? this.adminToken
          : await this.key("enterprise")
        : options.key;
    const sentBody = rawBody ?? (body === undefined ? null : JSON.stringify(body));
    return {
      method,
      path: path + (text === "" ? "" : `?${text}`),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(sentBody === null ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      body: sentBody,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failed: unknown[] = [];
    const attempt = (undo: () => Promise<unknown>) => undo().catch((error: unknown) => failed.push(error));
    for (let start = 0; start < this.#pushed.length; start += withdrawnAtOnce) {
      const ids = this.#pushed.slice(start, start + withdrawnAtOnce);
      await Promise.all(ids.map((id) => attempt(() => this.call("DELETE", `/admin/v1/items/${id}`))));
    }
    for (const undo of this.#undo.toReversed()) await attempt(undo);
    this.client[Symbol.dispose]();
    if (failed.length > 0) throw new AggregateError(failed, "not all that the run made could be removed");
  }
}

/** The fields that a problem document names, each once, sorted. */
export function namesOf(found: Problem): string[] {
  return [...new Set(found.errors?.map(({ name }) => name))].sort();
}

function queryText(query: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Whether an answer asks its caller to slow down. */
export function isRateLimited(answer: Answer): boolean {
  if (answer.status !== 429) return false;
  // A HEAD has no body to tell; nothing that it may ask for has a quota.
  return answer.body.byteLength === 0 || answer.read(problem).code === "rate_limited";
}
