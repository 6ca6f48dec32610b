/**
 * Where the time of an item goes, from its push on one process to a thousand streams of others, stage by stage, and what the
 * slowest hundredth waited for. All of it shares the machine's cores: the processes, the database, NATS and this program.
 * One stream in thirty is read as its bytes come. The others count theirs four times a second: subscribers live on machines of
 * their own, and reading for all of them here would cost more than serving them.
 *
 *   npm run bench:stages              PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432, and nats-server on the PATH
 *     --bus nats        or postgres, or one: one process that does all
 *     --gateways 3      processes with streams
 *     --subscribers 999 streams of all of them
 *     --items 50        pushed a second
 *     --seconds 20      of measuring
 *     --warm 10         seconds before it
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect } from "@nats-io/transport-node";
import { createDatabase } from "../server/test/support/db.ts";
import { startNats } from "../server/test/support/nats.ts";
import { subscribeAll } from "./loadgen.ts";
import { ItemPerMessage, ItemTexts } from "./loadgen-frames.ts";
import { isConnected, newKey, service, tell } from "./processes.ts";
import { pushEvenly, wallMs } from "./pushes.ts";
import { writeRoomyPlans } from "./roomy-plans.ts";
import { machineLine, type Running } from "./server-process.ts";
import { type Garbage, garbage, garbageLine, Stages, summary } from "./stages-report.ts";
import { barLines } from "./stream-report.ts";

const { values: given } = parseArgs({
  options: {
    bus: { type: "string", default: "nats" },
    gateways: { type: "string", default: "3" },
    subscribers: { type: "string", default: "999" },
    items: { type: "string", default: "50" },
    seconds: { type: "string", default: "20" },
    warm: { type: "string", default: "10" },
  },
});
const everyCore = `0-${cpus().length - 1}`;
const readEvery = 30;
const gatherMs = 250;
/** The gathered streams are read a few at a time. */
const gatherTurns = 25;
/** By the name of its time in the frames. */
const stepOf: Readonly<Record<string, "received" | "scored" | "encoded">> = {
  received: "received",
  scored: "scored",
  publish: "encoded",
};
const gatewayCount = given.bus === "one" ? 1 : Number(given.gateways);
const perGateway = Math.floor(Number(given.subscribers) / gatewayCount);
const warmUpMs = Number(given.warm) * 1_000;
const load = { perSecond: Number(given.items), forMs: warmUpMs + Number(given.seconds) * 1_000 };

await measure();

async function measure(): Promise<void> {
  console.log(machineLine());
  await using stack = new AsyncDisposableStack();
  const { writer, gateways, natsUrl } = await startAll(stack);
  const stages = new Stages();
  if (natsUrl !== null) await listen(natsUrl, stages, stack);
  const key = await newKey(writer);
  tell(`${gateways.length} × ${perGateway} streams`);
  const counted: { readonly items: number }[] = [];
  for (const gateway of gateways) counted.push(...(await subscribe(gateway, key, stages, stack)));
  const processes = [...new Set([writer, ...gateways])];
  let before: Garbage[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  setTimeout(async () => {
    before = await Promise.all(processes.map(garbage));
    delay.enable();
  }, warmUpMs);
  const items = await pushEvenly(writer.said, load, stages.pushed);
  delay.disable();
  const after = await Promise.all(processes.map(garbage));
  await pause(1_500);
  const short = counted.filter((stream) => stream.items !== items).length;
  const first = Math.floor((warmUpMs / 1_000) * load.perSecond);
  const { lines, p50, p99 } = summary(stages, first);
  const most = given.bus === "postgres" ? { p50: 15, p99: 60 } : { p50: 10, p99: 50 };
  const spent = after.map((now, at) =>
    garbageLine(at === 0 ? "takes items" : `streams ${at}`, before[at], now),
  );
  console.log(
    [
      "",
      `${given.bus}, ${load.perSecond} items/s to ${gateways.length} × ${perGateway} streams`,
      ...lines,
      ...["", "in the process          major pauses   longest at most ms   minor pauses"],
      ...spent,
      `this program's own delays: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, longest ${(delay.max / 1e6).toFixed(1)} ms`,
      "",
      ...barLines([
        { name: "push to receipt, p50 ms", value: p50, atMost: most.p50 },
        { name: "push to receipt, p99 ms", value: p99, atMost: most.p99 },
        { name: "streams that lack items", value: short, atMost: 0 },
      ]),
      machineLine(),
    ].join("\n"),
  );
}

async function startAll(
  stack: AsyncDisposableStack,
): Promise<{ writer: Running; gateways: readonly Running[]; natsUrl: string | null }> {
  const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { url: databaseUrl } = stack.use(await createDatabase());
  const natsUrl = given.bus === "postgres" ? null : stack.use(await startNats()).url;
  const plans = writeRoomyPlans(folder);
  const bus: Record<string, string> = natsUrl === null ? {} : { NATS_URL: natsUrl };
  const run = async (roles: string) =>
    stack.use(
      await service({
        ...{ folder, databaseUrl, cores: everyCore },
        more: { ...bus, TAPEWIRE_ROLES: roles, TAPEWIRE_PLANS: plans },
      }),
    );
  if (given.bus === "one") {
    const one = await run("ingest,api,stream,webhooks");
    return { writer: one, gateways: [one], natsUrl };
  }
  const writer = await run("api");
  const gateways: Running[] = [];
  for (let n = 0; n < gatewayCount; n++) gateways.push(await run("stream"));
  await Promise.all([writer, ...gateways].map(isConnected));
  return { writer, gateways, natsUrl };
}

/** Notes when each item is on the bus. */
async function listen(natsUrl: string, stages: Stages, stack: AsyncDisposableStack): Promise<void> {
  const connection = await connect({ servers: natsUrl.replace("nats://", "") });
  stack.defer(() => connection.close());
  const told = (_: unknown, { data }: { data: Uint8Array }) => {
    const at = wallMs();
    for (const [, n] of Buffer.from(data)
      .toString()
      .matchAll(/"title":"[^"]*\(no\. (\d+)\)"/g))
      stages.note("onBus", Number(n), at);
  };
  connection.subscribe("tapewire.>", { callback: told });
  await connection.flush();
}

async function subscribe(
  { said }: Running,
  key: string,
  stages: Stages,
  stack: AsyncDisposableStack,
): Promise<readonly { readonly items: number }[]> {
  const read = (text: string) => {
    const at = wallMs();
    const n = /\(no\. (\d+)\)/.exec(text)?.[1];
    if (n === undefined) return;
    stages.receipt(Number(n), at);
    for (const [, step, time] of text.matchAll(/"(received|scored|publish)_time":"([^"]+)"/g))
      stages.note(stepOf[step ?? ""] ?? "received", Number(n), Date.parse(time ?? ""));
  };
  const protocol = {
    port: Number(new URL(said).port),
    upgrade: () => ({ path: `/v1/stream?api_key=${key}` }),
    hello: () => JSON.stringify({ type: "subscribe" }),
    counter: (n: number) => (n % readEvery === 0 ? new ItemTexts(read) : new ItemPerMessage()),
    ready: '"type":"subscribed"',
  };
  const streams = await subscribeAll(protocol, perGateway, () => () => {});
  const gathered = streams.filter((_, n) => n % readEvery !== 0);
  for (const stream of gathered) stream.gather();
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % gatherTurns;
    for (let n = turn; n < gathered.length; n += gatherTurns) gathered[n]?.readOn();
  }, gatherMs / gatherTurns);
  stack.defer(() => {
    clearInterval(timer);
    for (const stream of streams) stream.end();
  });
  return streams;
}
