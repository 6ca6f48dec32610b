import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { sql } from "kysely";
import pg from "pg";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openPostgres } from "../../src/store/engine/db.ts";
import { pipelined } from "../../src/store/engine/pipelined.ts";
import { createDatabase, onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { portOf } from "../support/silent-proxy.ts";

const made = async ({ main }: Pick<Db, "main">) => {
  await sql`create table notes (n int primary key)`.execute(main);
};
const notes = async ({ main }: Pick<Db, "main">) =>
  (await sql<{ n: number }>`select n from notes order by n`.execute(main)).rows.map(({ n }) => n);
const add = (n: number) => sql`insert into notes values (${n})`;
const no = [] as const;

onBothEngines("all of a transaction is stored, or nothing", async (_, engine) => {
  await using db = await testDb(engine);
  await made(db);
  const result = await db.transact(async (tx) => {
    await add(1).execute(tx);
    const { rows } = await sql<{ n: number }>`select n from notes`.execute(tx);
    return { result: rows.length, writes: [add(2), add(3)] };
  });
  assert.deepEqual([result, await notes(db)], [1, [1, 2, 3]]);
  // The first failure is told, not that the transaction was aborted by then.
  const failing = async () => ({ result: null, writes: [add(4), add(1), add(5)] });
  await assert.rejects(db.transact(failing), { code: "23505" });
  const throwing = db.transact(async (tx) => {
    await add(6).execute(tx);
    throw new Error("changed its mind");
  });
  await assert.rejects(throwing, /changed its mind/);
  const wrong = db.transact(async (tx) => {
    await sql`select 1 / 0`.execute(tx);
    return { result: null, writes: [add(7)] };
  });
  await assert.rejects(wrong, { code: "22012" });
  assert.deepEqual(await notes(db), [1, 2, 3]);
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => db.transact(async () => ({ result: n, writes: [add(10 + n)] }))),
  );
  assert.equal((await notes(db)).length, 33);
});

onPostgres("where BEGIN fails, nothing is written outside of a transaction", async () => {
  await using database = await createDatabase();
  await using db = await openPostgres(database.url, silentLog);
  await made(db);
  const pool = new pg.Pool({ connectionString: database.url, pipeline: true });
  pool.on("connect", (client) => {
    const query = client.query.bind(client);
    const failing = (text: string, values?: unknown[]) =>
      query(text === "begin" ? "select 1 / 0" : text, values);
    Object.assign(client, { query: failing });
  });
  const transact = pipelined(pool);
  const late = transact(async (tx) => {
    await sql`select 1`.execute(tx);
    await add(1).execute(tx);
    return { result: null, writes: no };
  });
  await assert.rejects(late, { code: "22012" });
  await assert.rejects(
    transact(async () => ({ result: null, writes: [add(2)] })),
    { code: "22012" },
  );
  await pool.end();
  assert.deepEqual(await notes(db), []);
});

onPostgres("a connection that breaks stores nothing, and is not used again", async () => {
  await using database = await createDatabase();
  await using db = await openPostgres(database.url, silentLog);
  await made(db);
  const broken = db.transact(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db.slow);
    return { result: null, writes: [add(1)] };
  });
  await assert.rejects(broken);
  await db.transact(async () => ({ result: null, writes: [add(2)] }));
  assert.deepEqual(await notes(db), [2]);
});

onPostgres("a statement, writes and their commit take two round trips", async () => {
  await using database = await createDatabase();
  await using proxy = await turns(database.url);
  await using db = await openPostgres(proxy.url, silentLog);
  await made(db);
  const before = proxy.taken();
  await db.transact(async (tx) => {
    await sql`select n from notes for update`.execute(tx);
    return { result: null, writes: [add(1), add(2), add(3)] };
  });
  assert.equal(proxy.taken() - before, 2);
  assert.deepEqual(await notes(db), [1, 2, 3]);
});

/** A way to the database that counts how often a client has to wait for an answer. */
async function turns(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let answered = true;
    client.on("data", (data) => {
      if (answered) count += 1;
      answered = false;
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      // As far away as the next machine: else a part of the answer comes before the last statement has left.
      setTimeout(() => {
        answered = true;
        client.write(data);
      }, 10);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => {}).on("close", () => other.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(databaseUrl);
  url.port = String(portOf(server.address()));
  url.hostname = "127.0.0.1";
  return {
    url: url.href,
    taken: () => count,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}
