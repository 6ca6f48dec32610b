import type { Server } from "node:http";
import type { Authenticator } from "../account/keys/auth.ts";
import type { RealtimeQuota } from "../account/realtime-quota.ts";
import type { Refusals } from "../account/refusals.ts";
import { openSealedSecrets, type SealedSecrets } from "../account/sealed-secrets.ts";
import { SnapshotAllowance } from "../account/snapshot-allowance.ts";
import { StreamSlots } from "../account/stream-slots.ts";
import type { Bus } from "../bus/types.ts";
import { type Config, webhookRanges } from "../config/config.ts";
import { apiErrorOf } from "../http/wire/wire.ts";
import type { Clock } from "../runtime/clock.ts";
import { version } from "../runtime/version.ts";
import type { Db } from "../store/engine/db.ts";
import { StreamGateway } from "../stream/gateway.ts";
import { streamMetrics } from "../stream/metrics.ts";
import { Dispatcher } from "../webhooks/dispatcher.ts";
import { longestDelayMs, nextAttemptMs } from "../webhooks/endpoints/retry-schedule.ts";
import type { DeliveryPolicy } from "../webhooks/endpoints/types.ts";
import { attemptWatch, deliveryMetrics, senderMetrics } from "../webhooks/metrics.ts";
import { Sender } from "../webhooks/send/sender.ts";
import { Targets } from "../webhooks/targets.ts";
import type { ItemLog, Store } from "./storing.ts";
import type { Base } from "./types.ts";

/** Used both to manage endpoints and to deliver to them. */
export interface WebhookParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly targets: Targets;
  readonly secrets: SealedSecrets;
  readonly sender: Sender;
  readonly userAgent: string;
}

/** @returns null when this process neither manages endpoints nor delivers to them */
export async function openWebhooks(base: Base, { db, bus }: Store): Promise<WebhookParts | null> {
  const { config, clock, metrics, state, stack } = base;
  if (!config.roles.includes("api") && !config.roles.includes("webhooks")) return null;
  const targets = new Targets({ opened: webhookRanges(config), ownPort: () => state.port });
  const secrets = await openSealedSecrets(config, db.main);
  const userAgent = `Tapewire/${version}`;
  const sender = new Sender({ targets, clock, userAgent, watch: attemptWatch(metrics) });
  senderMetrics(metrics, sender);
  return { db, bus, clock, targets, secrets, sender: stack.use(sender), userAgent };
}

interface StreamDeps extends Pick<ItemLog, "tail" | "index">, Pick<Store, "db" | "bus"> {
  readonly auth: Authenticator;
  readonly quota: RealtimeQuota;
  readonly refusals: Refusals;
  readonly ready: () => boolean;
}

/** Starts streams on the server, over WebSockets and as server-sent events. */
export async function startStreams(base: Base, server: Server, deps: StreamDeps): Promise<void> {
  const { files, clock, log, metrics, state, stack } = base;
  const { db, bus, tail, index, auth, quota, refusals, ready } = deps;
  const slots = stack.use(await StreamSlots.start({ db: db.main, log }));
  const snapshots = new SnapshotAllowance({ db: db.main, clock, rates: auth.rates });
  const gateway = stack.use(
    new StreamGateway(server, {
      ...{
        tail,
        auth,
        slots,
        bus,
        quota,
        snapshots,
        dictionary: files.dictionary,
        clock,
        log,
        ready,
        refusals,
        apiErrorOf,
      },
      latest: (filter, request) => index.latest(filter, request),
    }),
  );
  streamMetrics(metrics, gateway);
  state.streams = () => gateway.stats();
  state.events = (call) => gateway.serveEvents(call);
  state.innerEvents = (who, search) => gateway.eventsFor(who, search);
}

/** Starts deliveries to webhook endpoints. At a stop, deliveries under way get `drainMs` to finish. */
export async function startDeliveries(
  { config, files, clock, log, metrics, state, stack }: Base,
  { db, bus, sender, secrets }: WebhookParts,
  { tail, quota, drainMs }: { tail: ItemLog["tail"]; quota: RealtimeQuota; drainMs: number },
): Promise<void> {
  const parts = { db, bus, tail, sender, quota, secrets, plans: files.plans, clock, log };
  const limits = { perS: config.webhookPerSecond, drainMs };
  const dispatcher = stack.use(await Dispatcher.start({ ...parts, policy: deliveryPolicy(config) }, limits));
  deliveryMetrics(metrics, dispatcher);
  state.deliveries = () => dispatcher.stats();
}

function deliveryPolicy({ webhookRetriesMs: delaysMs, webhookDisableHours }: Config): DeliveryPolicy {
  return {
    nextAttemptMs: (attempt, hints) => nextAttemptMs(attempt, { ...hints, delaysMs }),
    longestDelayMs: longestDelayMs(delaysMs),
    disableAfterMs: webhookDisableHours * 3_600_000,
  };
}
