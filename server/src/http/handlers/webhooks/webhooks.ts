import { randomUUID } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { accountFilterRule } from "@tapewire/contract/filter.ts";
import {
  changedFixed,
  sendsFixed,
  type Webhook,
  type WebhookCreate,
  type WebhookUpdate,
  type WebhookWithoutSecret,
} from "@tapewire/contract/webhooks.ts";
import type { IdempotentCalls } from "../../../account/idempotent-calls.ts";
import type { Caller } from "../../../account/keys/auth.ts";
import { type SealedSecrets, SecretError } from "../../../account/sealed-secrets.ts";
import { newSigningSecret } from "../../../account/secrets.ts";
import type { Bus } from "../../../bus/types.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { utcDay } from "../../../runtime/utc-day.ts";
import type { Db } from "../../../store/engine/db.ts";
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  readWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookRow,
} from "../../../store/webhooks/webhooks.ts";
import type { Handlers } from "../../contract-routes.ts";
import type { Answer } from "../../wire/types.ts";
import { once } from "../idempotent.ts";

/** Checks whether deliveries to a URL are allowed, by the rules of webhooks/targets.ts. */
interface Targets {
  /** Why deliveries to a URL are not allowed; null: they are allowed. */
  refusal(url: string, accountId: string): Promise<string | null>;
}

export interface WebhookDeps {
  readonly db: Db;
  /** Workers hear from it that endpoints have changed. */
  readonly bus: Pick<Bus, "announce">;
  readonly calls: IdempotentCalls;
  readonly clock: Clock;
  readonly targets: Targets;
  readonly secrets: SealedSecrets;
}

type WebhookRoute =
  | "listWebhooks"
  | "createWebhook"
  | "readWebhook"
  | "updateWebhook"
  | "deleteWebhook"
  | "rotateWebhook";

/** After a rotation, the previous secret signs for this time. */
const overlapMs = 24 * 3_600_000;

/** The webhook endpoints of the caller's account. Another account's endpoint is treated as unknown. */
export function webhookHandlers(deps: WebhookDeps): Pick<Handlers, WebhookRoute> {
  const { main } = deps.db;
  const changed = () => deps.bus.announce("endpoints");
  const today = () => utcDay(deps.clock.now());
  const recordOf = async ({ accountId }: Caller, id: string, missing = noSuchWebhook): Promise<Webhook> => {
    const row = await readWebhook(main, { accountId, id }, today());
    if (row === null) throw missing();
    return { ...viewOf(row), secret: deps.secrets.open(row.secret, row.id) };
  };
  const read = async (...of: Parameters<typeof recordOf>): Promise<Answer> => ({
    body: await recordOf(...of),
  });
  return {
    listWebhooks: async ({ caller }) => {
      const rows = await listWebhooks(main, caller.accountId, today());
      const views = rows.map(viewOf);
      return { body: { data: caller.scope === "read" ? views.map(withoutPath) : views } };
    },
    createWebhook: async ({ body, caller, idempotencyKey: key }) => {
      const call = { path: "/v1/webhooks", caller, key, request: body };
      // Only the id is stored for a repeat, so that the secret is never stored unencrypted.
      const id = await once(deps.calls, call, () => create(deps, caller, body));
      changed();
      return read(caller, id, createdAndDeleted);
    },
    readWebhook: ({ params, caller }) => {
      if (caller.scope === "read")
        throw new ApiError("forbidden", { detail: "A viewer does not see signing secrets: read the list" });
      return read(caller, params.id);
    },
    updateWebhook: async ({ params: { id }, body, caller }) => {
      const { url, description, enabled, filters, max_age: maxAgeS, format } = body;
      if (sendsFixed(body)) checkFixed(body, await recordOf(caller, id));
      if (url !== undefined) await checkUrl(deps.targets, url, caller.accountId);
      const changes = {
        url,
        description,
        enabled,
        maxAgeS,
        format,
        filters: filters === null ? {} : filters,
      };
      const limit = caller.plan.webhook_endpoints;
      const outcome = await updateWebhook(main, { accountId: caller.accountId, id }, changes, limit);
      if (outcome === "not_found") throw noSuchWebhook();
      if (outcome === "filters_full") throw tooLongFilters();
      if (outcome === "limit_reached") throw beyondPlan(caller, "enabled webhook");
      changed();
      return read(caller, id);
    },
    deleteWebhook: async ({ params: { id }, caller }) => {
      if (!(await deleteWebhook(main, { accountId: caller.accountId, id }))) throw noSuchWebhook();
      changed();
      return { body: { id, deleted: true } };
    },
    rotateWebhook: async ({ params: { id }, caller, idempotencyKey: key }) => {
      const call = { path: `/v1/webhooks/${id}/rotate`, caller, key, request: null };
      await once(deps.calls, call, async () => {
        const secret = deps.secrets.seal(newSigningSecret(), id);
        const rotated = await rotateSecret(main, { accountId: caller.accountId, id }, { secret, overlapMs });
        if (!rotated) throw noSuchWebhook();
        return id;
      });
      changed();
      return read(caller, id);
    },
  };
}

/**
 * @returns the id of the new endpoint
 * @throws {ApiError} invalid_url; plan_limit, when the account has reached the number that its plan allows
 */
async function create(
  { db, targets, secrets }: WebhookDeps,
  caller: Caller,
  { url, description, filters, max_age: maxAgeS, format }: WebhookCreate,
): Promise<string> {
  await checkUrl(targets, url, caller.accountId);
  const id = randomUUID();
  const secret = secrets.seal(newSigningSecret(), id);
  const { accountId, plan } = caller;
  const row = { id, account_id: accountId, url, description: description ?? null, secret, maxAgeS, format };
  const limit = plan.webhook_endpoints;
  const insertion = await insertWebhook(
    db.main,
    { ...row, filters: filters ?? {} },
    { limit, secretCheck: secrets.check },
  );
  if (insertion === "sealed_otherwise")
    throw new SecretError(
      "another process on this database uses another secret: set TAPEWIRE_SECRET to the same value in every process",
    );
  if (insertion === "filters_full") throw tooLongFilters();
  if (insertion === "limit_reached") throw beyondPlan(caller, "webhook");
  return id;
}

function tooLongFilters(): ApiError {
  return new ApiError("invalid_body", {
    fields: [{ in: "body", name: "filters", detail: accountFilterRule }],
  });
}

function beyondPlan({ plan, tier }: Caller, what: string): ApiError {
  const limit = plan.webhook_endpoints;
  const endpoints = limit === 1 ? "endpoint" : "endpoints";
  return new ApiError("plan_limit", {
    detail: `The ${tier} plan allows ${limit} ${what} ${endpoints} per account`,
  });
}

/** @throws {ApiError} invalid_body, naming the members that an update cannot change */
function checkFixed(update: WebhookUpdate, record: Webhook): void {
  const changed = changedFixed(update, record);
  if (changed.length === 0) return;
  throw new ApiError("invalid_body", {
    fields: changed.map((name) => ({
      in: "body",
      name,
      detail: name === "status" ? "cannot be changed; set enabled instead" : "cannot be changed",
    })),
  });
}

async function checkUrl(targets: Targets, url: string, accountId: string): Promise<void> {
  const detail = await targets.refusal(url, accountId);
  if (detail !== null) throw new ApiError("invalid_url", { fields: [{ in: "body", name: "url", detail }] });
}

function viewOf(row: WebhookRow): WebhookWithoutSecret {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.status === "enabled",
    filters: row.filters,
    max_age: row.max_age_s,
    format: row.format,
    status: row.status,
    disabled_reason: row.disabled_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    failing_since: row.failing_since?.toISOString() ?? null,
    last_delivery_at: row.last_delivery_at?.toISOString() ?? null,
    last_status: row.last_status,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    last_error: row.last_error,
    matched_today: row.matched_today,
    delivered_today: row.delivered_today,
    matched_total: row.matched_total,
    delivered_total: row.delivered_total,
    rotation_ends_at: row.previous_secret_until?.toISOString() ?? null,
  };
}

/** Path and query of a URL may be what gives access to its receiver, as those of chats are. */
function withoutPath(view: WebhookWithoutSecret): WebhookWithoutSecret {
  return { ...view, url: new URL(view.url).origin };
}

export function noSuchWebhook(): ApiError {
  return new ApiError("not_found", { detail: "The account has no webhook endpoint with this id" });
}

function createdAndDeleted(): ApiError {
  return new ApiError("idempotency_conflict", {
    detail: "The endpoint created with this Idempotency-Key was deleted",
  });
}
