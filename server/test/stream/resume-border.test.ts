import assert from "node:assert/strict";
import { test } from "node:test";
import { createdKey } from "@tapewire/contract/admin.ts";
import { anyDatabase, anyEngine } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { StreamClient } from "../support/stream-client.ts";
import { notice, notices } from "../support/stream-connect.ts";
import { spawnWatched, whileAlive } from "../support/turns.ts";

const adminToken = "tw_admin_for_tests_only";
const noSources = new URL("../support/no-sources.json", import.meta.url).pathname;

/** Entries of the log that are read from the table at a time. */
const pageItems = 200;
/** So near to the border of a page that one write reaches over it. */
const position = pageItems - 20;
const items = 2 * pageItems + 50;

test("a client that resumes over the border of pages that are at hand, without units, gets all of it", async () => {
  using folder = temporaryFolder();
  await using database = await anyDatabase(folder.path);
  const env = {
    ...database.env,
    TAPEWIRE_SOURCES: noSources,
    TAPEWIRE_DEMO: "off",
    TAPEWIRE_ADMIN_TOKEN: adminToken,
  };
  const call = async (url: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    return (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  {
    const databaseUrl = database.env.DATABASE_URL ?? null;
    await using before = await startService(anyEngine, { dataDir: folder.path, databaseUrl, demo: "off" });
    await before.push(...notices(items - 1), notice({ source: "last" }));
  }
  // Now nothing of the log is in memory.
  await using service = await spawnWatched(env);
  const connect = async () => {
    const { key } = createdKey.parse(await call(service.url, "/admin/v1/keys", { plan: "pro" }));
    const client = await StreamClient.connect(`${service.url.replace("http", "ws")}/v1/stream`, { key });
    await client.next("welcome");
    return client;
  };
  // Takes one unit, of its own account, at the very end: it brings the pages into memory.
  await using reader = await connect();
  const { oldest = "" } = await reader.subscribe({ after: "unknown" });
  const cursorAt = (seq: number) => oldest.replace(/\d+$/, String(seq));
  await reader.subscribe({ after: oldest, filters: { aggregators: ["last"] } });
  assert.equal((await reader.next("feed")).seq, items);

  await using client = await connect();
  const resumed = async () => {
    await client.subscribe({ after: cursorAt(position) });
    return client.feeds(items - position);
  };
  const frames = await whileAlive(() => service, resumed);
  assert.deepEqual(
    frames.map(({ seq, count }) => [seq, count]),
    Array.from({ length: items - position }, (_, n) => [position + 1 + n, 1 + n]),
  );
});
