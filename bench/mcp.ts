/**
 * Calls of tools over HTTP by the official client, one after another, on a store of generated items: the time of a call as
 * the client sees it, beside the request of the interface that the tool makes.
 *
 *   node bench/mcp.ts [items, default 100000]      PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Tapewire } from "tapewire";
import { restDatabase } from "./rest-database.ts";
import { startTapewire } from "./rest-servers.ts";
import { machineLine } from "./server-process.ts";

const items = Number(process.argv[2] ?? 100_000);
const calls = 200;
const warmUp = 50;

const databaseUrl = await restDatabase(items);
await using server = await startTapewire({ databaseUrl, indexCacheMegabytes: null });
const { base, key } = server;
const tapewire = new Tapewire({ baseUrl: base, key });
const [newest] = (await tapewire.feeds.page({ limit: 1 })).items;
if (newest === undefined) throw new Error("the database has no items");
const symbol = newest.symbols[0]?.symbol ?? "NASDAQ:AAPL";
const until = (n: number) => new Date(Date.parse(newest.published_at) - n * 60_000).toISOString();

const requestInit = { headers: { authorization: `Bearer ${key}` } };
const address = new URL(`${base}/mcp`);
const modern = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
await modern.connect(new StreamableHTTPClientTransport(address, { requestInit }));
const older = new OlderClient({ name: "bench", version: "1" });
const link = new OlderTransport(address, { requestInit });
await older.connect(link as Parameters<typeof older.connect>[0]);

type Args = Record<string, unknown>;
const tools: readonly (readonly [string, (n: number) => Args])[] = [
  ["search_feed", (n) => ({ until: until(n), limit: 10 })],
  ["get_item", () => ({ id: newest.id })],
  ["explain_item", () => ({ id: newest.id })],
  ["symbol_overview", () => ({ symbol })],
  ["feed_stats", () => ({ by: "source", until: newest.published_at })],
  ["score_text", (n) => ({ title: `Obtainex raises guidance ${n}`, body: "Obtainex raised its guidance." })],
  ["list_values", () => ({ kind: "events" })],
];

console.log(`${machineLine()}\n${items} items; ms of a call as the client sees it, p50 / p99 of ${calls}\n`);
console.log(`${"tool".padEnd(18)}2026-07-28       2025-11-25`);
for (const [name, argsOf] of tools) {
  const ask = (client: "modern" | "older") => async (n: number) => {
    const call = { name, arguments: argsOf(n) };
    const result = client === "modern" ? await modern.callTool(call) : await older.callTool(call);
    if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  };
  console.log(`${name.padEnd(18)}${(await times(ask("modern"))).padEnd(17)}${await times(ask("older"))}`);
}
const scored = (n: number) =>
  tapewire.score({ type: "news", title: `Obtainex cuts guidance ${n}`, body: "It cut it." });
console.log(`\n${"POST /v1/score".padEnd(18)}${await times(scored)}`);
console.log(
  `${"GET /v1/feeds".padEnd(18)}${await times((n) => tapewire.feeds.page({ until: until(n), limit: 10 }))}`,
);
await modern.close();
await older.close();

async function times(call: (n: number) => Promise<unknown>): Promise<string> {
  const took: number[] = [];
  for (let n = 0; n < warmUp + calls; n++) {
    const begun = performance.now();
    await call(n);
    if (n >= warmUp) took.push(performance.now() - begun);
  }
  took.sort((a, b) => a - b);
  const at = (part: number) => (took[Math.floor(part * took.length)] ?? 0).toFixed(1);
  return `${at(0.5)} / ${at(0.99)}`;
}
