import { z } from "zod";
import { me, usage, usageDays } from "../account.ts";
import { bounded } from "./parameters.ts";
import type { Route } from "./types.ts";

export const accountRoutes = {
  me: {
    method: "GET",
    path: "/v1/me",
    auth: "key",
    section: "account",
    summary: "Read the key, its plan, its limits and today's use",
    description: "On every plan; uses no quota.",
    status: 200,
    response: me,
    errors: [],
  },
  usage: {
    method: "GET",
    path: "/v1/usage",
    auth: "key",
    section: "account",
    summary: "Read the use of each day",
    description: "Counts of the whole account, by UTC day. On every plan; uses no quota.",
    query: z.object({
      days: bounded(usageDays)
        .optional()
        .meta({
          description: `Number of days, today included. Absent: ${usageDays.fallback}.`,
          examples: [7],
        }),
    }),
    status: 200,
    response: usage,
    errors: [],
  },
} as const satisfies Record<string, Route>;
