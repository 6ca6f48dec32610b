import assert from "node:assert/strict";
import pg from "pg";
import { createDatabase, onPostgres } from "../support/db.ts";
import { lossyProxy } from "../support/lossy-proxy.ts";
import { until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { refusal, type StreamClient } from "../support/stream-client.ts";
import { connect } from "../support/stream-connect.ts";

/** A service whose database commits, once the test says so, without its hearing of it. */
async function serviceBehindLosses() {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase());
  const proxy = stack.use(await lossyProxy(database.url));
  const service = stack.use(await startService("postgres", { databaseUrl: proxy.url }));
  const direct = new pg.Client({ connectionString: database.url });
  await direct.connect();
  stack.defer(() => direct.end());
  const seenAt = async () =>
    String((await direct.query("select seen_at::text from gateways")).rows[0].seen_at);
  const signOfLife = async () => {
    const before = await seenAt();
    await until(async () => (await seenAt()) !== before, "a sign of life");
  };
  const owned = stack.move();
  return { service, proxy, signOfLife, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

onPostgres("a stream that was entered, and refused since the answer was lost, does not count", async () => {
  await using behind = await serviceBehindLosses();
  const { service, proxy } = behind;
  const { key } = await service.key("free");
  const lost = proxy.loseAnswer({ sent: "insert into stream_slots", answered: "COMMIT" });
  const { status = 0 } = await refusal(service.app.wsUrl, { key });
  await lost;
  assert.ok(status >= 500, `${status}`);
  const opened: StreamClient[] = [];
  await until(async () => {
    const client = await connect(service, key).catch(() => null);
    if (client !== null) opened.push(client);
    return client !== null;
  }, "the account's only stream opens");
  assert.equal((await refusal(service.app.wsUrl, { key })).status, 429);
  await opened[0]?.close();
});

onPostgres("a stream that ended is freed once, though the answer was lost", async () => {
  await using behind = await serviceBehindLosses();
  const { service, proxy, signOfLife } = behind;
  const { key } = await service.key("starter");
  await using _held = await connect(service, key);
  const ended = await connect(service, key);
  const lost = proxy.loseAnswer({ sent: "update stream_slots", answered: "UPDATE" });
  await ended.close();
  await lost;
  for (let n = 0; n < 2; n++) await signOfLife();
  await using _second = await connect(service, key);
  assert.equal((await refusal(service.app.wsUrl, { key })).status, 429);
});
