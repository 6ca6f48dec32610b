/** What holds for every bus: what one process changes, another knows at once. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import type { Config } from "../../src/config/config.ts";
import { postgresUrl } from "../support/db.ts";
import { noNats, startNats } from "../support/nats.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { connect, notice, notices, titles } from "../support/stream-connect.ts";
import { busOf, type Pair, received, startPair } from "./support.ts";

const withId = z.object({ id: z.string() });

interface BusKind {
  /** How the items come to the other process. */
  readonly items: "entries" | "position" | null;
  readonly name: string;
  readonly skip: string | false;
  readonly start: (settings: { webhookAllow: readonly string[] }) => Promise<Pair>;
}

const noPostgres = postgresUrl === null && "no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432";
const roles: { writer: Partial<Config>; reader: Partial<Config> } = {
  writer: { roles: ["api"] },
  reader: { roles: ["api", "stream", "webhooks"] },
};

const kinds: readonly BusKind[] = [
  {
    name: "in-process",
    items: null,
    skip: false,
    start: async (settings) => {
      const service = await startService("pglite", settings);
      return {
        writer: service,
        reader: service,
        [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: "postgres",
    items: "position",
    skip: noPostgres,
    start: (settings) => startPair(settings, roles),
  },
  {
    name: "nats",
    items: "entries",
    skip: noPostgres || noNats,
    start: async (settings) => {
      await using stack = new AsyncDisposableStack();
      const nats = stack.use(await startNats());
      const { writer, reader } = stack.use(await startPair({ ...settings, natsUrl: nats.url }, roles));
      const owned = stack.move();
      return { writer, reader, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
  },
];

for (const { name, items, skip, start } of kinds)
  test(`bus ${name}`, { skip }, async (context) => {
    await using receivers = await startReceivers({});
    await using pair = await start({ webhookAllow: ["127.0.0.0/8"] });
    assert.deepEqual(await busOf(pair.reader), { name, connected: true });
    await changesArrive(context, pair, receivers);
    if (items !== null) assert.ok((await received(pair.reader, items)) > 0, "items were heard of");
  });

async function changesArrive(
  context: TestContext,
  { writer, reader }: Pair,
  receivers: Awaited<ReturnType<typeof startReceivers>>,
): Promise<void> {
  const { key, id, account_id: account } = await writer.key("quant");

  await context.test("items reach streams of the other process, all of them, in order", async () => {
    await using client = await connect(reader, key);
    await client.subscribe();
    const single = notices(20);
    for (const one of single) await writer.push(one);
    const many = notices(300);
    await Promise.all([many.slice(0, 150), many.slice(150)].map((batch) => writer.push(...batch)));
    const seen = await client.feeds(320);
    assert.deepEqual(
      titles(seen.slice(0, 20)),
      single.map(({ title }) => title),
    );
    assert.deepEqual(new Set(titles(seen)), new Set([...single, ...many].map(({ title }) => title)));
    const seqs = seen.map(({ data }) => data.seq);
    assert.deepEqual(
      seqs,
      Array.from({ length: 320 }, (_, at) => (seqs[0] ?? 0) + at),
    );
    await client.settle();
  });

  await context.test("an item that is too large for a message arrives too", async () => {
    await using client = await connect(reader, key);
    await client.subscribe();
    const large = notice({ body: "The board of Quillmere Freight met. ".repeat(5_000) });
    await writer.push(large);
    assert.equal((await client.next("feed")).data.title, large.title);
  });

  await context.test("a webhook endpoint gets items and is gone when its owner deletes it", async () => {
    const made = await asOwner(writer, key, "POST", "/v1/webhooks", { url: receivers.url("/hook") });
    assert.equal(made.status, 201);
    const endpoint = withId.parse(await made.json()).id;
    await writer.push(notice());
    await until(() => receivers.at("/hook").length > 0, "a delivery");
    assert.equal((await asOwner(writer, key, "DELETE", `/v1/webhooks/${endpoint}`)).status, 200);
  });

  await context.test("a change of plan and a revocation end the streams of the other process", async () => {
    const before = writer === reader ? 0 : await received(reader, "changed");
    const changed = await connect(reader, key);
    await writer.admin("PATCH", `/admin/v1/accounts/${account}`, { plan: "enterprise" });
    assert.equal((await changed.closed).code, 4503);
    const revoked = await connect(reader, key);
    await writer.admin("DELETE", `/admin/v1/keys/${id}`);
    assert.equal((await revoked.closed).code, 4501);
    if (writer !== reader) assert.ok((await received(reader, "changed")) >= before + 2);
    assert.equal((await reader.get("/v1/me", key)).status, 401);
  });
}

function asOwner(
  { url }: Service,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
