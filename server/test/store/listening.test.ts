import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { type ListeningEvents, PostgresListening } from "../../src/store/engine/listening.ts";
import { noticeChannel, notify } from "../../src/store/log/notices.ts";
import { createDatabase, onPostgres } from "../support/db.ts";
import { deafProxy } from "../support/deaf-proxy.ts";
import { until } from "../support/receiver.ts";
import { silentProxy } from "../support/silent-proxy.ts";

const times = { hearMs: 300, checkEveryMs: 100, deafMs: 200, backoff: { baseMs: 20, maxMs: 50 } };

async function open(databaseUrl: string, listenUrl = databaseUrl) {
  await using stack = new AsyncDisposableStack();
  const lines: string[] = [];
  const log = createLog("info", { format: "text", out: { write: (line) => lines.push(line) } });
  const { main } = stack.use(await openPostgres(databaseUrl, log));
  const channel = await noticeChannel(main);
  const heard: string[] = [];
  const state = { begun: 0 };
  const events: ListeningEvents = {
    heard: (payload) => heard.push(payload),
    begun: () => {
      state.begun += 1;
    },
    notify: (payload) => notify(main, channel, payload),
  };
  const listening = stack.use(
    new PostgresListening({ connectionString: listenUrl, channel, events, log, times }),
  );
  const owned = stack.move();
  return {
    ...{ listening, heard, state, lines },
    tell: (payload: string) => notify(main, channel, payload),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

onPostgres("a session hears notices, and begins again after its backend was ended", async () => {
  await using database = await createDatabase();
  await using one = await open(database.url);
  await until(() => one.state.begun === 1, "it hears");
  await one.tell("a");
  await until(() => one.heard.length === 1, "the notice");
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
  );
  await admin.end();
  await until(() => one.state.begun === 2, "it hears again");
  await one.tell("b");
  await until(() => one.heard.length === 2, "the next notice");
  assert.deepEqual(one.heard, ["a", "b"], "its own notices are nobody's business");
  assert.equal(one.lines.filter((line) => line.includes("not heard")).length, 1);
  assert.equal(one.lines.filter((line) => line.includes("heard again")).length, 1);
});

onPostgres("two sessions that prove themselves do not confuse one another", async () => {
  await using database = await createDatabase();
  await using one = await open(database.url);
  await using other = await open(database.url);
  await until(() => one.state.begun + other.state.begun === 2, "both hear");
  await sleep(500);
  assert.deepEqual([one.state.begun, other.state.begun], [1, 1]);
  assert.deepEqual([one.heard, other.heard, one.lines, other.lines], [[], [], [], []]);
});

onPostgres("a session that hears nothing is recognised, and logged once", async () => {
  await using database = await createDatabase();
  await using proxy = await deafProxy(database.url);
  await using one = await open(database.url, proxy.url);
  await until(() => proxy.withheld >= 3, "it was tried again");
  assert.equal(one.listening.isHearing, false);
  assert.equal(one.state.begun, 0);
  assert.equal(one.lines.length, 1);
  assert.match(one.lines[0] ?? "", /hear no notices.*polling/);
});

onPostgres("a session whose host falls silent is given up, and another one is opened", async () => {
  await using database = await createDatabase();
  await using proxy = await silentProxy(database.url);
  await using one = await open(database.url, proxy.url);
  await until(() => one.state.begun === 1, "it hears");
  await proxy.silence();
  await until(() => !one.listening.isHearing, "it knows that it hears nothing");
  await proxy.forward();
  proxy.cut();
  await until(() => one.state.begun === 2, "it hears again");
});
