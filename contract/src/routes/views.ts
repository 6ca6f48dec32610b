import { ended } from "../dashboard/people.ts";
import { mostViews, viewSchemas } from "../dashboard/views.ts";
import { exampleIds } from "../examples/values.ts";
import { maxAccountFilterLength } from "../filter.ts";
import type { Dictionary } from "../tags.ts";
import { byUuid } from "./parameters.ts";
import type { Route } from "./types.ts";

const common = { auth: "session", section: "dashboard" } as const;
const ofAccount = { ...common, params: byUuid("Id of the account.", exampleIds.account) } as const;
const ofView = { ...common, params: byUuid("Id of the view.", exampleIds.view) } as const;

export function viewRoutes(dictionary: Dictionary) {
  const views = viewSchemas(dictionary);
  return {
    listViews: {
      ...ofAccount,
      method: "GET",
      path: "/app/v1/accounts/{id}/views",
      summary: "List saved views",
      description: "One's own and those that are shared, by time of creation.",
      status: 200,
      response: views.list,
      errors: ["forbidden", "not_found"],
    },
    createView: {
      ...ofAccount,
      method: "POST",
      path: "/app/v1/accounts/{id}/views",
      summary: "Save a view",
      description: `Filters with a name. A session without a person saves shared views only. An account may have ${mostViews} views; their filters together may have ${maxAccountFilterLength.toLocaleString("en")} characters as JSON.`,
      body: views.create,
      status: 201,
      response: views.view,
      errors: ["forbidden", "not_found", "conflict"],
    },
    updateView: {
      ...ofView,
      method: "PATCH",
      path: "/app/v1/views/{id}",
      summary: "Change a view",
      description: "Members that are absent stay as they are.",
      body: views.update,
      status: 200,
      response: views.view,
      errors: ["forbidden", "not_found"],
    },
    deleteView: {
      ...ofView,
      method: "DELETE",
      path: "/app/v1/views/{id}",
      summary: "Delete a view",
      description: "For all who see it.",
      status: 200,
      response: ended,
      errors: ["forbidden", "not_found"],
    },
  } as const satisfies Record<string, Route>;
}
