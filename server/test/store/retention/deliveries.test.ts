import assert from "node:assert/strict";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { retention } from "@tapewire/contract/operator/retention.ts";
import { queued } from "@tapewire/contract/webhook-deliveries.ts";
import { client, list, make } from "../../http/handlers/webhooks/deliveries-client.ts";
import { createDatabase, onAnyEngine, seedDataDir } from "../../support/db.ts";
import { temporaryFolder } from "../../support/process.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import { type Service, startService } from "../../support/service.ts";

/** In the order of the log. Those of before are older than what is kept; one of them came after items that are. */
const items = [
  "old taken",
  "old refused",
  "kept refused",
  "kept taken",
  "late old refused",
  "late old taken",
];
const longAgo = "2020-01-05T10:00:00Z";
const isOld = (title: string) => title.includes("old");

const untilDeleted = (service: Service) =>
  until(async () => {
    const answer = await service.admin("GET", "/admin/v1/retention");
    const { state, kept_since } = retention.parse(await answer.json());
    return state === "idle" && kept_since !== null;
  }, "all is deleted");

onAnyEngine(
  "deliveries whose items were deleted are told as retired, wherever they were in the log, and the others are sent again",
  async (_, engine) => {
    using folder = temporaryFolder();
    if (engine === "pglite") await seedDataDir(folder.path);
    await using database = engine === "postgres" ? await createDatabase() : null;
    const state = { status: 500 };
    await using receivers = await startReceivers({
      "/": ({ body }) => (body.includes("refused") ? state.status : 204),
    });
    const options = {
      dataDir: folder.path,
      databaseUrl: database?.url ?? null,
      demo: "off" as const,
      webhookAllow: ["127.0.0.0/8"],
      webhookRetriesMs: [20],
    };
    await using stack = new AsyncDisposableStack();
    const before = stack.use(await startService(engine, options));
    const { key } = await before.key("enterprise");
    const first = client(before, key);
    const { id } = await make(first, { url: receivers.url("/") });
    for (const title of items)
      await before.push({ title, external_id: title, ...(isOld(title) ? { published_at: longAgo } : {}) });
    const read = async () => (await first.answer(list, 200, "GET", `/${id}/deliveries`)).data;
    const isSettled = async () => {
      const all = await read();
      return all.length === items.length && all.every(({ status }) => status !== "due");
    };
    await until(isSettled, "each is delivered or given up");
    const deliveries = (await read()).toSorted((a, b) => a.seq - b.seq);
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      items.map((title) => (title.includes("refused") ? "failed" : "delivered")),
    );
    await before[Symbol.asyncDispose]();

    const service = stack.use(await startService(engine, { ...options, keepMonths: 1 }));
    await untilDeleted(service);
    const mine = client(service, key);
    for (const [at, title] of items.entries()) {
      const path = `/${id}/deliveries/${deliveries[at]?.id}`;
      const [shown, resent] = [await mine.status("GET", path), await mine.status("POST", `${path}/resend`)];
      const wanted = isOld(title) ? [410, 410] : [200, 202];
      assert.deepEqual([shown, resent], wanted, title);
      if (isOld(title)) assert.deepEqual(await mine.refused("POST", `${path}/resend`), [410, "retired"]);
    }
    const sent = (title: string) => receivers.at("/").filter(({ body }) => body.includes(title)).length;
    await until(() => sent("kept taken") === 2 && sent("kept refused") === 4, "the kept ones are sent again");
    const status = async () =>
      (await mine.answer(list, 200, "GET", `/${id}/deliveries`)).data.map((one) => one.status);
    await until(async () => !(await status()).includes("due"), "and end as before");
    state.status = 204;
    const recover = { since: "2026-01-01T00:00:00Z" };
    assert.equal((await mine.answer(queued, 202, "POST", `/${id}/recover`, recover)).queued, 1);
    await until(() => sent("kept refused") === 5, "the one that is left is recovered");
    await until(async () => !(await status()).includes("due"), "it is settled");
    const refused = await mine.call("POST", `/${id}/recover`, recover);
    const { code, detail } = problem.parse(await refused.json());
    assert.deepEqual([refused.status, code], [410, "retired"]);
    assert.match(detail, /^The items of the 2 deliveries that were given up since then are no longer stored/);
    const later = { since: new Date(Date.now() + 60_000).toISOString() };
    assert.equal((await mine.answer(queued, 202, "POST", `/${id}/recover`, later)).queued, 0);
    assert.equal(sent("old refused") + sent("old taken"), 6, "nothing of what is gone was sent again");
  },
);
