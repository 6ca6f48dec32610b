/**
 * Compares readers of feeds in one run over the same bytes: feedsmith alone and rss-parser, which assume UTF-8; Tapewire's
 * parsing (charset, repair, salvage; entries as written) and its whole adapter (items with clean text, instants, absolute
 * links and identities). Prints sums of the documents' median times. Uses the recorded feeds if present, else invented ones
 * of similar size.
 *
 *   npm run bench:feeds               [rounds] [invented] [each]
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseFeed } from "feedsmith";
import { sourceConfig } from "../server/src/config/sources.ts";
import { decodeDocument } from "../server/src/ingest/decode/decode.ts";
import { readFeedDocument } from "../server/src/ingest/sources/feed/document.ts";
import { feedAdapter } from "../server/src/ingest/sources/feed/feed.ts";
import { recordedFile, recordedPath, withRecorded } from "../server/test/support/recorded.ts";
import { type FeedFile, inventedFeeds } from "./invented-feeds.ts";

const rounds = Number(process.argv[2] ?? 30);
const warmUps = 20;
const wantsInvented = process.argv.includes("invented") || "skip" in withRecorded;
const source = sourceConfig.parse({
  id: "bench",
  name: "bench",
  provider: "bench",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

interface Document extends FeedFile {
  readonly items: number;
}

interface Reader {
  readonly name: string;
  read(document: Document): unknown;
}

const documents = readable(wantsInvented ? inventedFeeds() : recordedFeeds());
const sizeBytes = documents.reduce((sum, { body }) => sum + body.byteLength, 0);
const items = documents.reduce((sum, document) => sum + document.items, 0);
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${rounds} rounds`);
console.log(
  `${documents.length} ${wantsInvented ? "invented" : "recorded"} feeds, ${(sizeBytes / 1e6).toFixed(2)} MB, ${items} items`,
);

const utf8 = new TextDecoder();
const alone: Reader = { name: "feedsmith alone", read: ({ body }) => parseFeed(utf8.decode(body)) };
const parsing: Reader = { name: "tapewire, parsing", read: ({ body }) => readFeedDocument(body, "") };
const ours: Reader = {
  name: "tapewire, items",
  read: ({ body }) =>
    feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source),
};
report(await race([alone, parsing, ours, ...peerReaders()]));

function recordedFeeds(): FeedFile[] {
  return readdirSync(recordedPath("feeds"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(recordedPath("").length))
    .sort()
    .map((name) => ({ name, body: recordedFile(name) }));
}

/** The files that feedsmith alone can read, since documents that one reader refuses allow no comparison. */
function readable(files: readonly FeedFile[]): Document[] {
  return files.flatMap(({ name, body }) => {
    try {
      const { text } = decodeDocument(body, "");
      const { feed } = parseFeed(text);
      const list = "entries" in feed ? feed.entries : "items" in feed ? feed.items : [];
      return [{ name, body, items: list?.length ?? 0 }];
    } catch {
      return [];
    }
  });
}

/** The other project's parser, installed here when it is missing. */
function peerReaders(): Reader[] {
  const folder = join(import.meta.dirname, "peers");
  if (!existsSync(join(folder, "node_modules"))) {
    try {
      execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--workspaces=false"], {
        cwd: folder,
        stdio: "ignore",
      });
    } catch {
      console.log("rss-parser could not be installed (bench/peers); it is left out");
      return [];
    }
  }
  const Parser: unknown = createRequire(join(folder, "package.json"))("rss-parser");
  if (typeof Parser !== "function") return [];
  const parser: unknown = Reflect.construct(Parser, []);
  const parseString: unknown =
    typeof parser === "object" && parser !== null ? Reflect.get(parser, "parseString") : null;
  if (typeof parseString !== "function") return [];
  return [
    { name: "rss-parser", read: ({ body }) => Reflect.apply(parseString, parser, [utf8.decode(body)]) },
  ];
}

interface Times {
  readonly reader: Reader;
  /** Times of each document, by round. */
  readonly ofEach: ReadonlyMap<string, number[]>;
  readonly refused: Set<string>;
}

/** The readers take turns, round by round, so that other load on the machine affects all alike. */
async function race(readers: readonly Reader[]): Promise<Times[]> {
  const all = readers.map((reader) => ({
    reader,
    ofEach: new Map(documents.map(({ name }): [string, number[]] => [name, []])),
    refused: new Set<string>(),
  }));
  for (let round = -warmUps; round < rounds; round += 1)
    for (const step of all.keys()) {
      // Each reader comes first equally often.
      const times = all[(step + round + warmUps) % all.length];
      if (times !== undefined) for (const document of documents) await measure(times, document, round >= 0);
    }
  return all;
}

async function measure({ reader, ofEach, refused }: Times, document: Document, counts: boolean) {
  const started = performance.now();
  try {
    await reader.read(document);
  } catch {
    refused.add(document.name);
  }
  if (counts) ofEach.get(document.name)?.push(performance.now() - started);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The sum of the documents' medians: a pause of the machine then affects one round of one document, not the sum. */
function totalMs({ ofEach }: Times): number {
  return [...ofEach.values()].reduce((sum, values) => sum + median(values), 0);
}

function report(all: readonly Times[]): void {
  const [base, second] = all;
  if (base === undefined || second === undefined) return;
  for (const times of all) {
    const ms = totalMs(times);
    const mbPerS = (sizeBytes / 1_000 / ms).toFixed(1).padStart(6);
    const rate = String(Math.round((items / ms) * 1_000)).padStart(6);
    const ratio = (ms / totalMs(base)).toFixed(2);
    console.log(
      `${times.reader.name.padEnd(18)} ${ms.toFixed(1).padStart(7)} ms ${mbPerS} MB/s ${rate} items/s  x ${ratio}  ${times.refused.size} feeds refused`,
    );
  }
  if (process.argv.includes("each")) reportEach(base, second);
}

function reportEach(base: Times, second: Times): void {
  for (const { name, items: count } of documents) {
    const [a, b] = [base, second].map(({ ofEach }) => median(ofEach.get(name) ?? []));
    if (a === undefined || b === undefined) continue;
    const cells = [`${count} items`, `${a.toFixed(2)} ms`, `${b.toFixed(2)} ms`, `x ${(b / a).toFixed(2)}`];
    console.log(`${name.padEnd(60)} ${cells.map((cell) => cell.padStart(10)).join("")}`);
  }
}
