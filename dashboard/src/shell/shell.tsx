import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { go } from "../core/address.ts";
import { isOperator, signedOutWhy } from "../core/session.ts";
import { lazy } from "../draw/lazy.tsx";
import { Toast } from "../parts/toast.tsx";
import { Banners } from "./banners.tsx";
import { useShortcuts } from "./keyboard.ts";
import { places } from "./places.ts";
import { Rail } from "./rail.tsx";
import { useScroll } from "./scroll.ts";

const KeysSheet = lazy(() => import("./door.ts").then((door) => door.KeysSheet));
const Palette = lazy(() => import("./door.ts").then((door) => door.Palette));

/** What stays while the screens change. */
export function Shell({ children }: { children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const onScroll = useScroll(main);
  const [open, setOpen] = useState<"" | "palette" | "keys">("");
  // Who opens it begins to type at once.
  useEffect(() => {
    const timer = setTimeout(() => void import("./door.ts").catch(() => {}), 2_000);
    return () => clearTimeout(timer);
  }, []);
  useShortcuts([
    ...places
      .filter(({ group }) => group !== "Operator" || isOperator.value)
      .map(({ key, name, path }) => ({ keys: `g ${key}`, does: `Go to ${name}`, run: () => go(path) })),
    { keys: "/", does: "Find a symbol, screen or action", run: () => setOpen("palette") },
    { keys: "mod+k", does: "The same", run: () => setOpen("palette") },
    { keys: "?", does: "This sheet", run: () => setOpen("keys") },
  ]);
  return (
    <div class="shell">
      <Rail openPalette={() => setOpen("palette")} openKeys={() => setOpen("keys")} />
      <Banners />
      <main ref={main} class="place-main" onScroll={onScroll} inert={signedOutWhy.value !== null}>
        {children}
      </main>
      {open === "palette" && <Palette close={() => setOpen("")} />}
      {open === "keys" && <KeysSheet close={() => setOpen("")} />}
      <Toast />
    </div>
  );
}
