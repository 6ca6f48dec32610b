import { z } from "zod";
import { timestamp } from "../feeds.ts";

const mostMonths = 1_200;

export const retentionQuery = z.object({
  months: z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 0 to ${mostMonths}`)
    .refine((months) => Number(months) <= mostMonths, `must be a whole number from 0 to ${mostMonths}`)
    .optional()
    .meta({
      description:
        "Tells what this number of months would do, 0 to 1200, without changing anything. Absent: the setting TAPEWIRE_KEEP_MONTHS.",
      examples: ["13"],
    }),
});

export const retention = z
  .object({
    keep_months: z
      .int()
      .min(0)
      .describe("Whole months that are kept, besides the current one; 0: everything is kept."),
    state: z
      .enum(["off", "idle", "elsewhere", "names", "counts", "tables", "rows", "waiting"])
      .describe(
        "What the answering process does now. off: everything is kept; idle: nothing is left to delete; elsewhere: another process deletes; names, counts, tables, rows: it deletes, in this order; waiting: it failed and is tried again within ten minutes.",
      ),
    kept_since: timestamp
      .nullable()
      .describe("Items published before are deleted, or about to be, and refused; null: everything is kept."),
    keeps_from: timestamp
      .nullable()
      .describe("The same for the number of months that was asked for. It never goes back."),
    months: z
      .array(
        z
          .object({
            month: z.string().describe("Month of publication as YYYYMM."),
            items: z.int().min(0).describe("Number of its items."),
            bytes: z.int().min(0).describe("Size of the items, their texts and scores, with indexes."),
            deletes: z.boolean().describe("Whether the number of months deletes it."),
          })
          .meta({ id: "RetentionMonth" }),
      )
      .describe("Months that are stored, oldest first."),
  })
  .meta({ id: "Retention" });
export type RetentionView = z.infer<typeof retention>;
