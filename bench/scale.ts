/**
 * What processes with roles cost on one PostgreSQL and one NATS. They are started kind after kind: 1 ingest, 2 api, 1 to 8
 * stream, 2 webhooks and 1 score process. Transactions on the database, by role and by the number of processes with streams;
 * deliveries to endpoints; up to 200 more subscribers of NATS; and the time from a push to the streams of other processes as a
 * ratio to one process that does both, measured before and after. The processes run on the first core, this program on the
 * second, the database and NATS on either.
 *
 *   npm run bench:scale              PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432, and nats-server on the PATH
 *     --seconds 10    of measuring, per step
 *     --gateways 8    processes with the role stream, at most
 *     --items 20      pushed a second
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDatabase } from "../server/test/support/db.ts";
import { type NatsServer, startNats } from "../server/test/support/nats.ts";
import { type Load, type Sample, sample, service, tell } from "./processes.ts";
import {
  endpoints,
  type Gateways,
  type Idle,
  type Listeners,
  ScaleInstallation,
} from "./scale-installation.ts";
import { type Found, reportOf } from "./scale-report.ts";
import { isPinned, machineLine, runPinned } from "./server-process.ts";

const { values: given } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    gateways: { type: "string", default: "8" },
    items: { type: "string", default: "20" },
  },
});
const measuredMs = Number(given.seconds) * 1_000;
/** Code that a process runs for the first times is slow, and one item in a hundred would be among these. */
const warmUpMs = 5_000;
const load: Load = {
  perSecond: Number(given.items),
  forMs: warmUpMs + measuredMs,
  warmUpMs,
  subscribers: 10,
};
const gatewayCounts = [1, 2, 4, 8].filter((count) => count <= Number(given.gateways));
const listenerCounts = [50, 100, 200];

if (isPinned()) await measure();
else process.exitCode = runPinned();

async function measure(): Promise<void> {
  console.log(machineLine());
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const nats = stack.use(await startNats());
  // One process is measured first and last, since the others are compared with it and the machine may change meanwhile.
  const before = await oneProcess(join(folder, "before"), nats);
  const found = await divided(join(folder, "divided"), nats);
  const after = await oneProcess(join(folder, "after"), nats);
  console.log([...reportOf(found, [before, after], load.perSecond), "", machineLine()].join("\n"));
}

async function oneProcess(folder: string, nats: NatsServer): Promise<Sample> {
  tell("one process with all roles");
  await using database = await createDatabase();
  const more = { NATS_URL: nats.url, TAPEWIRE_ROLES: "ingest,api,stream,webhooks" };
  await using one = await service({ folder, databaseUrl: database.url, more });
  // Awaited here: the process runs until it is done.
  return await sample({ writer: one, readers: [one] }, load, []);
}

async function divided(folder: string, nats: NatsServer): Promise<Found> {
  await using database = await createDatabase();
  const more = { NATS_URL: nats.url, TAPEWIRE_WEBHOOK_ALLOW: "127.0.0.0/8" };
  const settings = { folder, databaseUrl: database.url, more };
  await using installation = await ScaleInstallation.start(settings, nats, measuredMs);
  const idle: Idle[] = [];
  const gateways: Gateways[] = [];
  for (const [role, count] of [
    ["ingest", 1],
    ["api", 2],
  ] as const) {
    tell(`+ ${count} ${role}`);
    idle.push(await installation.add(role, count));
  }
  for (const count of gatewayCounts) {
    tell(`streams of ${count} processes`);
    idle.push(await installation.add("stream", count - installation.count("stream")));
    gateways.push(await installation.stream(load));
  }
  for (const [role, count] of [
    ["webhooks", 2],
    ["score", 1],
  ] as const) {
    tell(`+ ${count} ${role}`);
    idle.push(await installation.add(role, count));
  }
  tell(`deliveries to ${endpoints} endpoints`);
  const deliveries = await installation.deliver(load);
  const listeners: Listeners[] = [];
  for (const count of listenerCounts) {
    tell(`${count} subscribers of NATS`);
    listeners.push(await installation.listeners(count, load));
  }
  return { idle, gateways, deliveries, listeners };
}
