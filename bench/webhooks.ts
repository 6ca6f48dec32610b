/**
 * Deliveries to webhook endpoints, from the log to a verified receipt: the service as an operator starts it, on the embedded
 * database and on PostgreSQL; and for comparison, in the same run, on the same core, with the same bodies, keys and
 * receivers, undici sending signed requests and nothing else. Then with 2 % of the endpoints dead: they answer a few
 * requests, and then accept requests without ever answering.
 *
 * The database would not append as fast as deliveries are made, so items are appended beforehand, through the sequencer,
 * while the service is down: it starts behind and delivers what it finds in the log. Latency is measured live, from a push
 * to its receipts. The sender runs on the first core, the receivers on the second, PostgreSQL on either.
 *
 *   npm run bench:webhooks            PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432, when one answers
 *     --quick            fewer items, one round
 *     --engine pglite    or postgres: that one only
 *     --endpoints 1,100  only these
 *     --wait 60          waits up to that many seconds for a quiet second before each measurement, on a shared machine
 *     --json             results as a file in bench/results too
 *     --prof             the service under --cpu-prof, into bench/results
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type EngineName, postgresUrl } from "../server/test/support/db.ts";
import { isPinned, machineLine, runPinned, start } from "./server-process.ts";
import { bodyBytes, matchesPerItem, preparedDeliveries } from "./webhook-items.ts";
import {
  allArrived,
  type LatencyResult,
  latencyOf,
  quietMoment,
  type RateResult,
  rateOf,
} from "./webhook-measure.ts";
import {
  barLines,
  barsOf,
  type DeadResult,
  latencyLine,
  type Measured,
  median,
  type Round,
  rateHead,
  rateLine,
} from "./webhook-report.ts";
import { Service, type Target } from "./webhook-service.ts";
import { Sink } from "./webhook-sink.ts";

const { values: given } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    engine: { type: "string", default: "pglite,postgres" },
    endpoints: { type: "string", default: "1,100,1000" },
    wait: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
    prof: { type: "boolean", default: false },
  },
});
const barSize = 1_000;
/** Deliveries of a round. */
const volume: Readonly<Record<number, number>> = given.quick
  ? { 1: 4_000, 100: 40_000, 1000: 60_000 }
  : { 1: 12_000, 100: 150_000, 1000: 200_000 };
const rounds = given.quick ? 1 : 3;
/** As many as the service has in flight: four per endpoint, 512 in all. */
const inFlight = (endpoints: number) => Math.min(512, 4 * endpoints);
const isDead = (endpoint: number) => endpoint % 50 === 7;
const moderate = { itemsPerSecond: 40, ms: given.quick ? 3_000 : 10_000 };
const quiet = () => quietMoment(Number(given.wait), 0.3);
const results = join(import.meta.dirname, "results");

if (isPinned()) await measure();
else process.exitCode = runPinned();

async function measure(): Promise<void> {
  console.log(
    `${machineLine()}\nbodies of ${bodyBytes} bytes; below ${barSize} endpoints each gets every item,`,
  );
  console.log(`from there each item goes to ${matchesPerItem(barSize)} of them, by filter\n\n${rateHead}`);
  const all: Measured[] = [];
  for (const engine of ["pglite", "postgres"] as const)
    if (!given.engine.split(",").includes(engine)) continue;
    else if (engine === "postgres" && postgresUrl === null) console.log("PostgreSQL: none found");
    else all.push(await measureEngine(engine));
  console.log("");
  for (const measured of all)
    if (measured.rounds.has(barSize))
      console.log(barLines(measured.engine, barsOf(measured, barSize)).join("\n"));
  console.log(`\n${machineLine()}`);
  if (given.json) save(all);
}

async function measureEngine(engine: EngineName): Promise<Measured> {
  const measured = new Map<number, Round[]>();
  let dead: DeadResult | null = null;
  for (const endpoints of given.endpoints.split(",").map(Number)) {
    await using sink = await Sink.start();
    await using service = await Service.create(engine, given.prof ? profiled(engine, endpoints) : () => []);
    await service.start();
    const targets = await service.makeEndpoints(endpoints, sink);
    const done: Round[] = [];
    for (let round = 0; round < rounds; round++)
      done.push(await measureRound({ engine, service, sink, targets }));
    measured.set(endpoints, done);
    if (endpoints === barSize) dead = await measureDead({ engine, service, sink, targets });
  }
  return { engine, rounds: measured, dead };
}

interface Setting {
  readonly engine: EngineName;
  readonly service: Service;
  readonly sink: Sink;
  readonly targets: readonly Target[];
}

async function measureRound(setting: Setting): Promise<Round> {
  const { engine, sink, targets } = setting;
  const ours = await catchUp(setting, () => true);
  console.log(rateLine(engine, targets.length, "tapewire", ours));
  const raw = await rawLimit(sink, targets);
  console.log(rateLine(engine, targets.length, "undici, signed", raw));
  return { ours, raw };
}

/** Appends enough items for the volume while the service is down; then it delivers them. */
async function catchUp(
  { service, sink, targets }: Setting,
  isHealthy: (endpoint: number) => boolean,
): Promise<RateResult> {
  const { length } = targets;
  await service.stop();
  const items = Math.round((volume[length] ?? 40_000) / matchesPerItem(length));
  await service.append(items);
  sink.reset();
  const healthy = targets.filter((_, endpoint) => isHealthy(endpoint)).length;
  const expected = Math.round((items * matchesPerItem(length) * healthy) / length);
  await quiet();
  await service.start();
  const rate = await rateOf(sink, expected, service.pid);
  await allArrived(sink, expected);
  return rate;
}

async function rawLimit(sink: Sink, targets: readonly Target[]): Promise<RateResult> {
  await quiet();
  await using raw = await start({
    command: [process.execPath, join(import.meta.dirname, "webhook-raw.ts")],
    listening: /(raw ready)/,
  });
  sink.reset();
  const deliveries = preparedDeliveries(1_000);
  raw.tell(JSON.stringify({ targets, deliveries, inFlight: inFlight(targets.length) }));
  return await rateOf(sink, volume[targets.length] ?? 40_000, raw.pid);
}

async function measureDead(setting: Setting): Promise<DeadResult> {
  const { engine, service, sink, targets } = setting;
  const isHealthy = (endpoint: number) => !isDead(endpoint);
  const rateText = `${engine}, ${moderate.itemsPerSecond * matchesPerItem(targets.length)}/s, push to receipt`;
  const before = await latency(setting, isHealthy);
  console.log(latencyLine(rateText, before));
  await service.stop();
  sink.kill(isDead);
  const rate = await catchUp(setting, isHealthy);
  console.log(rateLine(engine, targets.length, "tapewire, 2 % dead", rate));
  const after = await latency(setting, isHealthy);
  console.log(latencyLine(`${rateText}, 2 % dead`, after));
  return { rate, before, after };
}

/** The round with the median p99. */
async function latency(setting: Setting, isHealthy: (endpoint: number) => boolean): Promise<LatencyResult> {
  const done: LatencyResult[] = [];
  for (let round = 0; round < 3; round++) {
    await quiet();
    done.push(await latencyOf(setting, { ...moderate, isHealthy }));
  }
  return median(done, ({ p99Ms }) => p99Ms);
}

/** A profile for each start. */
function profiled(engine: string, endpoints: number): (run: number) => string[] {
  mkdirSync(results, { recursive: true });
  const name = (run: number) => `webhooks-${engine}-${endpoints}-${run}.local.cpuprofile`;
  return (run) => ["--cpu-prof", `--cpu-prof-dir=${results}`, `--cpu-prof-name=${name(run)}`];
}

function save(all: readonly Measured[]): void {
  mkdirSync(results, { recursive: true });
  const path = join(results, "webhooks.local.json");
  const plain = all.map(({ rounds: done, ...rest }) => ({ ...rest, rounds: Object.fromEntries(done) }));
  writeFileSync(path, `${JSON.stringify({ machine: machineLine(), all: plain }, null, 2)}\n`);
  console.log(`written to ${path}`);
}
