import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adminToken } from "./admin.ts";

const plansFile = new URL("../../../config/plans.json", import.meta.url);

/** Settings of a service that faults are tried on, with its data in the folder. */
export function chaosEnv(folder: string) {
  const plans = JSON.parse(readFileSync(plansFile, "utf8"));
  // The walks of the list, and the clients that come back, are more than a plan allows.
  plans.enterprise.requests_per_minute = 1_000_000;
  const env = {
    TAPEWIRE_DATA_DIR: folder,
    TAPEWIRE_PLANS: join(folder, "plans.json"),
    TAPEWIRE_DEMO: "off",
    TAPEWIRE_FEED_MODEL: "flash",
    TAPEWIRE_ADMIN_TOKEN: adminToken,
    TAPEWIRE_WEBHOOK_ALLOW: "127.0.0.0/8",
  };
  writeFileSync(env.TAPEWIRE_PLANS, JSON.stringify(plans));
  return env;
}
