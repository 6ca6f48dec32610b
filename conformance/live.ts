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
import { type ErrorCode, errorTable, type Problem, problem } from "@tapewire/contract/errors/errors.ts";
import type { PlanName } from "@tapewire/contract/plans.ts";
import type { z } from "zod";
import { type Answer, Client, type Sent } from "./client.ts";
import { Description } from "./description.ts";

export interface CallOptions {
  readonly query?: string | Readonly<Record<string, string | number | boolean>>;
  /** Bearer token. null: none. Absent: the key on the enterprise plan, or under /admin the admin token. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as given. */
  readonly rawBody?: string | Buffer;
  /** Expected status. Absent: 200; null: any. */
  readonly status?: number | null;
  /** Whether to wait and repeat when the rate limit is reached. Absent: yes, unless 429 or any status is expected. */
  readonly waits?: boolean;
}

type RawItem = z.input<typeof pushItem>;

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const waitsForRate = 8;
const withdrawnAtOnce = 8;

/**
 * A service under test and the data of a run: accounts and keys named after the run, and items about invented issuers.
 * Every response is compared with the published description. Disposing revokes the keys and withdraws the items.
 */
export class Live implements AsyncDisposable {
  /** Six letters that are unique to the run; its names, sources and symbols contain them. */
  readonly run = Array.from({ length: 6 }, () => letters[randomInt(26)]).join("");
  /** A minute before the run, so that the service's clock may differ from this one. */
  readonly startedAt = new Date(Date.now() - 60_000).toISOString();
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

  /** A name for something that this run creates. */
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

  /** Creates a key for a new account, or for an existing one. */
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

  /** Pushes items, which are withdrawn when the run ends. @throws when an item is rejected */
  async push(items: readonly RawItem[]): Promise<(PushResult & { id: string })[]> {
    const answer = await this.call("POST", "/admin/v1/items", { body: items });
    return answer.read(pushAnswer).data.map((result) => {
      const { id } = result;
      if (id === null) throw new Error(`an item was rejected: ${result.error}`);
      if (result.status === "created") this.#pushed.push(id);
      return { ...result, id };
    });
  }

  /** Registers an action that removes something at the end of the run. */
  undoLater(undo: () => Promise<unknown>): void {
    this.#undo.push(undo);
  }

  get(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call("GET", path, options);
  }

  /**
   * One request.
   * @throws AssertionError when the response is not as described, or has another status than expected
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

  /** Sends a request that must be refused with this code, and with these fields. */
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
    if (failed.length > 0) throw new AggregateError(failed, "some data of the run could not be removed");
  }
}

/** The fields of a problem document, each once, sorted. */
export function namesOf(found: Problem): string[] {
  return [...new Set(found.errors?.map(({ name }) => name))].sort();
}

function queryText(query: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Whether a response says that the rate limit is reached. */
export function isRateLimited(answer: Answer): boolean {
  if (answer.status !== 429) return false;
  // A response to HEAD has no body, and no GET uses a quota.
  return answer.body.byteLength === 0 || answer.read(problem).code === "rate_limited";
}
