/** What the feed knows beside its rows: views, endpoints, alerts, unread counts. It is loaded when the rows are there. */
import { get } from "../api.ts";
import { loadEventLabels } from "../core/event-labels.ts";
import { isListed, sameFilter } from "../core/filter.ts";
import { iso } from "../core/range.ts";
import { account, context } from "../core/session.ts";
import { feedStats } from "../core/stats.ts";
import type { Filters, WebhookWithoutSecret } from "../core/types.ts";
import { alertFor } from "../views/alerts.ts";
import type { Live } from "./live.ts";
import { setEndpoints, setViews, unread, type View, views, watchersOf } from "./watchers.ts";

const everyMs = 60_000;
/** After an item that a view matches. */
const soonMs = 5_000;
/** Views beyond these have no count: each is a request. */
const mostCounted = 12;
/** What was not looked at for so long is counted from there. */
const longestMs = 30 * 86_400_000;

export async function loadViews(): Promise<void> {
  const id = account.value?.id;
  if (id === undefined) return;
  const asked = context.peek();
  setViews((await get<{ data: View[] }>(`/app/v1/accounts/${id}/views`)).data, asked);
  markSeen(null);
}

async function loadEndpoints(): Promise<void> {
  const asked = context.peek();
  const { data } = await get<{ data: WebhookWithoutSecret[] }>("/v1/webhooks");
  setEndpoints(
    data
      .filter(({ enabled }) => enabled)
      .map(({ description, url, filters }) => ({
        kind: "endpoint",
        name: description ?? url,
        filter: filters,
      })),
    asked,
  );
}

/** Begins alerts, and counts what the other views have. The feed works where something of it cannot be read. @returns ends it */
export function keepWatch(live: Live, filter: Filters): () => void {
  const look = () => void countUnread(filter).catch(() => {});
  let soon = 0;
  live.onItem = (item) => {
    alertFor(item);
    if (soon !== 0 || !watchersOf(item).some(({ kind }) => kind === "view")) return;
    soon = setTimeout(() => {
      soon = 0;
      look();
    }, soonMs);
  };
  void Promise.allSettled([loadEventLabels(), loadViews(), loadEndpoints()]).then(look);
  const timer = setInterval(() => {
    if (!document.hidden) look();
  }, everyMs);
  return () => {
    clearInterval(timer);
    clearTimeout(soon);
    markSeen(filter);
  };
}

const storedAs = "tapewire.seen";

/** When each view was last open, by its id. */
function seen(): ReadonlyMap<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedAs) ?? "{}");
    return new Map(
      Object.entries(typeof stored === "object" && stored !== null ? stored : {}).filter(
        (pair): pair is [string, number] => typeof pair[1] === "number",
      ),
    );
  } catch {
    return new Map();
  }
}

/** What another account has seen stays: its views come again. */
function remember(before: ReadonlyMap<string, number>, times: ReadonlyMap<string, number>): void {
  const recent = [...before].filter(([, at]) => at > Date.now() - longestMs);
  localStorage.setItem(storedAs, JSON.stringify(Object.fromEntries([...recent, ...times])));
}

const isOf = (filter: Filters | null, { filters }: View) => filter !== null && sameFilter(filters, filter);

/** The view that is open, and one that is new here, have nothing unread. @param filter of the feed; null: it is not open */
function markSeen(filter: Filters | null): ReadonlyMap<string, number> {
  const before = seen();
  const times = new Map(
    views
      .peek()
      .map((view) => [view.id, isOf(filter, view) ? Date.now() : (before.get(view.id) ?? Date.now())]),
  );
  remember(before, times);
  return times;
}

async function countUnread(filter: Filters): Promise<void> {
  const times = markSeen(filter);
  const others = views.peek().filter((view) => isListed(view.filters) && !isOf(filter, view));
  const counts = await Promise.all(
    others.slice(0, mostCounted).map(async ({ id, filters }) => {
      const since = Math.max(times.get(id) ?? Date.now(), Date.now() - longestMs);
      const { totals } = await feedStats(filters, { since: iso(since) });
      return [id, totals.items] as const;
    }),
  );
  unread.value = new Map(counts);
}
