/**
 * GET /v1/feeds over a million items: every filter shape with the index in the cache, and hardly any of it; and
 * for comparison, in the same run, on the same core, over the same bytes, node:http sending a prepared page, and PostGraphile
 * over the same database. Servers run on the first core, under load one at a time, this process on the second, the database
 * on either.
 *
 *   npm run bench:rest               PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432
 *     --quick    shorter phases      --json     results as a file in bench/results too
 *     --items N  another number      --drop     drops the database of the items, which is kept between runs, and ends
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dropRestDatabase, restDatabase } from "./rest-database.ts";
import { itemAt } from "./rest-items.ts";
import { drive, type LoadResult, timeOne } from "./rest-load.ts";
import {
  type Bar,
  barLines,
  cpuRatioOf,
  type Duel,
  duelLines,
  ratioOf,
  type ShapeResult,
  shapeLines,
} from "./rest-report.ts";
import { type Running, startBare, startPostgraphile, startTapewire } from "./rest-servers.ts";
import { neverTheSame, shapes } from "./rest-shapes.ts";
import { isPinned, machineLine, runPinned } from "./server-process.ts";

const connections = 16;
const { values: given } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    drop: { type: "boolean", default: false },
    items: { type: "string", default: "1000000" },
  },
});
const items = Number(given.items);
const phase = given.quick ? { warmUpMs: 300, measuredMs: 1_000 } : { warmUpMs: 1_000, measuredMs: 4_000 };

if (given.drop) await dropRestDatabase(items);
else if (isPinned()) await measure();
else {
  await restDatabase(items);
  process.exitCode = runPinned();
}

async function measure(): Promise<void> {
  const databaseUrl = await restDatabase(items);
  const machine = machineLine();
  console.log(`${machine}\n${items} items, ${connections} connections, ${phase.measuredMs} ms each\n`);
  const cold = await (async () => {
    await using server = await startTapewire({ databaseUrl, indexCacheMegabytes: 1 });
    return await overShapes(server);
  })();
  await using server = await startTapewire({ databaseUrl, indexCacheMegabytes: null });
  const warm = await overShapes(server);
  console.log(shapeLines(warm, cold).join("\n"));
  const cached = await againstBare(server);
  const uncached = await againstPostgraphile(server, databaseUrl);
  const bars = barsOf({ cold, warm, cached, uncached });
  console.log(["", ...duelLines(cached, uncached), "", ...barLines(bars)].join("\n"));
  if (given.json) save({ machine, items, connections, phase, cold, warm, cached, uncached, bars });
}

function get(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** The path of a page that was never requested before: its `until` is another instant for every n. */
function freshPath(query: string, n: number): string {
  const parameters = new URLSearchParams(query);
  const until = Date.parse(parameters.get("until") ?? "2026-11-05T00:00:00Z");
  parameters.set("until", new Date(until + n).toISOString());
  return `/v1/feeds?${parameters.toString()}`;
}

type Tapewire = Awaited<ReturnType<typeof startTapewire>>;

async function overShapes(server: Tapewire): Promise<ShapeResult[]> {
  const results: ShapeResult[] = [];
  const run = async (name: string, path: (n: number) => string) => {
    let asked = 0;
    const contender = { server, request: () => get(path(asked++), server.key) };
    const firstMs = await timeOne(server.base, contender.request());
    const alone = await load(contender, 1, { warmUpMs: 200, measuredMs: phase.measuredMs / 2 });
    results.push({ name, firstMs, aloneMs: alone.p50Ms, loaded: await load(contender) });
  };
  for (const { name, query } of shapes) await run(name, (n) => freshPath(query, n));
  await run("never the same filter", (n) => freshPath(neverTheSame(n), n));
  await run("one item by its id", (n) => `/v1/feeds/${itemAt((n * 7919) % items, items).id}`);
  return results;
}

/** The page that every client requests first, repeatedly; and the same bytes by node:http. */
async function againstBare(server: Tapewire): Promise<Duel> {
  const path = "/v1/feeds?limit=50";
  const response = await fetch(server.base + path, {
    headers: { authorization: `Bearer ${server.key}`, "accept-encoding": "identity" },
  });
  const body = await response.text();
  // node:http adds these itself.
  const own = ["date", "connection", "keep-alive", "content-length", "transfer-encoding"];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.includes(name)));
  await using bare = await startBare({ body, headers });
  const request = () => get(path, server.key);
  return await duel({ server, request }, { server: bare, request });
}

/**
 * A new page, against the newest 50 items from PostGraphile, whole and as JSON; and the same of one source.
 * @returns null when it is not installed and cannot be
 */
async function againstPostgraphile(
  server: Tapewire,
  databaseUrl: string,
): Promise<{ newest: Duel; bySource: Duel } | null> {
  await using peer = await startPostgraphile(databaseUrl);
  if (peer === null) return null;
  const post = (condition: string) => {
    const query = `{allItems(first:50,orderBy:[PUBLISHED_AT_DESC]${condition}){nodes{doc}pageInfo{endCursor}}}`;
    const body = JSON.stringify({ query });
    return () =>
      `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  let asked = 1_000_000;
  const fresh = (query: string) => () => get(freshPath(query, asked++), server.key);
  const against = (query: string, condition: string) =>
    duel({ server, request: fresh(query) }, { server: peer, request: post(condition) });
  return {
    newest: await against("limit=50", ""),
    bySource: await against("limit=50&aggregator=wire-07", ',condition:{source:"wire-07"}'),
  };
}

interface Contender {
  readonly server: Running;
  readonly request: (n: number) => string;
}

/** The two take turns, so that other load affects both; returns the round with the median ratio. */
async function duel(ours: Contender, theirs: Contender): Promise<Duel> {
  const rounds: Duel[] = [];
  for (let round = 0; round < 5; round++) rounds.push({ ours: await load(ours), theirs: await load(theirs) });
  const sorted = rounds.sort((a, b) => ratioOf(a) - ratioOf(b));
  const median = sorted[2];
  if (median === undefined) throw new Error("no rounds");
  return median;
}

function load(
  { server, request }: Contender,
  count = connections,
  times: { warmUpMs: number; measuredMs: number } = phase,
): Promise<LoadResult> {
  return drive({ base: server.base, request, connections: count, ...times }, server.cpuMs);
}

function barsOf(run: {
  cold: readonly ShapeResult[];
  warm: readonly ShapeResult[];
  cached: Duel;
  uncached: { newest: Duel } | null;
}): Bar[] {
  const worst = (results: readonly ShapeResult[], of: (result: ShapeResult) => number) =>
    Math.max(...results.map(of));
  const refused = [...run.cold, ...run.warm].reduce((sum, { loaded }) => sum + loaded.refused, 0);
  const lists = (results: readonly ShapeResult[]) => results.slice(0, shapes.length);
  const bars: Bar[] = [
    {
      name: "warm: slowest p99 of a list, ms",
      value: worst(lists(run.warm), ({ loaded }) => loaded.p99Ms),
      atMost: 15,
    },
    {
      name: "warm: most CPU of a request, ms",
      value: worst(run.warm, ({ loaded }) => loaded.cpuMsPerRequest),
      atMost: 5,
    },
    {
      name: "cold: slowest p50 alone, ms",
      value: worst(lists(run.cold), ({ aloneMs }) => aloneMs),
      atMost: 100,
    },
    { name: "answers other than 200", value: refused + run.cached.ours.refused, atMost: 0 },
    {
      name: "cached page / node:http",
      value: ratioOf(run.cached),
      atLeast: 0.6,
      byCpu: cpuRatioOf(run.cached),
    },
  ];
  if (run.uncached !== null)
    bars.push({
      name: "uncached page / PostGraphile",
      value: ratioOf(run.uncached.newest),
      atLeast: 8,
      byCpu: cpuRatioOf(run.uncached.newest),
    });
  return bars;
}

function save(results: object): void {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "rest.local.json");
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`\nwritten to ${path}`);
}
