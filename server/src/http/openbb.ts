import type { Routes } from "@tapewire/contract/routes/routes.ts";
import type { Gate } from "./admission.ts";
import { type Handler, mountRoute } from "./contract-routes.ts";
import { mountPage, type Router } from "./wire/wire.ts";

const option = (value: string, label: string) => ({ value, label });

/** What OpenBB Workspace shows, and how it asks. Source: https://docs.openbb.co/workspace, widgets.json. */
const widgets = {
  tapewire_newsfeed: {
    name: "Tapewire",
    description: "News and filings with scores, newest first",
    category: "News",
    type: "newsfeed",
    endpoint: "newsfeed",
    gridData: { w: 20, h: 15 },
    source: ["Tapewire"],
    refetchInterval: 60_000,
    params: [
      {
        paramName: "symbol",
        label: "Symbol",
        description: "AAPL or NASDAQ:AAPL; several with commas. Empty: all",
        type: "text",
        value: "",
      },
      {
        paramName: "actionability",
        label: "Items",
        description: "Whether items that are not rated likely to move the price are shown",
        type: "text",
        value: "",
        options: [option("", "All"), option("true", "Actionable"), option("false", "Not actionable")],
      },
      {
        paramName: "story_copies",
        label: "Copies",
        description: "Whether items that repeat a story are shown",
        type: "text",
        value: "false",
        options: [option("false", "First of each story"), option("", "All")],
      },
      {
        paramName: "limit",
        label: "Items",
        description: "Most items to show",
        type: "number",
        value: "50",
      },
    ],
  },
};

/**
 * OpenBB Workspace reads `http(s)://HOST/openbb` as a backend: its widgets, and a newsfeed with the filters of the list. The
 * newsfeed is no part of the interface: its form is OpenBB's.
 */
export function mountOpenBb(
  router: Router,
  gate: Gate,
  routes: Routes,
  newsfeed: Handler<Routes["readFeedsAsJsonFeed"]>,
): void {
  mountPage(router, "/openbb/widgets.json", () => ({ body: widgets }));
  const route = { ...routes.readFeedsAsJsonFeed, path: "/openbb/newsfeed" };
  mountRoute({ router, gate, route, searchOf: withoutEmpty }, newsfeed);
}

/** Workspace sends every parameter, those that the user left empty as well. */
function withoutEmpty(search: string): string {
  return search
    .split("&")
    .filter((pair) => !/^[^=]*=?$/.test(pair))
    .join("&");
}
