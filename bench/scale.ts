/**
 * What processes with roles cost on one PostgreSQL and one NATS: 1 ingest, 2 api, 3 stream and 2 webhooks processes, started
 * one kind after another. For each step: transactions on the database without load and for each item, memory and processor
 * time of each process, bytes of NATS for each item. At the end the time from a push on one process to the streams of
 * another, beside one process that does both.
 *
 *   npm run bench:scale              PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432, and nats-server on the PATH
 *     --seconds 5     of measuring, per step
 *     --gateways 3    processes with the role stream, 1 to 8
 *     --items 20      pushed a second
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect } from "@nats-io/transport-node";
import { createdKey } from "@tapewire/contract/admin.ts";
import { serverFrame } from "@tapewire/contract/stream.ts";
import pg from "pg";
import { createDatabase } from "../server/test/support/db.ts";
import { startNats } from "../server/test/support/nats.ts";
import { type Protocol, subscribeAll } from "./loadgen.ts";
import { ItemTexts } from "./loadgen-frames.ts";
import { admin, adminToken, numberOf, percentiles, pushEvenly, wallMs } from "./pushes.ts";
import { cpuMsOf, machineLine, type Running, rssBytesOf, serviceArgs, start } from "./server-process.ts";

const { values: given } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    gateways: { type: "string", default: "3" },
    items: { type: "string", default: "20" },
  },
});
const forMs = Number(given.seconds) * 1_000;
const perSecond = Number(given.items);
const steps = [
  ["ingest", 1],
  ["api", 2],
  ["stream", Number(given.gateways)],
  ["webhooks", 2],
] as const;

interface Where {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly folder: string;
}

function service({ databaseUrl, natsUrl, folder }: Where, roles: string): Promise<Running> {
  return start({
    command: [process.execPath, ...serviceArgs],
    env: {
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      TAPEWIRE_ROLES: roles,
      TAPEWIRE_PORT: "0",
      TAPEWIRE_DATA_DIR: join(folder, "data"),
      TAPEWIRE_SOURCES: join(import.meta.dirname, "..", "server", "test", "support", "no-sources.json"),
      TAPEWIRE_ADMIN_TOKEN: adminToken,
      TAPEWIRE_LOG_LEVEL: "error",
    },
    listening: /base_url {2}(\S+)[\s\S]*Try:/,
  });
}

/** Transactions of a database so far. The server adds up those of a session when the session has been idle for a second. */
async function transactions(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ done: string }>(
      "select xact_commit + xact_rollback as done from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.done);
  } finally {
    await client.end();
  }
}

async function during<T>(databaseUrl: string, work: () => Promise<T>): Promise<{ perS: number; of: T }> {
  await pause(1_500);
  const before = await transactions(databaseUrl);
  const began = performance.now();
  const of = await work();
  await pause(1_500);
  const took = (performance.now() - began) / 1_000;
  return { perS: ((await transactions(databaseUrl)) - before) / took, of };
}

/** Times from the push of each item to its receipt by ten streams, and processor time of the process with the streams. */
async function latency(writer: Running, reader: Running) {
  const { key } = createdKey.parse(await admin(writer.said, "/admin/v1/keys", { plan: "enterprise" }));
  const pushedAt: number[] = [];
  const times: number[] = [];
  const read = (text: string) => {
    const frame = serverFrame.parse(JSON.parse(text));
    if (frame.type === "feed") times.push(wallMs() - (pushedAt[numberOf(frame.data.title)] ?? Number.NaN));
  };
  const protocol: Protocol = {
    port: Number(new URL(reader.said).port),
    upgrade: () => ({ path: `/v1/stream?api_key=${key}` }),
    hello: () => JSON.stringify({ type: "subscribe" }),
    counter: () => new ItemTexts(read),
    ready: '"type":"subscribed"',
  };
  const subscribers = await subscribeAll(protocol, 10, () => () => {});
  const before = cpuMsOf(reader.pid);
  const pushed = await pushEvenly(writer.said, { perSecond, forMs }, pushedAt);
  await pause(1_000);
  const cpuMs = (cpuMsOf(reader.pid) - before) / pushed;
  const short = subscribers.filter(({ items }) => items !== pushed).length;
  if (short > 0) throw new Error(`${short} streams did not get all of the ${pushed} items`);
  for (const subscriber of subscribers) subscriber.end();
  return { ...percentiles(times), cpuMs };
}

async function divided(where: Where, stack: AsyncDisposableStack): Promise<void> {
  const nats = await connect({ servers: where.natsUrl.replace("nats://", "") });
  stack.defer(() => nats.close());
  let bytes = 0;
  nats.subscribe("tapewire.>", {
    callback: (_, { data }) => {
      bytes += data.length;
    },
  });
  console.log("processes           transactions/s idle    for each item    NATS bytes an item    MB each");
  let [idleBefore, writer]: [number, Running | null] = [0, null];
  for (const [role, count] of steps) {
    const started: Running[] = [];
    for (let n = 0; n < count; n++) started.push(stack.use(await service(where, role)));
    if (role === "api") writer = started[0] ?? null;
    const idle = await during(where.databaseUrl, () => pause(forMs));
    const from = writer;
    const bytesBefore = bytes;
    const loaded =
      // Once, when all run: the items of a second run would be known already.
      from === null || role !== "webhooks"
        ? null
        : await during(where.databaseUrl, () =>
            pushEvenly(from.said, { perSecond, forMs }, []).catch(() => 0),
          );
    const items = Math.max(1, loaded?.of ?? 1);
    const each =
      loaded === null ? "" : (((loaded.perS - idle.perS) * (forMs + 1_500)) / 1_000 / items).toFixed(1);
    const perItem = loaded === null ? "" : ((bytes - bytesBefore) / items).toFixed(0);
    const mb = started.map(({ pid }) => (rssBytesOf(pid) / 1e6).toFixed(0)).join(" ");
    console.log(
      `+ ${count} ${role}`.padEnd(20),
      `${idle.perS.toFixed(1)} (+${(idle.perS - idleBefore).toFixed(1)})`.padStart(18),
      each.padStart(16),
      perItem.padStart(18),
      mb.padStart(14),
    );
    idleBefore = idle.perS;
  }
}

console.log(machineLine());
await using stack = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
const natsUrl = stack.use(await startNats()).url;
const alone = { databaseUrl: stack.use(await createDatabase()).url, natsUrl, folder };
const one = await service(alone, "ingest,api,stream,webhooks");
const together = await latency(one, one);
await one[Symbol.asyncDispose]();
const apart = { databaseUrl: stack.use(await createDatabase()).url, natsUrl, folder };
await divided({ ...apart, folder: join(folder, "apart") }, stack);
console.log("\npush -> stream       p50 ms   p99 ms   processor ms an item in the process with the streams");
const times = (name: string, { p50, p99, cpuMs }: Awaited<ReturnType<typeof latency>>) =>
  console.log(
    name.padEnd(18),
    p50.toFixed(1).padStart(8),
    p99.toFixed(1).padStart(8),
    cpuMs.toFixed(2).padStart(8),
  );
times("one process", together);
const across = { databaseUrl: stack.use(await createDatabase()).url, natsUrl, folder: join(folder, "pair") };
const [taking, streaming] = [
  stack.use(await service(across, "api")),
  stack.use(await service(across, "stream")),
];
const found = await latency(taking, streaming);
times("two, by NATS", found);
console.log(
  `ratio ${(found.p50 / together.p50).toFixed(2)}x p50, ${(found.p99 / together.p99).toFixed(2)}x p99`,
);
