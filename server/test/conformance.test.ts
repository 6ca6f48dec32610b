/** TAPEWIRE_CHAOS=full sends twice as many requests of the fuzz. */
import assert from "node:assert/strict";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { fuzz } from "../../conformance/fuzz.ts";
import { seedItems } from "../../conformance/items.ts";
import { Live } from "../../conformance/live.ts";
import { runSections } from "../../conformance/section.ts";
import { sections } from "../../conformance/sections.ts";
import { onBothEngines } from "./support/db.ts";
import { isFull } from "./support/full-length.ts";
import { startService } from "./support/service.ts";

/** Large request limits, so that rules do not wait, and small pages and quotas, so that they are reached. */
const plansFile = fileURLToPath(new URL("../../conformance/test-plans.json", import.meta.url));

const fuzzed = isFull ? 600 : 300;

// Most of the time the rules wait: a service answers strangers slowly, and counts requests by the minute.
describe("both engines at once", { concurrency: true }, () => {
  onBothEngines("conformance", async (context, engine) => {
    await using service = await startService(engine, { plansFile });
    await using live = await Live.open({ baseUrl: new URL(service.url), adminToken: service.adminToken });
    // Before the rules: the last of them make the service wary of this address.
    if (engine === "pglite")
      await context.test(`fuzz: ${fuzzed} requests of the description, every answer is in it`, async () => {
        const { failures, statuses } = await fuzz(live, { count: fuzzed, seed: 1 });
        assert.deepEqual(failures, []);
        assert.ok((statuses.get(200) ?? 0) > fuzzed / 6, "most requests were refused");
      });
    const items = await seedItems(live);
    await runSections(sections, { register: (name, body) => context.test(name, body), live, items });
  });
});
