import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Answer } from "../../conformance/client.ts";
import { fuzz } from "../../conformance/fuzz.ts";
import { seedItems } from "../../conformance/items.ts";
import { Live } from "../../conformance/live.ts";
import { runSections } from "../../conformance/section.ts";
import { sections } from "../../conformance/sections.ts";
import { onBothEngines } from "./support/db.ts";
import { startService } from "./support/service.ts";

/** Large request limits, so that rules do not wait, and small pages and quotas, so that they are reached. */
const plansFile = fileURLToPath(new URL("../../conformance/test-plans.json", import.meta.url));

onBothEngines("conformance", async (context, engine) => {
  await using service = await startService(engine, { plansFile });
  await using live = await Live.open({ baseUrl: new URL(service.url), adminToken: service.adminToken });
  const items = await seedItems(live);
  await context.test("an answer that is not as described is told from one that is", () => {
    const { description } = live;
    const sent = { method: "GET", path: "/v1/feeds?limit=1", headers: {}, body: null };
    const fault = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      const all = { "x-request-id": "x", "content-type": "application/json", ...headers };
      return description.fault(sent, new Answer(status, all, Buffer.from(JSON.stringify(body))));
    };
    const page = { data: [], next_cursor: null };
    assert.equal(fault(200, page), null);
    assert.match(fault(200, { data: [] }) ?? "", /next_cursor/);
    assert.match(fault(200, { ...page, data: [{ id: 1 }] }) ?? "", /must/);
    assert.match(fault(200, page, { "x-request-id": "" }) ?? "", /X-Request-Id/);
    assert.match(fault(200, page, { "content-type": "text/plain" }) ?? "", /text\/plain/);
    for (const status of [201, 409, 418, 500])
      assert.match(fault(status, page) ?? "", new RegExp(`${status}`));
    assert.match(fault(401, page, { "content-type": "application/problem+json" }) ?? "", /WWW-Authenticate/);
  });
  // Before the rules: the last of them make the service wary of this address.
  if (engine === "pglite")
    await context.test("fuzz: 400 requests of the description, every answer is in it", async () => {
      const { failures, statuses } = await fuzz(live, { count: 400, seed: 1 });
      assert.deepEqual(failures, []);
      assert.ok((statuses.get(200) ?? 0) > 100, "most requests were refused");
    });
  await runSections(sections, { register: (name, body) => context.test(name, body), live, items });
});
