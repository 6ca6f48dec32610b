import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { BackupView } from "@tapewire/contract/operator/backups.ts";
import type { People } from "../../account/people/people.ts";
import { type Backup, BackupRefused, type Backups } from "../../store/backup/backups.ts";
import type { Handlers } from "../contract-routes.ts";

export interface BackupDeps {
  readonly backups: Pick<Backups, "make" | "list" | "everyHours">;
  readonly people: People;
}

export function backupHandlers({
  backups,
  people,
}: BackupDeps): Pick<Handlers, "createBackup" | "listBackups"> {
  return {
    createBackup: async ({ operator: actor }) => {
      const made = await backups.make().catch((error: unknown) => {
        if (error instanceof BackupRefused) throw new ApiError("conflict", { detail: error.message });
        throw error;
      });
      await people.audit.note({ actor, action: "backup.made", subject: made.name });
      return { body: viewOf(made) };
    },
    listBackups: async () => ({
      body: { data: (await backups.list()).map(viewOf), every_hours: backups.everyHours },
    }),
  };
}

function viewOf({ name, path, madeAt, bytes }: Backup): BackupView {
  return { name, path, made_at: madeAt.toISOString(), bytes };
}
