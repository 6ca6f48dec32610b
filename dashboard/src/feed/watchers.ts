import { signal } from "@preact/signals";
import { appCall, get } from "../api.ts";
import { loadEventLabels } from "../core/event-labels.ts";
import { matches } from "../core/filter.ts";
import { account } from "../core/session.ts";
import type { Filters, StreamItem, WebhookWithoutSecret } from "../core/types.ts";

export interface View {
  readonly id: string;
  readonly name: string;
  readonly filters: Filters;
  readonly alert: { readonly notify: boolean; readonly sound: boolean } | null;
  readonly shared: boolean;
}

interface Watcher {
  readonly kind: "view" | "endpoint";
  readonly name: string;
  readonly filter: Filters;
}

export const views = signal<readonly View[]>([]);
const endpoints = signal<readonly Watcher[]>([]);
/** Found once for an item; forgotten when the watchers change. */
let found = new WeakMap<StreamItem, readonly Watcher[]>();

const none: readonly Watcher[] = [];
const mostShown = 3;

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

export async function loadViews(): Promise<void> {
  const id = account.value?.id;
  if (id === undefined) return;
  const { data } = await appCall<{ data: View[] }>("GET", `/accounts/${id}/views`);
  views.value = data;
  found = new WeakMap();
}

/** Reads what items may match; the feed works without it. */
export async function loadWatchers(): Promise<void> {
  await Promise.allSettled([
    loadEventLabels(),
    loadViews(),
    get<{ data: WebhookWithoutSecret[] }>("/v1/webhooks").then(({ data }) => {
      endpoints.value = data
        .filter(({ enabled }) => enabled)
        .map(({ description, url, filters }) => ({
          kind: "endpoint",
          name: description ?? url,
          filter: filters,
        }));
      found = new WeakMap();
    }),
  ]);
}
