import assert from "node:assert/strict";
import { sql } from "kysely";
import type { NewItem } from "../../../src/feed/item.ts";
import { Retention } from "../../../src/itemlog/retention.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { knownItems } from "../../../src/store/append/item-keys.ts";
import { ItemWriter } from "../../../src/store/append/item-writer.ts";
import { Partitions, partitioned } from "../../../src/store/log/partitions.ts";
import { itemAt } from "../../../src/store/log/scores.ts";
import { monthsWithTables } from "../../../src/store/retention/months.ts";
import { Keeper } from "../../../src/store/retention/old-months-remover.ts";
import { onBothEngines, onPostgres, testDb } from "../../support/db.ts";
import { until } from "../../support/receiver.ts";
import { datedItem, dayOf, listed, purge, rowsOf, termsAgree, undatedItem } from "../../support/retention.ts";

const filing = (accession: string, form = "8-K") => ({
  accession,
  form,
  items: [],
  filed: null,
  details: null,
  cik: "0000000001",
  period: null,
  amends: null,
  parties: [],
});

onBothEngines(
  "what is older than the months that are kept goes with everything that hangs on it",
  async (_, engine) => {
    await using db = await testDb(engine);
    const partitions = new Partitions();
    const writer = new ItemWriter(db, partitions);
    const append = async (...items: NewItem[]) =>
      (await writer.append([{ items, sourceId: "a" }])).outcomes.flat();
    const [old, kept] = [0, 3].map((month) => ({
      dated: datedItem({
        uniqueId: `guid:${month}:1`,
        aliases: [`page:${month}`],
        publishedAt: dayOf(month),
        symbols: ["DEMO:OBTX"],
        filing: filing(`${month}`),
        contentKey: "1",
      }),
      undated: undatedItem({ uniqueId: `guid:${month}:2`, symbols: ["DEMO:OBTX"] }, dayOf(month)),
    }));
    assert.ok(old !== undefined && kept !== undefined);
    await append(old.dated, old.undated, kept.dated, kept.undated);
    for (const { dated } of [old, kept])
      await append({ ...dated, contentKey: "2", item: { ...dated.item, title: "Revised" } });
    const before = await rowsOf(db);
    assert.deepEqual([before.items, before.item_aliases, before.item_versions, before.filings], [4, 6, 2, 2]);

    const deleted = await purge(db, new Date(dayOf(4)), 1);
    assert.deepEqual(deleted, { items: 2, item_aliases: 3, item_versions: 1, filings: 1, item_keys: 2 });
    const after = { items: 2, item_bodies: 2, scores: 3, item_keys: 2, item_aliases: 3, item_versions: 1 };
    assert.deepEqual(await rowsOf(db), { ...after, filings: 1, retired_aliases: 1, counted_months: 0 });
    assert.deepEqual(
      (await monthsWithTables(db.main)).filter((month) => month < "202604"),
      [],
    );
    await termsAgree(db);
    assert.deepEqual(
      await listed(db),
      [kept.undated, kept.dated]
        .map(({ item }) => item.unique_id)
        .sort()
        .reverse(),
    );
    assert.equal(await itemAt(db.main, old.dated.item.id, null), null);

    const again = [
      old.dated,
      undatedItem({ uniqueId: old.undated.item.unique_id }, dayOf(4)),
      // Under another time than it was deleted with.
      datedItem({ uniqueId: "guid:0:1", publishedAt: dayOf(1) }, dayOf(4)),
      kept.dated,
    ];
    const outcomes = await append(...again);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["too_old", "too_old", "too_old", "revised"],
    );
    assert.equal(outcomes[0]?.keptSince?.toISOString(), "2026-04-01T00:00:00.000Z");
    const retention = new Retention(db.main);
    await retention.look();
    // Entries 1, 2 and 5 are gone: the first that is left is the third.
    assert.equal(retention.floor, 2);
  },
);

onBothEngines(
  "where nothing is left the floor is the head of the log, also for a process that starts later",
  async (_, engine) => {
    await using db = await testDb(engine);
    const writer = new ItemWriter(db, new Partitions());
    const items = [1, 2, 3].map((n) => datedItem({ uniqueId: `guid:${n}`, publishedAt: dayOf(0) }));
    await writer.append([{ items, sourceId: "a" }]);
    await purge(db, new Date(dayOf(6)), 2);
    const retention = new Retention(db.main);
    await retention.look();
    assert.equal(retention.floor, 3);
  },
);

onBothEngines("a run that is cut short takes each item out of the counts once", async (_, engine) => {
  await using db = await testDb(engine);
  const writer = new ItemWriter(db, new Partitions());
  const items = [0, 4].flatMap((month) =>
    ["A", "B", "C"].map((name) =>
      datedItem({ uniqueId: `guid:${month}:${name}`, publishedAt: dayOf(month), symbols: [`DEMO:${name}`] }),
    ),
  );
  await writer.append([{ items, sourceId: "a" }]);
  // As a run leaves it that was killed after some of the terms.
  const { rows } = await sql<{ id: number }>`select id from terms order by id offset 3 limit 1`.execute(
    db.main,
  );
  const upTo = rows[0]?.id ?? 0;
  await sql`
    update terms t set count = count - (select count(*) from items_202601, unnest(terms) as term where term = t.id)
    where id <= ${upTo}`.execute(db.main);
  await sql`insert into counted_months (month, counted_to) values ('202601', ${upTo})`.execute(db.main);
  await purge(db, new Date(dayOf(4)), 1);
  await termsAgree(db);
  assert.equal((await rowsOf(db)).items, 3);
});

onBothEngines("a changed item whose month was dropped by hand is told as changed once", async (_, engine) => {
  await using db = await testDb(engine);
  const writer = new ItemWriter(db, new Partitions());
  const item = datedItem({ uniqueId: "guid:gone", publishedAt: dayOf(0), contentKey: "1" });
  const append = async (...items: NewItem[]) =>
    (await writer.append([{ items, sourceId: "a" }])).outcomes.flat().map(({ status }) => status);
  await append(item);
  for (const table of partitioned) await sql`drop table ${sql.table(`${table}_202601`)}`.execute(db.main);
  const revised = { ...item, contentKey: "2", item: { ...item.item, title: "Revised" } };
  assert.deepEqual(await append(revised), ["duplicate"]);
  const known = await knownItems(db.main, ["guid:gone"]);
  assert.deepEqual([known.get("guid:gone")?.contentKey, known.get("guid:gone")?.sourceId], ["2", "a"]);
});

onPostgres(
  "months wait while another session reads them, and go when it has ended; everybody reads on",
  async () => {
    await using db = await testDb("postgres");
    const partitions = new Partitions();
    const writer = new ItemWriter(db, partitions);
    const items = [0, 4].map((month) => datedItem({ uniqueId: `guid:${month}`, publishedAt: dayOf(month) }));
    await writer.append([{ items, sourceId: "a" }]);
    const ending = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const dump = db.slow
      .transaction()
      .setIsolationLevel("repeatable read")
      .execute(async (tx) => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        await sql`select from items`.execute(tx);
        began.resolve();
        await ending.promise;
      });
    await began.promise;
    const clock = { ...systemClock, now: () => new Date(dayOf(4)) };
    try {
      await using keeper = new Keeper({ db, clock, log: silentLog, keepMonths: 1, lockMs: 300 });
      await until(() => keeper.state === "waiting", "the lock is not got");
      const { rows } = await sql`select from pg_inherits where inhdetachpending`.execute(db.main);
      assert.equal(rows.length, 1, "its detaching was cut short");
      assert.deepEqual(await listed(db), ["guid:4"]);
      const more = datedItem({ uniqueId: "guid:more", publishedAt: dayOf(4) });
      const { outcomes } = await writer.append([{ items: [more], sourceId: "a" }]);
      assert.equal(outcomes[0]?.[0]?.status, "created");
    } finally {
      ending.resolve();
      await dump;
    }
    await purge(db, new Date(dayOf(4)), 1);
    assert.deepEqual(
      (await monthsWithTables(db.main)).filter((month) => month < "202604"),
      [],
    );
    await termsAgree(db);
  },
);
