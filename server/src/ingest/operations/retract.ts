import { uniqueIds } from "../../store/append/item-keys.ts";
import type { Db } from "../../store/engine/db.ts";
import type { PipelineDeps } from "../pipeline/pipeline.ts";

/**
 * Withdraws an item for the operator, whichever source it came from.
 * @returns false when there is no such item
 */
export async function retractItem(
  { sequencer, clock }: Pick<PipelineDeps, "sequencer" | "clock">,
  db: Db,
  id: string,
): Promise<boolean> {
  const uniqueId = (await uniqueIds(db.main, [id])).get(id);
  if (uniqueId === undefined) return false;
  await sequencer.append({
    items: [],
    sourceId: null,
    retracted: { identities: [uniqueId], at: clock.now().toISOString() },
  });
  return true;
}
