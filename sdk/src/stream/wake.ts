/** Calls when the network comes back or the page is looked at, until the signal; where there is no page nothing happens. */
export function whenUseful(call: () => void, whileOpen: { readonly signal: AbortSignal }): void {
  for (const name of ["online", "visibilitychange"])
    Object(globalThis).addEventListener?.(name, call, whileOpen);
}
