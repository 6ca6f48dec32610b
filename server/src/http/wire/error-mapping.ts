import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { overloaded } from "../../account/refusals.ts";
import { ModelBusyError } from "../../score/rescore.ts";
import { isDeadlock, isDiskFull, isTimeout, isUnavailable, StoreError } from "../../store/engine/errors.ts";

const retryAfter = (seconds: number) => ({ headers: { "Retry-After": String(seconds) } });

/** The error for the caller. `cause` is the original error, unless that was an ApiError. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreError && error.reason === "busy")
    return overloaded({ detail: error.message, cause: error });
  if (error instanceof ModelBusyError) return overloaded({ detail: error.message, retrySeconds: 5 });
  if (isDiskFull(error)) return new ApiError("storage_full", { cause: error, ...retryAfter(60) });
  if (isUnavailable(error)) return new ApiError("not_ready", { cause: error, ...retryAfter(5) });
  if (error instanceof StoreError || isTimeout(error) || isDeadlock(error))
    return overloaded({ cause: error, retrySeconds: 5 });
  return new ApiError("internal", { cause: error });
}
