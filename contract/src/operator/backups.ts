import { z } from "zod";
import { timestamp } from "../feeds.ts";

export const backup = z
  .object({
    name: z.string().describe("Name of the file."),
    path: z.string().describe("Its path on the machine of the service."),
    made_at: timestamp.describe("When it was begun: items stored before are in it."),
    bytes: z.int().min(0).describe("Size of the file."),
  })
  .meta({ id: "Backup" });
export type BackupView = z.infer<typeof backup>;

export const backupList = z
  .object({
    data: z.array(backup).describe("Newest first."),
    every_hours: z
      .int()
      .min(0)
      .nullable()
      .describe(
        "Hours between backups that the service makes by itself; 0: it makes none. null: PostgreSQL, which has tools of its own.",
      ),
  })
  .meta({ id: "BackupList" });
