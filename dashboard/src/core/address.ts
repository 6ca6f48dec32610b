import { signal } from "../draw/signal.ts";
import { base } from "./base.ts";

/** Path of a screen: `at("item", id)`. */
export const at = (...parts: readonly string[]) => base + parts.map(encodeURIComponent).join("/");

export type Params = Readonly<Record<string, string>>;

interface Here {
  readonly path: string;
  /** The query: it is the state of a screen. */
  readonly params: Params;
  /** Whether back or forward led here. */
  readonly isReturn: boolean;
}

const read = (isReturn: boolean): Here => ({
  isReturn,
  path: location.pathname,
  params: Object.fromEntries(new URLSearchParams(location.search)),
});

const place = signal(read(false));

/** Where the page is; whatever reads it while it is drawn follows. */
export const here = (): Here => place.value;

/** Goes to a screen, or to another state of the one that is open. @param isReplaced back leads to where one was before */
export function go(url: string, isReplaced = false): void {
  // The state says that what was before is a screen too.
  if (isReplaced) history.replaceState(history.state, "", url);
  else history.pushState(1, "", url);
  place.value = read(false);
}

/** To where one came from; to the feed when the page was opened here. */
export const back = (): void => (history.state ? history.back() : go(at("feed")));

addEventListener("popstate", () => {
  place.value = read(true);
});
// Links to screens lead there without another load of the page.
addEventListener("click", (event) => {
  const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  if (link === undefined || event.defaultPrevented || event.button !== 0 || link.target !== "") return;
  // With a modifier the browser opens the link elsewhere.
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(base)) return;
  event.preventDefault();
  go(link.href);
});

/** The query of the address, and how to change members of it. */
export function useParams(): readonly [
  Params,
  (change: Readonly<Record<string, string | null>>, isNew?: boolean) => void,
] {
  const { params } = here();
  const change = (changed: Readonly<Record<string, string | null>>, isNew = false) => {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changed)) {
      if (value === null || value === "") next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    go(location.pathname + (text === "" ? "" : `?${text}`), !isNew);
  };
  return [params, change];
}

/** Title of the page, with how many new items wait. */
export function setTitle(name: string, waiting = 0): void {
  const title = `${waiting > 0 ? `(${waiting > 999 ? "999+" : waiting}) ` : ""}${name} · Tapewire`;
  if (document.title !== title) document.title = title;
}
