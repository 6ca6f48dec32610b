import type { Db } from "../../store/engine/db.ts";
import { sharedSetting } from "../../store/engine/settings.ts";
import { sourceNames } from "../../store/list/reference.ts";
import { ingest, type PipelineDeps } from "../pipeline/pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import { demoIntervalMs, demoItem, demoSource } from "./items.ts";

export interface DemoDeps extends PipelineDeps {
  readonly db: Db;
}

/** Items that an installation shows before the first real one is read. */
const startItems = 20;

/** Invented news, one every few seconds, so that a trial without a network is alive. Runs until the signal aborts. */
export async function runDemo(deps: DemoDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const { nextNumber, earlier } = await opening(deps).catch((error: unknown) => {
    log.error({ err: error }, "the demo wire could not look up when it began");
    return { nextNumber: startItems, earlier: [] };
  });
  let batch = earlier;
  for (let n = nextNumber; !signal.aborted; n++) {
    await ingest(deps, batch, { sourceId: null, backfill: false }).catch((error: unknown) =>
      log.error({ err: error }, "the demo wire could not store an item"),
    );
    await clock.sleep(demoIntervalMs, signal).catch(() => {});
    batch = [demoItem(n, clock.now())];
  }
}

/**
 * Where the wire continues. Its earlier items follow from when it first began on this database, so that processes which
 * start together, or one that restarts after it was killed, make the same items and store them once.
 */
async function opening({ db, clock }: DemoDeps): Promise<{ nextNumber: number; earlier: RawItem[] }> {
  const now = clock.now();
  const beganMs = Date.parse(await sharedSetting(db.main, "demo_began_at", now.toISOString()));
  const items = Math.max(0, Math.floor((now.getTime() - beganMs) / demoIntervalMs));
  const isToldBefore = (await sourceNames(db.main)).includes(demoSource);
  const earlier = Array.from({ length: isToldBefore ? 0 : startItems }, (_, n) =>
    demoItem(n, new Date(beganMs - (startItems - n) * demoIntervalMs)),
  );
  return { nextNumber: startItems + items, earlier };
}
