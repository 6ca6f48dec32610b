import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { filterOfSubscription, type WebhookFilters } from "@tapewire/contract/filter.ts";
import { z } from "zod";
import { matches } from "../../src/feed/filter.ts";
import { startReceivers, until } from "../support/receiver.ts";
import type { KnownLog } from "./tape-client.ts";

type Receivers = Awaited<ReturnType<typeof startReceivers>>;
const deliveryBody = z.looseObject({ data: z.looseObject({ id: z.string() }) });

/** An endpoint of a test: its path at the receivers, and what it wants. */
export interface Hook {
  readonly path: string;
  readonly filters: WebhookFilters;
}

/** Receivers of webhooks, and what came to each; the one at `/1` refuses some deliveries once, and that at `/2` is slow. */
export class Deliveries implements AsyncDisposable {
  readonly #receivers: Receivers;
  readonly #came = new Map<string, { ids: Map<string, string>; read: number }>();

  private constructor(receivers: Receivers) {
    this.#receivers = receivers;
  }

  static async start(): Promise<Deliveries> {
    return new Deliveries(await startReceivers({ "/0": () => 204, "/1": failsOnce(), "/2": slowly }));
  }

  /** Makes endpoints at a service. */
  async add({ url, key }: { url: string; key: string }, wanted: readonly WebhookFilters[]): Promise<Hook[]> {
    const made = wanted.map((filters, n) => ({ path: `/${n}`, filters }));
    for (const { path, filters } of made) {
      const answer = await fetch(`${url}/v1/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ url: this.#receivers.url(path), filters }),
      });
      assert.equal(answer.status, 201, await answer.text());
    }
    return made;
  }

  /** Entries that came to a path, as `<seq> <item id>`; one id a delivery, however often it came. */
  at(path: string): ReadonlySet<string> {
    const known = this.#came.get(path) ?? { ids: new Map<string, string>(), read: 0 };
    this.#came.set(path, known);
    const { ids } = known;
    const came = this.#receivers.at(path);
    for (; known.read < came.length; known.read++) {
      const received = came[known.read];
      if (received === undefined) break;
      const { id, seq, body } = received;
      const entry = `${seq} ${deliveryBody.parse(JSON.parse(body)).data.id}`;
      assert.equal(ids.get(entry) ?? id, id, `${path}: two ids for ${entry}`);
      ids.set(entry, id);
    }
    return new Set(ids.keys());
  }

  /** Waits until each endpoint got all that it wants of the log. @returns how many entries each was owed */
  async reach(hooks: readonly Hook[], { entries }: KnownLog, withinMs = 60_000): Promise<number[]> {
    const counts: number[] = [];
    for (const { path, filters } of hooks) {
      const filter = filterOfSubscription(filters);
      const owed = entries
        .filter(({ item }) => matches(item, filter))
        .map(({ seq, item }) => `${seq} ${item.id}`);
      const isWhole = () => {
        const came = this.at(path);
        return owed.every((entry) => came.has(entry));
      };
      await until(isWhole, `all of ${owed.length} items at ${path}`, withinMs);
      counts.push(owed.length);
    }
    return counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receivers[Symbol.asyncDispose]();
  }
}

/** So that there are attempts under way, and others that wait for them, whenever the sender ends. */
async function slowly(): Promise<number> {
  await sleep(150);
  return 204;
}

function failsOnce() {
  const failed = new Set<string>();
  return ({ id, seq }: { readonly id: string; readonly seq: number }) => {
    if (seq % 50 !== 0 || failed.has(id)) return 204;
    failed.add(id);
    return 500;
  };
}
