import { ingest, type PipelineDeps } from "./pipeline.ts";
import { demoIntervalMs, demoItem } from "./sources/demo.ts";

/** Items that an installation shows before the first real one is read. */
const startItems = 20;

/** Invented news, one every few seconds, so that a trial without a network is alive. Runs until the signal aborts. */
export async function runDemo(deps: PipelineDeps, signal: AbortSignal): Promise<void> {
  const start = deps.clock.now();
  const earlier = Array.from({ length: startItems }, (_, n) =>
    demoItem(n, new Date(start.getTime() - (startItems - n) * demoIntervalMs)),
  );
  let batch = earlier;
  for (let n = startItems; !signal.aborted; n++) {
    await ingest(deps, batch, { sourceId: null, backfill: false }).catch((error: unknown) =>
      deps.log.error({ err: error }, "the demo wire could not store an item"),
    );
    await deps.clock.sleep(demoIntervalMs, signal).catch(() => {});
    batch = [demoItem(n, deps.clock.now())];
  }
}
