import { type KeyObject, randomUUID } from "node:crypto";
import type { DeliveryRequest } from "@tapewire/contract/webhook-deliveries.ts";
import type { WebhookFormat } from "@tapewire/contract/webhooks.ts";
import type { SealedSecrets } from "../account/sealed-secrets.ts";
import { deliveryIdOf } from "../feed/delivery-id.ts";
import type { LogItem } from "../feed/item.ts";
import type { Clock } from "../runtime/clock.ts";
import { payloadOf, testPayload } from "./body/payload.ts";
import { signedHeaders, signingKey } from "./send/sign.ts";
import type { Attempt, Outgoing } from "./send/types.ts";

/** A stored endpoint. */
export interface StoredEndpoint {
  readonly id: string;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly secret: Uint8Array;
  /** Also signs until then. */
  readonly previousSecret?: Uint8Array | null;
  readonly previousSecretUntil?: Date | null;
}

export interface TestDeps {
  readonly sender: { send(outgoing: Outgoing): Promise<Attempt> };
  readonly secrets: SealedSecrets;
  readonly clock: Clock;
}

/**
 * Sends a `webhook.test` to an endpoint, once and at once, whether it is enabled or not, and returns its answer. Nothing
 * of it is counted.
 * @throws {SecretError} when its secret cannot be opened
 */
export async function sendTest(
  { sender, secrets, clock }: TestDeps,
  endpoint: StoredEndpoint,
): Promise<Attempt & { readonly id: string; readonly at: Date }> {
  const at = clock.now();
  const id = `msg_test_${randomUUID().replaceAll("-", "")}`;
  const body = testPayload(endpoint, at);
  const attempt = await sender.send({ url: endpoint.url, keys: keysAt(secrets, endpoint, at), id, body });
  return { ...attempt, id, at };
}

/** An entry of the log, and how an endpoint was sent it. */
export interface SentEntry {
  readonly item: LogItem;
  /** When it was sent first. */
  readonly sentAt: Date;
  /** Scores are withheld. */
  readonly locked: boolean;
}

/**
 * The request of a delivery made again, signed now.
 * @throws {SecretError} when the endpoint's secret cannot be opened
 */
export function requestAgain(
  { secrets, clock, userAgent }: Pick<TestDeps, "secrets" | "clock"> & { readonly userAgent: string },
  endpoint: StoredEndpoint,
  { item, sentAt, locked }: SentEntry,
): DeliveryRequest {
  const now = clock.now();
  const id = deliveryIdOf(item.item.id, item.seq);
  const body = payloadOf(item, { locked, format: endpoint.format, now: sentAt });
  const fields = signedHeaders({ id, body, keys: keysAt(secrets, endpoint, now) }, { userAgent, now });
  const headers = Object.fromEntries(
    fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? ""]] : [])),
  );
  return { url: endpoint.url, headers, body: body.toString(), signed_at: now.toISOString() };
}

/** The keys that sign at a moment, the current one first. */
function keysAt(
  secrets: SealedSecrets,
  { id, secret, previousSecret = null, previousSecretUntil = null }: StoredEndpoint,
  at: Date,
): KeyObject[] {
  const signsStill = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > at;
  return (signsStill ? [secret, previousSecret] : [secret]).map((sealed) =>
    signingKey(secrets.open(sealed, id)),
  );
}
