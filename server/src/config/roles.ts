import { z } from "zod";

/** The parts of the work that a process can take. */
export const roles = ["ingest", "api", "stream", "webhooks", "score"] as const;
export type Role = (typeof roles)[number];

/** All but score, which is for processes that take work off others. */
export const usualRoles = ["ingest", "api", "stream", "webhooks"] as const satisfies readonly Role[];

export const roleList = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((role) => role !== ""))
  .pipe(z.array(z.enum(roles)).min(1));

interface ReachSettings {
  readonly roles: readonly Role[];
  readonly databaseUrl: string | null;
  readonly databaseReadUrl: string | null;
  readonly natsUrl: string | null;
}

/** What is wrong with the settings by which processes share work, by variable. */
export function reachProblems({
  roles: taken,
  databaseUrl,
  databaseReadUrl,
  natsUrl,
}: ReachSettings): string[] {
  const isAlone = natsUrl === null || databaseUrl === null;
  return [
    ...(taken.includes("score") && isAlone
      ? ["TAPEWIRE_ROLES: score needs NATS_URL and DATABASE_URL, by which other processes reach it"]
      : []),
    ...(databaseReadUrl !== null && databaseUrl === null
      ? ["DATABASE_READ_URL: needs DATABASE_URL, whose replica it is"]
      : []),
  ];
}
