/**
 * The upper bound of delivery in this runtime: signed POSTs by `undici.request` from prepared bodies, with a cached key per
 * endpoint, over as many connections as the service would have. No log, filters, order, counts or database.
 * stdin: one line of JSON (RawTask); then it runs until it is killed.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Agent, request } from "undici";
import { signatures, signingKey } from "../server/src/webhooks/send/sign.ts";
import { endpointsOf } from "./webhook-items.ts";

export interface RawTask {
  readonly targets: readonly { readonly url: string; readonly secret: string }[];
  readonly deliveries: readonly { readonly id: string; readonly body: string }[];
  readonly inFlight: number;
}

console.log("raw ready");
const [line] = await once(createInterface({ input: process.stdin }), "line");
const task: RawTask = JSON.parse(String(line));
const targets = task.targets.map(({ url, secret }) => ({ url, key: signingKey(secret) }));
const deliveries = task.deliveries.map(({ id, body }) => ({ id, body: Buffer.from(body) }));
const dispatcher = new Agent({ connections: 4, pipelining: 1, keepAliveTimeout: 60_000 });
const next = pairs();
await Promise.all(Array.from({ length: task.inFlight }, send));

async function send(): Promise<void> {
  for (;;) {
    const { url, key, id, body } = next();
    const timestampS = Math.floor(Date.now() / 1000);
    const answer = await request(url, {
      method: "POST",
      dispatcher,
      headers: {
        "content-type": "application/json",
        "user-agent": "Tapewire/raw",
        "webhook-id": id,
        "webhook-timestamp": String(timestampS),
        "webhook-signature": signatures({ id, timestampS, body }, [key]),
      },
      body,
    });
    await answer.body.dump();
  }
}

/** Item by item, each to the endpoints that it matches. */
function pairs() {
  let item = -1;
  let rest: number[] = [];
  return () => {
    if (rest.length === 0) {
      item += 1;
      rest = endpointsOf(item, targets.length);
    }
    const delivery = deliveries[item % deliveries.length];
    const target = targets[rest.pop() ?? 0];
    if (delivery === undefined || target === undefined) throw new Error("no targets");
    return { ...target, ...delivery };
  };
}
