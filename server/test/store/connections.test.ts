import assert from "node:assert/strict";
import pg from "pg";
import { createDatabase, onPostgres } from "../support/db.ts";
import { startService } from "../support/service.ts";

onPostgres("a process opens no more connections than it may, whatever is asked of it at once", async () => {
  await using database = await createDatabase();
  await using service = await startService("postgres", {
    databaseUrl: database.url,
    databaseConnections: 6,
  });
  const { key } = await service.key("enterprise");
  const watcher = new pg.Client({ connectionString: database.url });
  await watcher.connect();
  const opened = async () => {
    const { rows } = await watcher.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    return rows[0]?.count ?? 0;
  };
  let most = 0;
  let isAsking = true;
  const watching = (async () => {
    while (isAsking) most = Math.max(most, await opened());
  })();
  const answers = await Promise.all(
    Array.from({ length: 120 }, async (_, n) => {
      if (n % 3 === 0) return (await service.push({ title: `Edition ${n}` })).length;
      const path = n % 3 === 1 ? `/v1/feeds?q=edition${n}&limit=5` : "/v1/usage";
      return (await service.get(path, key)).status;
    }),
  );
  isAsking = false;
  await watching;
  await watcher.end();
  assert.deepEqual(new Set(answers), new Set([1, 200]));
  // One more listens.
  assert.ok(most >= 4 && most <= 7, `${most} connections`);
});
