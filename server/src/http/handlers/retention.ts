import type { RetentionView } from "@tapewire/contract/operator/retention.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Db } from "../../store/engine/db.ts";
import type { Keeper } from "../../store/retention/old-months-remover.ts";
import { retentionPlan } from "../../store/retention/plan.ts";
import type { Handlers } from "../contract-routes.ts";

export interface RetentionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keepMonths: number;
  readonly keeper: Pick<Keeper, "state">;
}

/** GET /admin/v1/retention: what is kept, and what would be. Only the keeper deletes. */
export function retentionHandlers({
  db,
  clock,
  keepMonths,
  keeper,
}: RetentionDeps): Pick<Handlers, "readRetention"> {
  return {
    readRetention: async ({ query }) => {
      const months = query.months === undefined ? keepMonths : Number(query.months);
      const plan = await retentionPlan(db, { now: clock.now(), keepMonths: months });
      const body: RetentionView = {
        keep_months: months,
        state: keeper.state,
        kept_since: plan.keptSince?.toISOString() ?? null,
        keeps_from: plan.keepsFrom?.toISOString() ?? null,
        months: [...plan.months],
      };
      return { body };
    },
  };
}
