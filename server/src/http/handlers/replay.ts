import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { filterOfQuery } from "@tapewire/contract/filter.ts";
import { notBefore } from "@tapewire/contract/input.ts";
import { replayLimits } from "@tapewire/contract/stream.ts";
import { overloaded } from "../../account/refusals.ts";
import { parseCursor } from "../../feed/log-cursor.ts";
import { LogReplaced } from "../../itemlog/pages.ts";
import type { LogReplay, RefusedCursor, ReplayRequest } from "../../itemlog/replay.ts";
import { GateError } from "../../runtime/sharing/gate.ts";
import type { Handlers } from "../contract-routes.ts";

export interface ReplayDeps {
  readonly logReplay: LogReplay;
}

/** GET /v1/replay: a page of the log, each entry as the stream carried it. */
export function replayHandlers({ logReplay }: ReplayDeps): Pick<Handlers, "replayLog"> {
  return {
    replayLog: async ({ query, caller }) => {
      const { after, since, until, provider, limit = replayLimits.page.fallback, ...axes } = query;
      if (after !== undefined && parseCursor(after) === null) throw refusal("invalid_cursor", "after");
      const page = await pageOf(logReplay, {
        filter: { ...filterOfQuery(axes), ...(provider === undefined ? {} : { providers: provider }) },
        from: after ?? (since === undefined ? null : notBefore(since)),
        until: until === undefined ? null : parseCursor(until) === null ? notBefore(until) : until,
        limit,
        locked: !caller.plan.scores_visible,
        owner: caller.accountId,
      });
      if ("reason" in page) throw refusalOf(page);
      const { entries, cursor, isDone } = page;
      const next = JSON.stringify(isDone ? null : cursor);
      return {
        body: `{"data":[${entries.join()}],"cursor":${JSON.stringify(cursor)},"next_cursor":${next}}`,
      };
    },
  };
}

/** @throws {ApiError} overloaded; not_ready; the database's error */
async function pageOf(replay: LogReplay, request: ReplayRequest) {
  try {
    return await replay.page(request);
  } catch (cause) {
    if (cause instanceof GateError) throw overloaded({ detail: "Too many replays are under way", cause });
    // The next request finds the log that replaced it, or hears that its cursor is unknown.
    if (cause instanceof LogReplaced)
      throw new ApiError("not_ready", { cause, headers: { "Retry-After": "2" } });
    throw cause;
  }
}

function refusalOf({ reason, name, oldest }: RefusedCursor): ApiError {
  if (reason === "cursor_unknown") return refusal(reason, name);
  return new ApiError(reason, {
    detail: `The entries after the cursor are no longer stored. The oldest cursor is ${oldest}`,
  });
}

function refusal(code: "invalid_cursor" | "cursor_unknown", name: RefusedCursor["name"]): ApiError {
  const detail =
    code === "invalid_cursor" ? "The cursor is invalid" : "The cursor does not belong to this log";
  return new ApiError(code, { fields: [{ in: "query", name, detail }] });
}
