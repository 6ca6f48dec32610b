/** Plans for loads that no plan allows. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PlanTable, planTable } from "@tapewire/contract/plans.ts";

const room = {
  stream_connections: 1_000_000,
  webhook_endpoints: 1_000_000,
  requests_per_minute: 1_000_000_000,
};

/** The plans that ship, with room in Enterprise. */
export function roomyPlans(): PlanTable {
  const shipped = new URL("../config/plans.json", import.meta.url);
  const plans = planTable.parse(JSON.parse(readFileSync(shipped, "utf8")));
  return { ...plans, enterprise: { ...plans.enterprise, ...room } };
}

/** @returns the path of a file with them, for TAPEWIRE_PLANS */
export function writeRoomyPlans(folder: string): string {
  const path = join(folder, "plans.json");
  writeFileSync(path, JSON.stringify(roomyPlans()));
  return path;
}
