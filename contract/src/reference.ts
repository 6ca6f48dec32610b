import { z } from "zod";
import { lagMs, sourceStatus } from "./admin.ts";
import { timestamp } from "./feeds.ts";

/** Names of the sources: those configured, and those that pushed items came under. */
export const sourceList = z.object({ data: z.array(z.string()) }).meta({ id: "SourceList" });

/** Activity of one source, as GET /v1/sources/{name} tells it. */
export const sourceDetail = z
  .object({
    name: z.string(),
    feed_count: z.int(),
    latest_at: timestamp.nullable().describe("published_at of its newest item."),
    feeds_24h: z.int().describe("Items published in the last 24 hours."),
    lag_ms: lagMs,
    status: sourceStatus.describe("stale: its newest item is older than its rhythm lets expect."),
    failures: z.int().describe("Failed polls in a row, of its worst entry."),
  })
  .meta({ id: "SourceDetail" });
export type SourceDetail = z.infer<typeof sourceDetail>;
