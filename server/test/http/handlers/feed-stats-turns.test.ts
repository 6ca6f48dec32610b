import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { sql } from "kysely";
import { silentLog } from "../../../src/runtime/log.ts";
import { openPostgres } from "../../../src/store/engine/db.ts";
import { migrate } from "../../../src/store/schema/migrate.ts";
import { createDatabase, onPostgres } from "../../support/db.ts";
import { startProcess } from "../../support/index-process.ts";
import { startService } from "../../support/service.ts";

/** A database with a segment: counts by a symbol then read the table of terms, which can be locked. */
async function withSegment() {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createDatabase());
  const db = stack.use(await openPostgres(url, silentLog));
  await migrate(db);
  await using process = await startProcess(db);
  await using index = await process.open({ cacheBytes: 1, bodyBytes: 1_000_000 });
  await process.append([{ uniqueId: "guid:one" }]);
  await using keeper = process.keep(index, { foldEntries: 1, leastPerSegment: 1, segmentItems: 10 });
  while (index.stats().segments === 0) await keeper.step();
  const owned = stack.move();
  return { db, url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

onPostgres("one account counts once at a time, and delays the counts of no other", async () => {
  await using database = await withSegment();
  await using service = await startService("postgres", { databaseUrl: database.url });
  const [greedy, modest] = [(await service.key("free")).key, (await service.key("free")).key];
  const refused: { detail: string | undefined; retryAfter: string | null }[] = [];
  let counted = 0;
  const ask = async (n: number) => {
    const response = await service.get(`/v1/feeds/stats?symbol=NOSUCH${n}`, greedy);
    const body: unknown = await response.json();
    if (response.status === 200) counted += 1;
    else
      refused.push({ detail: problem.parse(body).detail, retryAfter: response.headers.get("retry-after") });
  };
  let asked: Promise<void>[] = [];
  await database.db.main.transaction().execute(async (tx) => {
    await sql`lock table terms in access exclusive mode`.execute(tx);
    asked = Array.from({ length: 30 }, (_, n) => ask(n));
    for (let n = 0; n < 300 && refused.length < 5; n++) await delay(5);
    assert.equal((await service.get("/v1/feeds/stats", modest)).status, 200);
    assert.equal(counted, 0);
  });
  await Promise.all(asked);
  const refusal = { detail: "Too many counts are under way", retryAfter: "2" };
  assert.deepEqual(refused, Array(5).fill(refusal), "one counts and 24 wait");
  assert.equal(counted, 25);
});
