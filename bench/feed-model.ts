/**
 * How long items of the feed wait for pro, and who scores them, at an even rate on two cores that the service shares with
 * the pushes, as on a small machine, after three seconds that are not counted (code and heap are still growing then): `node bench/feed-model.ts [SECONDS [ITEMS_PER_SECOND]]`. Embedded database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createdKey, pushAnswer } from "@tapewire/contract/admin.ts";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import { request } from "undici";
import { admin, adminToken, percentiles } from "./pushes.ts";
import { cpuMsOf, machineLine, type Running, rssBytesOf, serviceArgs, start } from "./server-process.ts";
import { barLines } from "./stream-report.ts";

const [seconds = 60, perSecond = 20] = process.argv.slice(2).map(Number);
const mostWaitMs = 100;
const warmUpSeconds = 3;
const names = ["Orbitex Robotics", "Brightwick Foods", "Tarn Avionics", "Velmark Energy", "Halvorn"];
const lead =
  "now expects revenue of $350 million this year, up from $310 million, as orders come in faster than planned. The company said that demand from its largest customers had risen in every region, and that it would open a second plant in the autumn. Operating expenses will grow more slowly than sales. ";

interface Kind {
  readonly name: string;
  /** Of twenty items. */
  readonly share: number;
  readonly of: (name: string, rival: string, n: number) => { title: string; body: string; type: string };
}
const kinds: readonly Kind[] = [
  {
    name: "headline",
    share: 8,
    of: (name, _, n) => ({
      title: `${name} raises its outlook for the year by ${n}%`,
      body: "",
      type: "news",
    }),
  },
  {
    name: "headline on two companies",
    share: 4,
    of: (name, rival, n) => ({
      title: `${name} takes order no. ${n} from ${rival}, shares fall`,
      body: "",
      type: "news",
    }),
  },
  {
    name: "headline with a lead",
    share: 6,
    of: (name, _, n) => ({
      title: `${name} lifts guidance, order ${n}`,
      body: `${name} ${lead}${lead}`.slice(0, 600),
      type: "news",
    }),
  },
  {
    name: "filing of 30 kB",
    share: 2,
    of: (name, _, n) => ({
      title: `8-K - ${name}, report ${n}`,
      body: `Item 2.02 Results of operations\n${`${name} ${lead}`.repeat(120)}`.slice(0, 30_000),
      type: "filing",
    }),
  },
];
const turns = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));

function itemOf(n: number) {
  const kind = turns[(n * 7) % turns.length] ?? kinds[0];
  const [name = "", rival = ""] = [names[n % names.length], names[(n + 1) % names.length]];
  return { ...kind?.of(name, rival, n), kind: kind?.name ?? "" };
}

async function startService(folder: string): Promise<Running> {
  return start({
    command: [process.execPath, ...serviceArgs],
    env: {
      TAPEWIRE_PORT: "0",
      TAPEWIRE_DATA_DIR: join(folder, "data"),
      TAPEWIRE_DEMO: "off",
      TAPEWIRE_SOURCES: join(import.meta.dirname, "..", "server", "test", "support", "no-sources.json"),
      TAPEWIRE_ADMIN_TOKEN: adminToken,
      TAPEWIRE_FEED_MODEL: "pro",
      TAPEWIRE_LOG_LEVEL: "warn",
    },
    listening: /base_url {2}(\S+)[\s\S]*Try:/,
    cores: "0,1",
  });
}

interface Scored {
  readonly kind: string;
  readonly model: string;
  /** From first sight until it is scored: flash, and the wait for pro. */
  readonly tookMs: number;
}

async function read(base: string, key: string, id: string, kind: string): Promise<Scored> {
  const { body } = await request(`${base}/v1/feeds/${id}`, { headers: { authorization: `Bearer ${key}` } });
  const { scraped_at, scoring } = feedItemDetail.parse(await body.json());
  const tookMs = Date.parse(scoring.scored_at ?? scraped_at) - Date.parse(scraped_at);
  return { kind, model: scoring.model ?? "none", tookMs };
}

/** @returns ids of the items, with their kinds */
async function pushAll(base: string, seconds: number, from = 0): Promise<{ id: string; kind: string }[]> {
  const began = performance.now();
  const pushed: Promise<{ id: string; kind: string }>[] = [];
  while (pushed.length < seconds * perSecond) {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    while (pushed.length < Math.min(due, seconds * perSecond)) {
      const { kind, ...item } = itemOf(from + pushed.length);
      const one = { ...item, external_id: `bench-${from + pushed.length}` };
      pushed.push(
        admin(base, "/admin/v1/items", [one]).then((answer) => ({
          id: pushAnswer.parse(answer).data[0]?.id ?? "",
          kind,
        })),
      );
    }
    await pause(2);
  }
  return Promise.all(pushed);
}

/** Lines of /metrics that begin so. */
async function metricsOf(base: string, start: string): Promise<string[]> {
  const { body } = await request(`${base}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } });
  return (await body.text()).split("\n").filter((line) => line.startsWith(start));
}

async function waitsUntilReady(base: string): Promise<void> {
  while ((await metricsOf(base, "tapewire_pro_threads "))[0]?.endsWith(" 0") ?? true) await pause(200);
}

/** The numbers of waits for pro so far: those of more than the most, and all. */
async function waitsFor(base: string): Promise<{ longer: number; all: number }> {
  const value = async (name: string) => {
    const [line = ""] = await metricsOf(base, `tapewire_feed_pro_wait_seconds_${name} `);
    return Number(line.split(" ").at(-1));
  };
  const all = await value("count");
  return { longer: all - (await value(`bucket{le="${mostWaitMs / 1_000}"}`)), all };
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
try {
  console.log(machineLine());
  await using service = await startService(folder);
  const { pid, said: base } = service;
  const { key } = createdKey.parse(await admin(base, "/admin/v1/keys", { plan: "enterprise" }));
  await waitsUntilReady(base);
  await pushAll(base, warmUpSeconds);
  const before = await waitsFor(base);
  const [cpuMs, beganMs] = [cpuMsOf(pid), performance.now()];
  const ids = await pushAll(base, seconds, warmUpSeconds * perSecond);
  const cores = (cpuMsOf(pid) - cpuMs) / (performance.now() - beganMs);
  const scored: Scored[] = [];
  for (const { id, kind } of ids) scored.push(await read(base, key, id, kind));
  console.log(
    `\n${perSecond} items/s for ${seconds} s        items  by pro   first sight to scored, ms   p50   p99   most`,
  );
  for (const name of [...kinds.map((kind) => kind.name), "all"]) {
    const some = scored.filter(({ kind }) => name === "all" || kind === name);
    const share = some.filter(({ model }) => model === "pro").length / some.length;
    const times = some.map(({ tookMs }) => tookMs);
    const { p50, p99 } = percentiles(times);
    const figures = [p50, p99, Math.max(...times)].map((value) => value.toFixed(0).padStart(6)).join("");
    console.log(
      `${name.padEnd(26)} ${String(some.length).padStart(8)} ${`${(100 * share).toFixed(0)} %`.padStart(7)} ${" ".repeat(25)}${figures}`,
    );
  }
  const outcomes = await metricsOf(base, "tapewire_feed_pro_total");
  const after = await waitsFor(base);
  console.log(
    `\nwith the warm-up:\n${outcomes.join("\n")}\n\n${after.all - before.all} waits for pro, ${cores.toFixed(2)} cores and ${megabytes(rssBytesOf(pid))} of the service`,
  );
  const value = after.longer - before.longer;
  const bars = [{ name: `waits for pro of more than ${mostWaitMs} ms`, value, atMost: 0 }];
  console.log(["", ...barLines(bars), "", machineLine()].join("\n"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
