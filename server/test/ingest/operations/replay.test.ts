/**
 * Recorded filings are read while the service is killed: the beginning of a day on the embedded database, its busiest quarter
 * of an hour on PostgreSQL, one kill each, and the service that goes on is in this process. With TAPEWIRE_CHAOS=full the
 * whole day is read on both engines with two kills, and the service that goes on is a process too, which ends in order.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type SourceHealth, sourceHealthList } from "@tapewire/contract/admin.ts";
import pg from "pg";
import { startApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/config.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { openDb } from "../../../src/store/engine/db.ts";
import { itemsAfter, logHead } from "../../../src/store/log/item-reads.ts";
import { createDatabase, onBothEngines, onPostgres, seedDataDir } from "../../support/db.ts";
import { isFull } from "../../support/full-length.ts";
import { spawnService, temporaryFolder, writeSources } from "../../support/process.ts";
import { withRecorded } from "../../support/recorded.ts";
import { type Filing, readTape, startTapeServer } from "../../support/tape.ts";

/** Two pages of the list and more. */
const dayItems = isFull ? Number.POSITIVE_INFINITY : 120;
/** After which shares of them. */
const kills = isFull ? [0.1, 0.6] : [0.4];

const adminToken = "tw_admin_for_tests_only";

async function health(url: string): Promise<SourceHealth | undefined> {
  const response = await fetch(`${url}/admin/v1/sources`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  return sourceHealthList.parse(await response.json()).data[0];
}

async function until(url: string, done: (source: SourceHealth) => boolean): Promise<void> {
  for (;;) {
    const source = await health(url);
    if (source !== undefined && done(source)) return;
    await delay(100);
  }
}

/** Ends the leases of a process that was killed: they last long, and shared-intake.test.ts waits for one. */
async function endLeases(database: { url: string } | null): Promise<void> {
  if (database === null) return;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("update sources set lease_until = null");
  await client.end();
}

function tapeEnv(folder: string, url: string, database: { url: string } | null): Record<string, string> {
  return {
    TAPEWIRE_DATA_DIR: folder,
    TAPEWIRE_ADMIN_TOKEN: adminToken,
    TAPEWIRE_SOURCES: writeSources(folder, [
      {
        id: "tape",
        name: "sec-edgar",
        provider: "sec",
        format: "edgar",
        type: "filing",
        url,
        interval_s: 1,
        requests_per_s: 100,
        documents: false,
      },
    ]),
    ...(database === null ? {} : { DATABASE_URL: database.url }),
  };
}

function onPglite(...[name, body, options]: Parameters<typeof onBothEngines>): void {
  test(`${name} [pglite]`, options, (context) => body(context, "pglite"));
}

/** The last life of the service, which nobody kills. */
async function lastLife(
  env: Record<string, string>,
): Promise<{ url: string; end: () => Promise<void> } & AsyncDisposable> {
  if (isFull) {
    const service = await spawnService(env);
    return {
      url: service.url,
      end: async () => assert.equal(await service.end("SIGTERM"), 0, service.output()),
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    };
  }
  const app = await startApp({ ...readConfig(env), port: 0 }, { clock: systemClock, log: silentLog });
  const end = async () => app[Symbol.asyncDispose]();
  return { url: app.baseUrl, end, [Symbol.asyncDispose]: end };
}

async function assertHolds(
  tape: readonly Filing[],
  { folder, database }: { folder: string; database: { url: string } | null },
): Promise<void> {
  await using db = await openDb({ databaseUrl: database?.url ?? null, dataDir: folder, log: silentLog });
  const items = await itemsAfter(db.main, 0, 10_000);
  assert.deepEqual(
    items.map(({ seq }) => seq),
    tape.map((_line, index) => index + 1),
  );
  assert.equal((await logHead(db.main)).lastSeq, tape.length);
  const expected = tape.map(({ accession }) => `sec:${accession}`).sort();
  assert.deepEqual(items.map(({ item }) => item.unique_id).sort(), expected);
}

const onEngines = isFull ? onBothEngines : onPglite;
onEngines(
  "killed while it reads a day of filings, the service has each filing once and seq without a gap",
  async (_, engine) => {
    const tape = readTape().slice(0, dayItems);
    await using tapeServer = await startTapeServer(tape);
    using folder = temporaryFolder();
    const database = engine === "postgres" ? await createDatabase() : null;
    if (database === null) await seedDataDir(folder.path);
    await using _dropped = database ?? { [Symbol.asyncDispose]: async () => {} };
    const env = tapeEnv(folder.path, tapeServer.url, database);
    for (const killAt of kills) {
      await using service = await spawnService(env);
      await until(service.url, ({ items }) => items >= killAt * tape.length);
      await service.end("SIGKILL");
      await endLeases(database);
    }
    await using service = await lastLife(env);
    await until(service.url, ({ items }) => items >= tape.length);
    // One poll more: it must find nothing new.
    const since = (await health(service.url))?.last_ok_at ?? "";
    await until(service.url, ({ last_ok_at }) => (last_ok_at ?? "") > since);
    assert.equal((await health(service.url))?.items, tape.length);
    await service.end();

    await assertHolds(tape, { folder: folder.path, database });
  },
  withRecorded,
);

onPostgres(
  "the busiest quarter of an hour, played twice at two hundred times its pace with a kill in the middle, gives the same set",
  async () => {
    const from = new Date("2025-12-12T16:00:00-05:00").getTime();
    const tape = readTape().filter(({ accepted }) => {
      const at = new Date(accepted).getTime();
      return at >= from && at < from + 15 * 60_000;
    });
    await using tapeServer = await startTapeServer(tape);
    using folder = temporaryFolder();
    await using database = await createDatabase();
    const env = tapeEnv(folder.path, tapeServer.url, database);
    const play = () => {
      const startedMs = performance.now();
      tapeServer.state.isShown = ({ accepted }) =>
        new Date(accepted).getTime() - from <= 200 * (performance.now() - startedMs);
    };
    play();
    {
      await using service = await spawnService(env);
      await until(service.url, ({ items }) => items >= tape.length / 2);
      await service.end("SIGKILL");
    }
    await endLeases(database);
    await using service = await lastLife(env);
    for (let run = 1; run <= 2; run++) {
      if (run === 2) play();
      await until(service.url, ({ items }) => items >= tape.length);
      // Played to its end, and polled once more.
      while (tape.some((filing) => !tapeServer.state.isShown(filing))) await delay(50);
      const since = (await health(service.url))?.last_ok_at ?? "";
      await until(service.url, ({ last_ok_at }) => (last_ok_at ?? "") > since);
      await assertHolds(tape, { folder: folder.path, database });
    }
    await service.end();
  },
  withRecorded,
);
