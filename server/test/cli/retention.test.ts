import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operatorStats } from "@tapewire/contract/operator/process-stats.ts";
import { retention } from "@tapewire/contract/operator/retention.ts";
import { callCommand, runCommand } from "../support/command.ts";
import { anyDatabase, anyEngine } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";

describe("tapewire retention", () => {
  const folder = temporaryFolder();
  let database: Awaited<ReturnType<typeof anyDatabase>>;
  let service: Service;
  let env: Record<string, string> = {};
  const start = async (keepMonths: number) => {
    const databaseUrl = database.env.DATABASE_URL ?? null;
    service = await startService(anyEngine, { dataDir: folder.path, databaseUrl, keepMonths });
    env = { TAPEWIRE_URL: service.url, TAPEWIRE_ADMIN_TOKEN: service.adminToken };
  };
  const run = (...args: readonly string[]) => callCommand(["retention", ...args], env);
  const stored = async () => {
    const answer = await service.admin("GET", "/admin/v1/retention");
    return retention.parse(await answer.json());
  };
  before(async () => {
    database = await anyDatabase(folder.path);
    await start(0);
    await service.push(
      { title: "Old", external_id: "old", published_at: "2020-01-05T10:00:00Z" },
      { title: "Old too", external_id: "old-2", published_at: "2020-01-06T10:00:00Z" },
      { title: "Older", external_id: "older", published_at: "2019-11-06T10:00:00Z" },
      { title: "New", external_id: "new" },
    );
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test("tells the items and the size of each month, and that everything is kept", async () => {
    const { code, out, err } = await runCommand(["retention"], env);
    assert.deepEqual([code, err], [0, ""]);
    const month = new Date().toISOString().slice(0, 7);
    const line = (of: string, items: number) =>
      `${of} +${items} item${items === 1 ? "" : "s"} +\\d+\\.\\d MB\n`;
    const months = `${line("2019-11", 1)}${line("2020-01", 2)}[^]*${line(month, 1)}`;
    const wanted = `^${months}[^]*\nEverything is kept\\. TAPEWIRE_KEEP_MONTHS sets how many months are\\.\n$`;
    assert.match(out, new RegExp(wanted));
  });

  test("tells what another number of months would delete, and deletes nothing", async () => {
    const { code, out, err } = await run("--months", "6", "--dry-run");
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(out.match(/ {3}is deleted$/gm)?.length, 2, out);
    assert.match(
      out,
      /\nWith TAPEWIRE_KEEP_MONTHS=6 the service would delete 3 items and \d\.\d MB of 2 months, for good\.\n$/,
    );
    const all = await run("--months", "1200");
    assert.match(all.out, /\nItems are kept from 19\d\d-\d\d-01 on\. Nothing older is stored\.\n$/);
    const json = await run("--months", "6", "--json");
    const printed = retention.parse(JSON.parse(json.out));
    assert.deepEqual([printed.keep_months, printed.state], [6, "off"]);
    const before = printed.months.filter(({ deletes }) => deletes);
    assert.deepEqual(
      before.map(({ month, items }) => [month, items]),
      [
        ["201911", 1],
        ["202001", 2],
      ],
    );
    assert.equal((await stored()).months.length, printed.months.length);
    assert.equal((await stored()).kept_since, null);
  });

  test("a number that is none exits 2, one that is too large is refused by the service", async () => {
    for (const months of ["six", "-1", "1.5", ""]) {
      const { code, err } = await run(`--months=${months}`);
      assert.deepEqual([code, err], [2, "--months needs a whole number from 0 to 1200\n"], months);
    }
    const { code, err } = await run("--months", "1201");
    assert.deepEqual(
      [code, /HTTP 400: months: must be a whole number from 0 to 1200/.test(err)],
      [1, true],
      err,
    );
  });

  test("tells, of a service that has deleted, from when on items are kept", async () => {
    await service[Symbol.asyncDispose]();
    await start(6);
    await until(async () => {
      const { state, kept_since } = await stored();
      return state === "idle" && kept_since !== null;
    }, "all is deleted");
    const { code, out } = await run();
    assert.equal(code, 0);
    assert.doesNotMatch(out, /20(19-11|20-01)|is deleted/);
    assert.match(out, /\nItems are kept from 20\d\d-\d\d-01 on\. Nothing older is stored\.\n$/);
    // What is deleted is gone, whatever number of months is asked for.
    const more = retention.parse(JSON.parse((await run("--months", "900", "--json")).out));
    const { kept_since } = await stored();
    assert.equal(more.keeps_from, kept_since);
    const stats = await service.admin("GET", "/admin/v1/stats");
    assert.equal(operatorStats.parse(await stats.json()).database.kept_since, kept_since);
  });
});
