import { createHash } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors.ts";
import type { Caller } from "../../account/auth.ts";
import type { IdempotentCalls } from "../../account/idempotent-calls.ts";

interface Call {
  readonly path: string;
  readonly caller: Caller;
  /** Of the Idempotency-Key header; null: every call stands for itself. */
  readonly key: string | null;
  readonly request: unknown;
}

/**
 * Does the work once for its Idempotency-Key: a repeat gets the stored answer for 24 hours, for as long as the account's
 * are not too many (see IdempotentCalls).
 * @throws {ApiError} idempotency_conflict, when the key was used for something else or its first call still runs
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
    // When this fails too, the key is free again after some minutes.
    await calls.forget(call).catch(() => {});
    throw error;
  });
  // The work is done and paid for: its answer is given even when it cannot be kept.
  await calls.finish(call, answer).catch(() => {});
  return answer;
}

function conflict(detail: string, headers: Record<string, string> = {}): ApiError {
  return new ApiError("idempotency_conflict", { detail, headers });
}
