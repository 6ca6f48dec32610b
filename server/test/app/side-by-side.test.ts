import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { checkSchema, migrate } from "../../src/store/schema/migrate.ts";
import { createDatabase, onPostgres } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { connect, notice } from "../support/stream-connect.ts";

const migrations = join(import.meta.dirname, "..", "..", "migrations");
const files = readdirSync(migrations).sort();
const own = Number(files.at(-1)?.slice(0, 4));
/** The first migration that says which code can use it. */
const firstSaying = 24;

/** A newer version: another table, and another column in every table, which the code of `compatibleFrom` can use. */
function newerVersion(folder: string, compatibleFrom: number) {
  const newer = join(folder, `from-${compatibleFrom}`);
  cpSync(migrations, newer, { recursive: true });
  const addsToAll = `-- compatible_from: ${compatibleFrom}
    create table later_things (id int primary key);
    do $$ declare name regclass; begin
      for name in select oid::regclass from pg_class
        where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
          and relname not like 'kysely%'
      loop execute format('alter table %s add column added_later int not null default 7', name); end loop;
    end $$;`;
  writeFileSync(join(newer, `${String(own + 1).padStart(4, "0")}_later.sql`), addsToAll);
  return { folder: newer, version: "9.8.7" };
}

onPostgres(
  "processes go on while a newer version adds to every table, and others of their version start beside it",
  async () => {
    using folder = temporaryFolder();
    await using database = await createDatabase({ migrated: false });
    await using receivers = await startReceivers({});
    const shared = { databaseUrl: database.url, webhookAllow: ["127.0.0.0/8"] };
    await using running = await startService("postgres", shared);
    const { key } = await running.key("quant");
    await using stream = await connect(running, key);
    await stream.subscribe();
    await addEndpoint(running, key, receivers.url("/"));
    const pushed: string[] = [];
    const goesThrough = async (service: Service) => {
      const next = notice();
      pushed.push(next.title);
      const [result] = await service.push(next);
      assert.equal(result?.status, "created");
      assert.equal((await stream.next("feed")).data.title, next.title);
      await until(() => receivers.seqsAt("/").length === pushed.length, "the endpoint has it", 30_000);
      const { data } = feedList.parse(await (await service.get("/v1/feeds?limit=50", key)).json());
      assert.deepEqual(data.map(({ title }) => title).toSorted(), pushed.toSorted());
    };
    await goesThrough(running);

    await using db = await openPostgres(database.url, silentLog);
    assert.equal(await migrate(db, newerVersion(folder.path, own)), null);
    await goesThrough(running);

    await using started = await startService("postgres", shared);
    await goesThrough(started);
    await goesThrough(running);
    // A copy would leave out what the newer version has added.
    for (const copying of [checkSchema, migrate])
      await assert.rejects(copying(db), /migrated by Tapewire 9\.8\.7/);
  },
);

async function addEndpoint(service: Service, key: string, url: string): Promise<void> {
  const answer = await fetch(`${service.url}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url, filters: {} }),
  });
  assert.equal(answer.status, 201);
}

onPostgres(
  "what a newer version's process, killed after it migrated, left unsaid, its next start says",
  async () => {
    using folder = temporaryFolder();
    await using database = await createDatabase({ migrated: false });
    await using db = await openPostgres(database.url, silentLog);
    const newer = newerVersion(folder.path, own);
    await migrate(db, newer);
    // The migrations are committed; which version ran them, and what can use the schema, is written after.
    await sql`update kysely_migration set version = null, compatible_from = null`.execute(db.main);
    await migrate(db, newer);
    assert.equal(await migrate(db, { newer: "use" }), own + 1);
    await assert.rejects(checkSchema(db), /migrated by Tapewire 9\.8\.7/);
  },
);

onPostgres("a newer schema that only later code can use is refused", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase({ migrated: false });
  await using db = await openPostgres(database.url, silentLog);
  await migrate(db, newerVersion(folder.path, own + 1));
  await assert.rejects(migrate(db, { newer: "use" }), {
    name: "StartError",
    message: /migrated by Tapewire 9\.8\.7/,
  });
});

test("each migration says from which schema on code can use it, or that none can", () => {
  for (const file of files.filter((name) => Number.parseInt(name, 10) >= firstSaying)) {
    const said = /^-- compatible_from: (\d+|none)$/m.exec(readFileSync(join(migrations, file), "utf8"))?.[1];
    assert.ok(
      said !== undefined,
      `${file}: a line "-- compatible_from: SCHEMA" or "-- compatible_from: none"`,
    );
    if (said !== "none") assert.ok(Number(said) < Number.parseInt(file, 10), file);
  }
});
