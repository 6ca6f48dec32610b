import { z } from "zod";
import { timestamp } from "../feeds.ts";

/** What GET /admin/v1/stats may look back on. */
export const statsMinutes = ["60", "1440"] as const;

const count = z.int().min(0);
const bytes = z.int().min(0);

const about = {
  id: z.uuid().describe("Id of this run of the process."),
  host: z.string().describe("Name of its machine."),
  pid: z.int().describe("Its process id there."),
  roles: z.array(z.string()).describe("Its roles, as in TAPEWIRE_ROLES."),
  version: z.string().describe("Version of Tapewire that it runs."),
  started_at: timestamp.describe("When it started."),
  seen_at: timestamp.describe("When it last reported; a running process reports every 10 seconds."),
  running: z.boolean().describe("Whether it reported within the last 30 seconds."),
  answering: z.boolean().describe("Whether it is the process that answers this request."),
};
const cpu = "Processor time per time, of all its threads; 1 is one core.";
const eventLoop = "How late its event loop came to what was due, in milliseconds: 99th percentile.";

export const processInfo = z
  .object({
    ...about,
    streams: count.describe("Open streams."),
    score_queue: count.describe(
      "Texts of callers that its model pro judges, or that wait for it; items of the feed are not counted.",
    ),
    verdicts_per_minute: count.describe(
      "Verdicts of pro that it gave in the last whole minute, to its own callers and to other processes.",
    ),
    cpu: z.number().describe(`${cpu} In the current minute.`),
    rss_bytes: bytes.describe("Memory that it occupies."),
    event_loop_p99_ms: z.number().describe(`${eventLoop} In the current minute.`),
    log_head: count.describe("Newest entry of the log that it has read."),
    disk_free_bytes: bytes.nullable().describe("Free space where its data directory is; null: unknown."),
  })
  .meta({ id: "ProcessInfo" });
export const processList = z
  .object({
    data: z
      .array(processInfo)
      .describe("Processes that reported within the last 5 minutes, the oldest start first."),
  })
  .meta({ id: "ProcessList" });
export type ProcessList = z.infer<typeof processList>;

const series = (what: string) => z.array(count.nullable()).describe(`${what} null: it did not report.`);
const percentile = (what: string) =>
  z.array(count.nullable()).describe(`${what}, in milliseconds, accurate to about 10 %. null: no such item.`);

export const processStats = z
  .object({
    ...about,
    items: series("New items that it appended to the log."),
    revisions: series("Revisions and withdrawals that it appended."),
    sources: z
      .array(
        z
          .object({
            source: z.string().nullable().describe("FeedItem.source; null: all other sources together."),
            items: z.array(count).describe("New items of the source, by minute."),
          })
          .meta({ id: "ProcessSource" }),
      )
      .describe("The 8 sources with most new items of the time, most first, then the rest."),
    source_to_publish_p50_ms: percentile("From the source's own time to publication, live items: median"),
    source_to_publish_p99_ms: percentile("The same: 99th percentile"),
    receive_to_publish_p50_ms: percentile("From first sight to publication, live and pushed items: median"),
    receive_to_publish_p99_ms: percentile("The same: 99th percentile"),
    streams: series("Open streams at the end of the minute."),
    stream_items: series("Items that it wrote to streams, without snapshots."),
    deliveries: series("Webhook deliveries that receivers accepted."),
    failed_deliveries: series("Webhook deliveries that it gave up."),
    verdicts: series("Verdicts of pro that it gave, to its own callers and to other processes."),
    score_queue: series(
      "Texts of callers that its model pro judged, or that waited for it, at the end of the minute.",
    ),
    cpu: z.array(z.number().nullable()).describe(`${cpu} null: it did not report.`),
    rss_bytes: series("Memory that it occupied."),
    event_loop_p99_ms: z.array(z.number().nullable()).describe(`${eventLoop} null: it did not report.`),
    disk_free_bytes: bytes.nullable().describe("Free space where its data directory is; null: unknown."),
  })
  .meta({ id: "ProcessStats" });

export const operatorStats = z
  .object({
    minutes: z
      .array(timestamp)
      .describe("Starts of the minutes, oldest first; the last is the current one. All series go by them."),
    processes: z
      .array(processStats)
      .describe("Processes that reported in this time, the oldest start first."),
    database: z
      .object({
        bytes: bytes.describe("Size of all tables with their indexes."),
        parts: z
          .array(
            z
              .object({
                part: z
                  .string()
                  .describe("items, bodies, versions, scores, raw (stored responses), webhooks or other."),
                month: z
                  .string()
                  .nullable()
                  .describe("Month of its items as YYYYMM; null: the part has no months."),
                bytes: bytes.describe("Size of its tables with their indexes."),
              })
              .meta({ id: "DatabasePart" }),
          )
          .describe("By part and month."),
        kept_since: timestamp
          .nullable()
          .describe(
            "Items published before are deleted, or about to be, and refused; null: everything is kept.",
          ),
      })
      .meta({ id: "DatabaseSize" })
      .describe("Sizes are read at most once a minute."),
    webhooks: z
      .object({
        enabled: count.describe("Endpoints that get deliveries."),
        failing: count.describe("Those of them whose last attempt failed (failing_since)."),
        auto_disabled: count.describe("Endpoints that the service disabled."),
        recovered: count.describe(
          "Those of the enabled ones that had a failed attempt in the last 24 hours, and delivered at the last one.",
        ),
      })
      .meta({ id: "WebhookHealth" })
      .describe("The webhook endpoints of all accounts."),
  })
  .meta({ id: "OperatorStats" });
export type OperatorStats = z.infer<typeof operatorStats>;
