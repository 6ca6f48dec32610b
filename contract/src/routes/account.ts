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
    summary: "Read the key, its plan, limits and today's use",
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
    description: "Of the whole account, by days of UTC. On every plan; uses no quota.",
    query: z.object({
      days: bounded(usageDays)
        .optional()
        .meta({
          description: `Days to look back, today included; ${usageDays.fallback} when absent.`,
          examples: [7],
        }),
    }),
    status: 200,
    response: usage,
    errors: [],
  },
} as const satisfies Record<string, Route>;
