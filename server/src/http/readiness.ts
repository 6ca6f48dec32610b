import { ApiError } from "@tapewire/contract/errors/errors.ts";

/**
 * Refuses requests while the service starts, or stops.
 * @throws {ApiError} not_ready, with Retry-After
 */
export function checkReady({ ready }: { readonly ready: () => boolean }): void {
  if (!ready()) throw new ApiError("not_ready", { headers: { "Retry-After": "2" } });
}
