import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SecretError } from "../../../src/account/sealed-secrets.ts";
import { onAnyEngine } from "../../support/db.ts";
import { temporaryFolder } from "../../support/process.ts";
import { until } from "../../support/receiver.ts";
import { startService } from "../../support/service.ts";
import { client, plans, url } from "./webhooks/client.ts";
import {
  changed,
  createdAndRead,
  deleted,
  listed,
  malformed,
  ofAnother,
  refusedUrls,
  repeated,
  sentBack,
} from "./webhooks/managing.ts";
import { inTheDatabase, limitOverProcesses } from "./webhooks/shared-database.ts";

onAnyEngine("webhook endpoints", async (context, engine) => {
  using folder = temporaryFolder();
  const plansFile = join(folder.path, "plans.json");
  // Calls as fast as a test makes them.
  const hurried = Object.entries(plans).map(([name, plan]) => [
    name,
    { ...plan, requests_per_minute: 1_000_000 },
  ]);
  writeFileSync(plansFile, JSON.stringify(Object.fromEntries(hurried)));
  const secret = "the secret of all these processes";
  await using service = await startService(engine, { plansFile, secret });
  const account = async (plan: "free" | "starter" | "enterprise") =>
    client(service, (await service.key(plan)).key);
  const [mine, other] = [await account("enterprise"), await account("starter")];

  await context.test("one is created with a secret, and read with it", () => createdAndRead(mine));
  await context.test("the list is the account's own, oldest first, without secrets", () =>
    listed(mine, other),
  );
  await context.test("what is malformed is refused, naming the member", () => malformed(mine));
  await context.test("a URL that deliveries may not go to is refused at creation and at change", () =>
    refusedUrls(mine),
  );
  await context.test("any of url, description, enabled and filters is changed", () => changed(mine));
  await context.test("a record may be sent back as it was read; what no update changes is left", () =>
    sentBack(mine),
  );
  await context.test("a deleted endpoint is gone", () => deleted(mine));
  await context.test("another account's endpoint is as one that is not there", () => ofAnother(mine, other));
  await context.test("a repeat with its Idempotency-Key makes no second endpoint", () => repeated(mine));
  await context.test("a plan allows so many endpoints an account", async () => {
    const free = await account("free");
    const { id } = await free.create({ url });
    assert.deepEqual(await free.refused("POST", "", { url }), [403, "plan_limit"]);
    await free.call("DELETE", `/${id}`);
    await free.create({ url });
  });
  await context.test("a smaller plan disables the newest, and says why", async () => {
    const { key, account_id } = await service.key("pro");
    const moving = client(service, key);
    const made = [];
    for (let n = 0; n < 4; n += 1) made.push((await moving.create({ url, filters: null })).id);
    const [first, second, third] = made;
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "starter" });
    const shown = async () => (await moving.list()).map(({ status }) => status);
    await until(async () => (await shown()).includes("auto_disabled"), "the plan is smaller");
    assert.deepEqual(await shown(), ["enabled", "enabled", "auto_disabled", "auto_disabled"]);
    const { disabled_reason } = await moving.read(third ?? "");
    assert.equal(disabled_reason, "the plan allows 2 enabled endpoints");
    assert.deepEqual(await moving.refused("PATCH", `/${third}`, { enabled: true }), [403, "plan_limit"]);
    await moving.update(second ?? "", { enabled: true });
    await moving.update(first ?? "", { enabled: false });
    assert.equal((await moving.update(third ?? "", { enabled: true })).disabled_reason, null);
    assert.deepEqual(await shown(), ["disabled", "enabled", "enabled", "auto_disabled"]);
  });
  const { databaseUrl } = service.config;
  if (databaseUrl === null) return;
  await context.test("no secret lies open in the database; what the service disabled is revived", () =>
    inTheDatabase(mine, databaseUrl),
  );
  await context.test("processes on one database share the limit of a plan", () =>
    limitOverProcesses(service),
  );
  await context.test("a process with another secret does not start", async () => {
    const stranger = startService("postgres", { databaseUrl, secret: "another secret altogether" });
    await assert.rejects(stranger, (error) => {
      assert.ok(error instanceof SecretError);
      assert.match(error.message, /TAPEWIRE_SECRET/);
      assert.doesNotMatch(error.message, /another secret altogether/);
      return true;
    });
  });
});
