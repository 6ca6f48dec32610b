import assert from "node:assert/strict";
import { sql } from "kysely";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { monthsWithTables } from "../../src/store/retention/months.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { createDatabase, onBothEngines, onPostgres, testDb } from "../support/db.ts";

onBothEngines("a month's tables have the keys and indexes of their parents", async (_, engine) => {
  await using db = await testDb(engine);
  const partitions = new Partitions();
  const before = await monthsWithTables(db.main);
  await partitions.ensureAhead(db.main, new Date("2031-12-31T23:59:59.999Z"));
  assert.deepEqual(await monthsWithTables(db.main), [...before, "203112", "203201"]);
  const found = await sql<{ table: string; columns: string }>`
    select c.relname as table, pg_get_indexdef(i.indexrelid) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relname like '%_203201' order by 1, 2`.execute(
    db.main,
  );
  const shapes = found.rows.map(
    ({ table, columns }) => `${table} ${/using .*/i.exec(columns)?.[0].split(" WITH")[0]}`,
  );
  assert.deepEqual(shapes.sort(), [
    "item_bodies_203201 USING btree (id, published_at)",
    "items_203201 USING btree (published_at, id)",
    "items_203201 USING gin (terms)",
    "scores_203201 USING btree (item_id)",
  ]);
});

onBothEngines("a month's table that stands apart is attached, with what it holds", async (_, engine) => {
  await using db = await testDb(engine);
  const times = [new Date("2031-05-02T00:00:00Z")];
  await sql`create table items_203105 (like items including defaults including constraints)`.execute(db.main);
  await sql`insert into items_203105 values (1, gen_random_uuid(), '2031-05-01T00:00:00Z', now(), null, null, '{}')`.execute(
    db.main,
  );
  for (let time = 0; time < 2; time++) await new Partitions().ensure(db.main, times);
  const attached = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on oid = inhrelid
    where relname in ('items_203105', 'item_bodies_203105', 'scores_203105') order by 1`.execute(db.main);
  assert.deepEqual(
    attached.rows.map(({ name }) => name),
    ["item_bodies_203105", "items_203105", "scores_203105"],
  );
  const { rows } = await sql`select seq from items`.execute(db.main);
  assert.deepEqual(rows, [{ seq: 1 }]);
});

onPostgres(
  "processes that need the same new month at once all get it, beside a dump that reads",
  async () => {
    await using database = await createDatabase();
    await using first = await openPostgres(database.url, silentLog);
    await using second = await openPostgres(database.url, silentLog);
    await migrate(first);
    const before = await monthsWithTables(first.main);
    const times = [new Date("2031-05-02T00:00:00Z")];
    await first.main.transaction().execute(async (dump) => {
      // As pg_dump does: it reads the parents and keeps its lock to the end.
      await sql`select from items`.execute(dump);
      await Promise.all([first, second, first].map((db) => new Partitions().ensure(db.main, times)));
      const { rows } = await sql`select from item_bodies`.execute(second.main);
      assert.deepEqual(rows, []);
    });
    assert.deepEqual(await monthsWithTables(second.main), [...before, "203105"]);
  },
);
