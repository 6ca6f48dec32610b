import { z } from "zod";
import { orderedBounds, queryAxes } from "../filter.ts";
import { commaList, instantText, lower } from "../input.ts";
import { replayLimits, replayPage } from "../stream.ts";
import type { Dictionary } from "../tags.ts";
import { bounded } from "./parameters.ts";
import type { Route } from "./types.ts";

const cursorForm = /^[0-9a-z]{1,32}\.\d{1,15}$/;
const exampleTime = "2026-03-02T14:00:00Z";
const exampleCursor = "39518285.48190";
const isInstant = (text: string) => instantText.safeParse(text).success;

/**
 * Query of GET /v1/replay: a stretch of the log, and the filters of the list without its bounds of published_at, and by provider as a
 * stream has it.
 */
function replayQuery(dictionary: Dictionary) {
  const { min, max, fallback } = replayLimits.page;
  return z
    .object({
      after: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({
          description:
            "Cursor of the stream or of a replay: the entries after it. Takes precedence over `since`.",
          examples: [exampleCursor],
        }),
      since: instantText.optional().meta({
        description:
          "Starts with the first entry logged at this time or later. Without `after` and `since` the replay starts with the oldest entry that is stored.",
        examples: [exampleTime],
      }),
      until: z
        .string()
        .max(100)
        .refine(
          (text) => cursorForm.test(text) || isInstant(text),
          "must be a cursor, or an RFC 3339 date-time such as 2026-03-02T14:30:00Z",
        )
        .optional()
        .meta({
          description:
            "A time: ends before the first entry logged then or later. A cursor: ends with its entry. Absent: the end of the log.",
          examples: ["2026-03-02T21:00:00Z"],
        }),
      provider: commaList(lower)
        .optional()
        .meta({
          description: "Id of a provider; comma-separated ids are OR-ed.",
          examples: ["sec"],
        }),
      ...queryAxes(dictionary),
      limit: bounded({ min, max })
        .optional()
        .meta({ description: `Most entries, ${min} to ${max}. Absent: ${fallback}.`, examples: [500] }),
    })
    .superRefine(({ after, since, until, ...query }, context) => {
      const isSpan = after === undefined && until !== undefined && isInstant(until);
      orderedBounds(isSpan ? { ...query, since, until } : query, context);
    });
}

export function replayRoutes(dictionary: Dictionary) {
  return {
    replayLog: {
      method: "GET",
      path: "/v1/replay",
      auth: "key",
      section: "feeds",
      needs: "replay",
      summary: "Read again what the stream sent",
      description: `The entries of the log in their order, each as the stream carried it then: every version of every item, with the scores of that version. Any page size gives the same sequence. since and until are times of the log, not published_at. A page may have fewer entries than limit, or none, although more follows: the server examines at most ${replayLimits.examined.toLocaleString("en")} positions of the log for one page. Read on until next_cursor is null. Needs the pro plan or higher; counts in the minute limit only. 410 cursor_expired when the operator has dropped the entries after the cursor; 400 cursor_unknown when it belongs to another log.`,
      query: replayQuery(dictionary),
      status: 200,
      response: replayPage,
      errors: ["invalid_cursor", "cursor_unknown", "cursor_expired", "overloaded"],
    },
  } as const satisfies Record<string, Route>;
}
