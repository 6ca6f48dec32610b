import { deliveryIdOf } from "../feed/delivery-id.ts";
import type { Log } from "../runtime/log.ts";
import { failed, spansAreExported, traced } from "../runtime/tracing/traces.ts";
import type { AttemptRow } from "../store/webhooks/attempts.ts";
import type { AttemptCapacity, Slot } from "./attempt-capacity.ts";
import type { ClockSteps } from "./clock-steps.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { Delivery } from "./endpoints/types.ts";
import type { HourlyCounts } from "./hourly-counts.ts";
import type { Entry } from "./log-entries.ts";
import type { Attempt, Outgoing } from "./send/types.ts";

export interface AttemptDeps {
  readonly sender: { send(outgoing: Outgoing): Promise<Attempt> };
  readonly capacity: AttemptCapacity;
  readonly steps: ClockSteps;
  readonly counts: HourlyCounts;
  readonly log: Log;
  /** The endpoint has changes to commit. */
  readonly touch: (endpoint: Endpoint) => void;
  /** A slot was freed. */
  readonly freed: () => void;
}

const brokenOff: Attempt = {
  ok: false,
  status: null,
  error: null,
  ms: 0,
  retryAfterMs: null,
  gone: false,
  response: null,
};

/** Makes attempts: sends, reports the outcome to the endpoint, and collects rows for the log of deliveries. */
export class Attempts {
  readonly #deps: AttemptDeps;
  #rows: AttemptRow[] = [];

  constructor(deps: AttemptDeps) {
    this.#deps = deps;
  }

  /** Takes the rows to be logged. */
  takeRows(): AttemptRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /**
   * @param slot is freed at the end
   * @returns false when the attempt does not count: its endpoint or shard no longer belongs to this worker, or it stops
   */
  async make(endpoint: Endpoint, delivery: Delivery, { entry, slot }: { entry: Entry; slot: Slot }) {
    const { sender, capacity, steps, counts, log, touch, freed } = this.#deps;
    const { seq, itemId, attempts, trigger } = delivery;
    const begun = endpoint.begin(delivery, steps.moment(), performance.now());
    const { url, keys } = begun;
    const outgoing = { url, keys, id: deliveryIdOf(itemId, seq), body: entry.body(begun) };
    const attempt = await sent(endpoint, delivery, () => sender.send(outgoing)).catch((error: unknown) => {
      log.error({ err: error, endpoint: endpoint.id }, "a delivery broke off");
      return brokenOff;
    });
    capacity.free(slot);
    touch(endpoint);
    const end = { begun, time: steps.moment() };
    if (attempt.error === "stopped" || endpoint.shard.lost) {
      endpoint.endUnmade(delivery, attempt, end);
      return false;
    }
    const isLogged = endpoint.end(delivery, attempt, end);
    const { ok, status, error, ms, response } = attempt;
    counts.attempted(endpoint.id, { ms, isAnswered: status !== null });
    // Whether the delivery was given up before, only the database knows.
    if (isLogged || (trigger === "replay" && ok)) {
      const about = { endpointId: endpoint.id, seq, itemId, attempt: attempts + 1, trigger, isLogged };
      this.#rows.push({ ...about, at: begun.at, ok, status, error, ms, response });
    }
    freed();
    return true;
  }
}

/** The attempt in a span of its own trace: it may come hours after the item. Without the address, which may hold a secret. */
function sent(
  { id }: Endpoint,
  { seq, itemId, attempts, trigger }: Delivery,
  send: () => Promise<Attempt>,
): Promise<Attempt> {
  if (!spansAreExported()) return send();
  const attributes = {
    "tapewire.endpoint": id,
    "tapewire.item": itemId,
    "tapewire.seq": seq,
    "tapewire.attempt": attempts + 1,
    "tapewire.trigger": trigger,
  };
  return traced("delivery attempt", { kind: "client", attributes, origins: [] }, async (span) => {
    const attempt = await send();
    const { ok, status, error } = attempt;
    if (status !== null) span.setAttribute("http.response.status_code", status);
    if (!ok) failed(span, error ?? String(status));
    return attempt;
  });
}
