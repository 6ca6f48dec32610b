/** Calls when the network comes back or the page is looked at, until the signal; where there is no page nothing happens. */
export function whenUseful(call: () => void, whileOpen: { readonly signal: AbortSignal }): void {
  for (const [target, name] of [
    [globalThis, "online"],
    [Reflect.get(globalThis, "document"), "visibilitychange"],
  ] as const)
    target?.addEventListener?.(name, call, whileOpen);
}
