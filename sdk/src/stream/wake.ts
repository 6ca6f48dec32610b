/** Calls when the network comes back or the page is looked at. @returns stops that; where there is no page nothing happens */
export function whenUseful(call: () => void): () => void {
  const targets = [
    [globalThis, "online"],
    [Reflect.get(globalThis, "document"), "visibilitychange"],
  ] as const;
  const tell = (method: "addEventListener" | "removeEventListener") => {
    for (const [target, name] of targets) Reflect.get(Object(target), method)?.call(target, name, call);
  };
  tell("addEventListener");
  return () => tell("removeEventListener");
}
