import { randomBytes, randomUUID } from "node:crypto";
import type { WebhookFilters } from "@tapewire/contract/filter.ts";
import type { PlanName } from "@tapewire/contract/plans.ts";
import { planTable } from "@tapewire/contract/plans.ts";
import { sql } from "kysely";
import { RealtimeQuota } from "../../src/account/realtime-quota.ts";
import { SealedSecrets } from "../../src/account/sealed-secrets.ts";
import { Usage } from "../../src/account/usage.ts";
import { inProcessBus } from "../../src/bus/bus.ts";
import { readConfigFile } from "../../src/config/files.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { ItemTail } from "../../src/itemlog/tail.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { claimSecretCheck } from "../../src/store/webhooks/secret-check.ts";
import { insertWebhook } from "../../src/store/webhooks/webhooks.ts";
import { ClockSteps } from "../../src/webhooks/clock-steps.ts";
import { Dispatcher, type DispatcherLimits } from "../../src/webhooks/dispatcher.ts";
import { longestDelayMs, nextAttemptMs } from "../../src/webhooks/endpoints/retry-schedule.ts";
import type { DeliveryPolicy } from "../../src/webhooks/endpoints/types.ts";
import { Sender } from "../../src/webhooks/send/sender.ts";
import type { Attempt, Outgoing } from "../../src/webhooks/send/types.ts";
import { Targets } from "../../src/webhooks/targets.ts";
import { type Facts, newItem } from "./items.ts";

export const secrets = new SealedSecrets("a secret for tests only");
const plans = readConfigFile(new URL("../../../config/plans.json", import.meta.url).pathname, planTable);

export const quickPolicy: DeliveryPolicy = {
  nextAttemptMs: (attempt, hints) => nextAttemptMs(attempt, { ...hints, delaysMs: [100, 200, 400] }),
  longestDelayMs: longestDelayMs(),
  disableAfterMs: 120 * 3_600_000,
};

/** A policy as if its schedule had waits of a month. */
export const patient: DeliveryPolicy = { ...quickPolicy, longestDelayMs: 40 * 86_400_000 };

/** The log of one process, and a writer to it. */
export async function openLog(db: Db, { clock = systemClock }: { clock?: Clock } = {}) {
  const log = silentLog;
  await using stack = new AsyncDisposableStack();
  const bus = inProcessBus();
  const tail = stack.use(await ItemTail.open({ db: db.main, bus, log, clock }));
  const sequencer = stack.use(new Sequencer(new ItemWriter(db, new Partitions()), bus, log));
  const owned = stack.move();
  return {
    tail,
    append: async (...facts: Facts[]) => {
      const nowText = clock.now().toISOString();
      const items = facts.map((fact) => newItem({ publishedAt: nowText, ...fact }));
      await sequencer.append({ items, sourceId: null });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export interface WorkerOptions extends Partial<DispatcherLimits> {
  readonly clock?: Clock;
  readonly policy?: DeliveryPolicy;
  readonly steps?: ClockSteps;
  /** Stands before the sender; null: it sends. */
  readonly instead?: (outgoing: Outgoing) => Promise<Attempt> | null;
}

/** A worker that delivers to this machine. */
export async function startWorker(db: Db, tail: ItemTail, options: WorkerOptions = {}) {
  const { clock = systemClock, policy = quickPolicy, instead = () => null, ...others } = options;
  const { steps = new ClockSteps(clock), ...limits } = others;
  await using stack = new AsyncDisposableStack();
  const log = silentLog;
  const targets = new Targets({ opened: ["127.0.0.0/8"] });
  const real = stack.use(new Sender({ targets, clock }));
  const sender = {
    send: (outgoing: Outgoing) => instead(outgoing) ?? real.send(outgoing),
    forget: (url: string) => real.forget(url),
  };
  const usage = stack.use(new Usage({ db: db.main, clock, log }));
  const quota = stack.use(new RealtimeQuota({ db: db.main, clock, log, usage }));
  const bus = inProcessBus();
  const parts = { db, bus, tail, sender, quota, secrets, plans, clock, log, policy, steps };
  stack.use(await Dispatcher.start(parts, { commitEveryMs: 50, lookEveryMs: 200, perS: 100_000, ...limits }));
  const owned = stack.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export async function makeAccount(db: Db, plan: PlanName = "enterprise"): Promise<string> {
  const id = randomUUID();
  await db.main.insertInto("accounts").values({ id, name: "", plan, created_at: new Date() }).execute();
  return id;
}

/** @returns id and secret of a new endpoint */
export async function makeEndpoint(
  db: Db,
  { accountId, url, filters = {} }: { accountId: string; url: string; filters?: WebhookFilters },
): Promise<{ id: string; secret: string }> {
  await claimSecretCheck(db.main, secrets.check);
  const id = randomUUID();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const row = {
    id,
    account_id: accountId,
    url,
    description: null,
    filters,
    secret: secrets.seal(secret, id),
  };
  await insertWebhook(db.main, row, { limit: 1_000, secretCheck: secrets.check });
  return { id, secret };
}

export interface Counts {
  matched: number;
  delivered: number;
  failed: number;
  expired: number;
  due: number;
  dead: number;
  status: string;
}

export async function countsOf(db: Db, id: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select matched_total as matched, delivered_total as delivered, failed_total as failed, expired_total as expired,
      status,
      (select count(*)::int from webhook_exceptions where endpoint_id = e.id and state = 'due') as due,
      (select count(*)::int from webhook_exceptions where endpoint_id = e.id and state = 'dead') as dead
    from webhook_endpoints e where id = ${id}`.execute(db.main);
  const [row] = rows;
  if (row === undefined) throw new Error(`no endpoint ${id}`);
  return row;
}
