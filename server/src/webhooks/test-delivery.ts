import { randomUUID } from "node:crypto";
import type { SealedSecrets } from "../account/sealed-secrets.ts";
import type { Clock } from "../runtime/clock.ts";
import { testPayload } from "./payload.ts";
import { signingKey } from "./send/sign.ts";
import type { Attempt, Outgoing } from "./send/types.ts";

/** A stored endpoint. */
export interface TestedEndpoint {
  readonly id: string;
  readonly url: string;
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
  { id: endpointId, url, secret, previousSecret = null, previousSecretUntil = null }: TestedEndpoint,
): Promise<Attempt & { readonly id: string; readonly at: Date }> {
  const at = clock.now();
  const signsStill = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > at;
  const keys = (signsStill ? [secret, previousSecret] : [secret]).map((sealed) =>
    signingKey(secrets.open(sealed, endpointId)),
  );
  const id = `msg_test_${randomUUID().replaceAll("-", "")}`;
  const attempt = await sender.send({ url, keys, id, body: testPayload(endpointId, at) });
  return { ...attempt, id, at };
}
