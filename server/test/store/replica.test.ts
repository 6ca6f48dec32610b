import assert from "node:assert/strict";
import { test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import { replayPage } from "@tapewire/contract/stream.ts";
import pg from "pg";
import { z } from "zod";
import { createLog } from "../../src/runtime/log.ts";
import { replicaMoves } from "../../src/store/engine/replica.ts";
import { createDatabase, postgresUrl } from "../support/db.ts";
import { parseExposition } from "../support/exposition.ts";
import { until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { notices } from "../support/stream-connect.ts";

const skip = postgresUrl === null && "no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432";

/** What a server in recovery, such as a standby, answers to it. */
const inRecovery = `create or replace function log_home() returns text language plpgsql as $$
  begin raise object_not_in_prerequisite_state using message = 'recovery is in progress'; end $$`;

/** Reads of history by where they went. */
async function reads(service: Service): Promise<Record<string, number>> {
  const families = parseExposition(await (await service.admin("GET", "/metrics")).text());
  const samples = [...(families.get("tapewire_replica_reads_total")?.samples ?? [])];
  return Object.fromEntries(samples.map(([line, value]) => [/="([^"]*)"/.exec(line)?.[1] ?? "", value]));
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test("history comes from a replica as long as it has what was shown, and from the main database when it lags or is gone", {
  skip,
}, async () => {
  await using database = await createDatabase();
  const filled = await startService("postgres", { databaseUrl: database.url });
  const { key } = await filled.key("enterprise");
  const pushed = await filled.push(...notices(5));
  const id = pushed[0]?.id;
  await filled[Symbol.asyncDispose]();

  // A copy that gets nothing new is a replica that lags from the next item on. Its text tells it apart.
  const name = `${new URL(database.url).pathname.slice(1)}_replica`;
  const admin = new URL(database.url);
  admin.pathname = "/postgres";
  const replicaUrl = new URL(database.url);
  replicaUrl.pathname = `/${name}`;
  const onAdmin = (statement: string) => onDatabase(admin.href, (client) => client.query(statement));
  await onAdmin(`create database "${name}" template "${new URL(database.url).pathname.slice(1)}"`);
  await using _ = {
    [Symbol.asyncDispose]: async () => void (await onAdmin(`drop database if exists "${name}" with (force)`)),
  };
  await onDatabase(replicaUrl.href, async (client) => {
    await client.query("update item_bodies set body = 'of the replica'");
    await client.query(inRecovery);
  });

  const lines: string[] = [];
  const log = createLog("info", { format: "json", out: { write: (line) => lines.push(line) } });
  await using service = await startService("postgres", {
    ...{ databaseUrl: database.url, databaseReadUrl: replicaUrl.href, log },
  });
  const text = async () => {
    const answer = await service.admin("GET", `/v1/feeds/${id}/text`);
    const found = answer.ok ? answer : await service.get(`/v1/feeds/${id}/text`, key);
    return z.object({ body: z.string() }).parse(await found.json()).body;
  };
  const titles = async () => {
    const { data } = feedList.parse(await (await service.get("/v1/feeds?limit=50", key)).json());
    return data.map(({ title }) => title);
  };
  assert.equal((await titles()).length, 5);
  assert.equal(await text(), "of the replica");
  assert.deepEqual(await reads(service), { replica: 1, behind: 0, failed: 0 });
  // The log behind the memory of a process that has just started.
  const replayed = replayPage.parse(await (await service.get("/v1/replay?limit=5", key)).json());
  assert.equal(replayed.data.length, 5);
  assert.deepEqual(await reads(service), { replica: 2, behind: 0, failed: 0 });

  const [newer] = notices(1);
  assert.ok(newer !== undefined);
  await service.push(newer);
  assert.equal((await titles())[0], newer.title);
  assert.notEqual(await text(), "of the replica");
  assert.equal((await titles()).length, 6);
  const { replica, behind = 0 } = await reads(service);
  assert.ok(replica === 2 && behind >= 1);

  await onAdmin(`drop database "${name}" with (force)`);
  await until(async () => {
    assert.equal((await titles()).length, 6);
    assert.notEqual(await text(), "of the replica");
    return ((await reads(service)).failed ?? 0) >= 2;
  }, "reads that the replica did not answer");
  assert.equal(lines.filter((line) => line.includes("replica cannot be used")).length, 1, lines.join(""));
  await onDatabase(database.url, (client) => client.query(inRecovery));
  const refused = await service.admin("POST", "/admin/v1/items", [newer]);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
  for (const line of lines) assert.ok(!line.includes(replicaUrl.password || "no password"));
});

test("a replica that was left alone is tried by one read, and asked again when that one was served", () => {
  assert.equal(replicaMoves.up.failed, "down");
  assert.equal(replicaMoves.down.due, "trying");
  assert.deepEqual(replicaMoves.trying, { served: "up", lagged: "behind", failed: "down" });
  // A read that began before it failed says nothing.
  assert.equal(replicaMoves.down.served, undefined);
});
