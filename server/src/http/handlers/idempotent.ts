import { createHash } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { IdempotentCalls } from "../../account/idempotent-calls.ts";
import type { Caller } from "../../account/keys/auth.ts";

interface Call {
  readonly path: string;
  readonly caller: Caller;
  /** The Idempotency-Key header; null: the call is not idempotent. */
  readonly key: string | null;
  readonly request: unknown;
}

/**
 * Does the work once per Idempotency-Key. A repeat within 24 hours gets the stored response, unless the account has too many
 * newer ones (see IdempotentCalls).
 * @throws {ApiError} idempotency_conflict, when the key was used for another request or its first call is still running
 */
export async function once(
  calls: IdempotentCalls,
  { path, caller, key, request }: Call,
  work: () => Promise<string>,
): Promise<string> {
  if (key === null) return work();
  const requestHash = createHash("sha256")
    .update(JSON.stringify([path, request]))
    .digest("base64url");
  const call = { accountId: caller.accountId, key, requestHash };
  const known = await calls.begin(call);
  if (known.state === "answered") return known.answer;
  if (known.state === "other") throw conflict("This Idempotency-Key was used for another request");
  if (known.state === "running")
    throw conflict("The first call with this Idempotency-Key is still running", { "Retry-After": "1" });
  const answer = await work().catch(async (error: unknown) => {
    // If this fails too, the key becomes free after some minutes.
    await calls.forget(call).catch(() => {});
    throw error;
  });
  // The work is done and charged: the response is sent even when it cannot be stored.
  await calls.finish(call, answer).catch(() => {});
  return answer;
}

function conflict(detail: string, headers: Record<string, string> = {}): ApiError {
  return new ApiError("idempotency_conflict", { detail, headers });
}
