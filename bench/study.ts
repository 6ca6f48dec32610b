/**
 * `node bench/study.ts [--items 1000000]`: `tapewire study` over a file of items as `tail --replay --json` writes it, beside
 * reading and parsing the same file alone. Prices are daily closes of the same companies.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { entryOf, generator } from "../cli/test/study/world.ts";

const { values } = parseArgs({ options: { items: { type: "string", default: "1000000" } } });
const items = Number(values.items);
const companies = 500;
const days = 365;
const startMs = Date.parse("2025-01-01T21:00:00Z");
const dayMs = 86_400_000;
const cli = join(import.meta.dirname, "..", "cli", "src", "main.ts");

async function write(path: string, lines: Iterable<string>): Promise<void> {
  const file = createWriteStream(path);
  for (const line of lines) if (!file.write(line)) await once(file, "drain");
  file.end();
  await once(file, "close");
}

/** Lines of 1.5 kB, as items have; what fills them is not studied. */
function* itemLines(): Generator<string> {
  const random = generator(1);
  const comment = "The company reports what it reports, and says why. ".repeat(20);
  for (let at = 0; at < items; at += 1) {
    const symbol = `DEMO:C${Math.floor(random() * companies)}`;
    const atMs = startMs + (40 + ((days - 50) * at) / items) * dayMs;
    const direction = Math.floor(random() * 11) - 5;
    const entry = entryOf({ id: `item ${at}`, symbol, atMs, direction, score: Math.floor(random() * 101) });
    const scoring = { ...entry.data.scoring, actionability_comment: comment };
    yield `${JSON.stringify({ ...entry, data: { ...entry.data, title: `Item ${at} of ${symbol}`, scoring } })}\n`;
  }
}

function* priceLines(): Generator<string> {
  const random = generator(2);
  const prices = new Float64Array(companies).fill(100);
  yield "time,symbol,price\n";
  for (let day = 0; day < days; day += 1)
    for (const at of prices.keys()) {
      prices[at] = (prices[at] ?? 0) * (0.98 + 0.0402 * random());
      yield `${new Date(startMs + day * dayMs).toISOString()},DEMO:C${at},${prices[at]?.toFixed(4)}\n`;
    }
}

async function parseAlone(path: string): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(path) })) JSON.parse(line);
}

async function seconds(work: () => unknown): Promise<number> {
  const startAt = performance.now();
  await work();
  return (performance.now() - startAt) / 1_000;
}

using folder = mkdtempDisposableSync(join(tmpdir(), "tapewire-bench-study-"));
const itemsPath = join(folder.path, "items.ndjson");
const pricesPath = join(folder.path, "prices.csv");
await write(itemsPath, itemLines());
await write(pricesPath, priceLines());
const parsing = await seconds(() => parseAlone(itemsPath));
const args = [cli, "study", "--items", itemsPath, "--prices", pricesPath, "--json"];
const studying = await seconds(() =>
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }),
);
console.log(`${items} items, ${companies * days} prices`);
console.log(
  `reading and parsing alone ${parsing.toFixed(1)} s; study ${studying.toFixed(1)} s (${(studying / parsing).toFixed(1)} x)`,
);
