import { useLocation } from "preact-iso";
import { base } from "./base.ts";

/** Path of a screen: `at("item", id)`. */
export const at = (...parts: readonly string[]) => base + parts.map(encodeURIComponent).join("/");

type Go = (url: string, isReplaced?: boolean) => void;
let router: Go = (url) => location.assign(url);

/** The shell gives its router, so that shortcuts and commands can go somewhere too. */
export function useGo(go: Go): void {
  router = go;
}
export const go: Go = (url, isReplaced) => router(url, isReplaced);

export type Params = Readonly<Record<string, string>>;

/** The query of the address, and how to change members of it: it is the state of a screen. */
export function useParams(): readonly [
  Params,
  (change: Readonly<Record<string, string | null>>, isNew?: boolean) => void,
] {
  const { query, path, route } = useLocation();
  const change = (changed: Readonly<Record<string, string | null>>, isNew = false) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changed)) {
      if (value === null || value === "") next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    route(text === "" ? path : `${path}?${text}`, !isNew);
  };
  return [query, change];
}

/** Title of the page, with how many new items wait. */
export function setTitle(name: string, waiting = 0): void {
  const title = `${waiting > 0 ? `(${waiting > 999 ? "999+" : waiting}) ` : ""}${name} · Tapewire`;
  if (document.title !== title) document.title = title;
}
