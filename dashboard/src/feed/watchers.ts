import { matches } from "../core/filter.ts";
import { context } from "../core/session.ts";
import type { Filters, StreamItem } from "../core/types.ts";
import { effect, type Signal, signal } from "../draw/signal.ts";

export interface View {
  readonly id: string;
  readonly name: string;
  readonly filters: Filters;
  readonly alert: { readonly notify: boolean; readonly sound: boolean } | null;
  readonly shared: boolean;
}

export interface Watcher {
  readonly kind: "view" | "endpoint";
  readonly name: string;
  readonly filter: Filters;
}

/** Asks the browser to let alerts through. @returns whether it does, in words */
export const askToNotify = async (): Promise<string> =>
  (await globalThis.Notification?.requestPermission()) === "granted"
    ? "Alert on"
    : "The browser blocks notifications for this page: only the sound and the count in the tab";

export const views = signal<readonly View[]>([]);
/** How many items a view has that came since it was last open, by its id. */
export const unread = signal<ReadonlyMap<string, number>>(new Map());
/** The filter that the feed had last in this tab. */
export let lastFilter: Filters = {};
const endpoints = signal<readonly Watcher[]>([]);
/** Found once for an item; forgotten when the watchers change. */
let found = new WeakMap<StreamItem, readonly Watcher[]>();

/** Whether rows may have marks of views and endpoints. */
export const isWatched = () => views.value.length + endpoints.value.length > 0;

const none: readonly Watcher[] = [];
const mostShown = 3;

export function rememberFilter(filter: Filters): void {
  lastFilter = filter;
}

/** @returns sets it, if `asked` is still the context: what was asked for in another one is not for this one */
const setterOf =
  <T>(of: Signal<readonly T[]>) =>
  (given: readonly T[], asked: number): void => {
    if (asked !== context.peek()) return;
    of.value = given;
    found = new WeakMap();
  };
export const setViews = setterOf(views);
export const setEndpoints = setterOf(endpoints);

effect(() => {
  setViews([], context.value);
  setEndpoints([], context.value);
});

/** The views and endpoints that an item matches, by the filter's own meaning. */
export function watchersOf(item: StreamItem): readonly Watcher[] {
  if (views.value.length === 0 && endpoints.value.length === 0) return none;
  const known = found.get(item);
  if (known !== undefined) return known;
  const all = [
    ...views.value.map(({ name, filters }): Watcher => ({ kind: "view", name, filter: filters })),
    ...endpoints.value,
  ];
  const those = all.filter(({ filter }) => matches(filter, item)).slice(0, mostShown);
  found.set(item, those);
  return those;
}
