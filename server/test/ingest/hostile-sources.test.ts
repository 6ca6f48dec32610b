import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type SourceHealth, sourceHealthList } from "@tapewire/contract/admin.ts";
import { anyDatabase } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { spawnService, temporaryFolder, writeSources } from "../support/process.ts";

const adminToken = "tw_admin_for_tests_only";
const item = (n: number) => `<item><title>Halvorn Biotech update ${n}</title><guid>hb-${n}</guid></item>`;
const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => item(from + n)).join("");
const rss = (inside: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;

/** 300 MB of one item's text. Compressed piece by piece: gzip members one after another are one gzip file. */
const megabyte = gzipSync(Buffer.alloc(1 << 20, "a "), { level: 9 });
const bomb = Buffer.concat([
  gzipSync(`<?xml version="1.0"?><rss version="2.0"><channel><item><title>`),
  ...Array.from({ length: 300 }, () => megabyte),
]);

const entityBomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 12 },
  (_, n) => `<!ENTITY ${String.fromCharCode(98 + n)} "${`&${String.fromCharCode(97 + n)};`.repeat(10)}">`,
).join("")}]><rss version="2.0"><channel><item><title>&m;</title><guid>bomb</guid></item></channel></rss>`;

const redirect = (location: string): RequestListener => {
  return (_, response) => response.writeHead(302, { location }).end();
};
const text = (body: () => string): RequestListener => {
  return (_, response) => response.end(body());
};

/** What each hostile source answers, and what its health says then; null: that it can be read. */
const hostile: Readonly<Record<string, readonly [RequestListener, RegExp | null]>> = {
  gzip: [
    (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    /larger than 15728640 bytes/,
  ],
  title: [text(() => rss(`<item><title>${"word ".repeat(10 << 20)}</title></item>`)), /larger than/],
  entities: [text(() => entityBomb), null],
  nesting: [
    text(() => rss(`<item><title>x</title>${"<b>".repeat(40_000)}${"</b>".repeat(40_000)}</item>`)),
    /cannot be read/,
  ],
  cut: [text(() => rss(items(1000, 1010)).split("update 1007")[0] ?? ""), null],
  page: [text(() => "<!doctype html><html><title>Sign in</title></html>"), /HTML page/],
  blocked: [
    (_, response) => response.writeHead(403).end("<html><title>Access\n Denied</title></html>"),
    /^HTTP 403: Access Denied$/,
  ],
  circle: [redirect("/circle"), /redirects in a circle/],
  "to-loopback": [redirect("http://127.0.0.2:9/"), /public addresses only/],
  "to-metadata": [redirect("http://169.254.169.254/latest/meta-data/"), /public addresses only/],
  "to-decimal": [redirect("http://2130706433:9/"), /public addresses only/],
  "to-mapped": [redirect("http://[::ffff:127.0.0.1]:9/"), /public addresses only/],
  reset: [
    (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("<rss>");
      setTimeout(() => response.destroy(), 20);
    },
    /./,
  ],
  headers: [(_, response) => response.writeHead(200, { "x-long": "x".repeat(200_000) }).end(), /[Hh]eaders/],
};

test("hostile answers end in their sources' health, and cost neither memory nor the other sources", async (context) => {
  let isHostile = false;
  let polls = 0;
  let dropping = false;
  let pollsBesideDrops = 0;
  const asked = new Map<string, number>();
  await using stack = new AsyncDisposableStack();
  // A host each: politeness is per host, and the others are not to hold up the good one.
  const serve = async (listener: RequestListener) => stack.use(await listenLocally(listener)).origin;
  const ids = Object.keys(hostile);
  const urls = await Promise.all([
    serve((_, response) => {
      polls += 1;
      pollsBesideDrops += dropping ? 1 : 0;
      response.end(rss(items(0, 3 + polls)));
    }),
    serve((_, response) => {
      dropping = true;
      response.on("close", () => {
        dropping = false;
      });
      response.writeHead(200).write("<rss>");
    }),
    ...Object.entries(hostile).map(([id, [listener]]) =>
      serve((request, response) => {
        if (!isHostile) return response.end(rss(""));
        asked.set(id, (asked.get(id) ?? 0) + 1);
        return listener(request, response);
      }),
    ),
  ]);
  using folder = temporaryFolder();
  const source = { provider: "recorded", format: "feed", interval_s: 1, requests_per_s: 100 };
  const sourceOf = (id: string, index: number) => ({ ...source, id, name: id, url: `${urls[index]}/${id}` });
  await using database = await anyDatabase(folder.path);
  await using service = await spawnService({
    ...database.env,
    TAPEWIRE_ADMIN_TOKEN: adminToken,
    TAPEWIRE_SOURCES: writeSources(folder.path, ["good", "drops", ...ids].map(sourceOf)),
  });
  const until = (done: (all: Healths) => boolean) => healthsWhen(service.url, done);
  // A source that is asked again has been read before.
  const isDone = (id: string, health: SourceHealth | undefined) =>
    hostile[id]?.[1] === null ? (asked.get(id) ?? 0) > 1 : typeof health?.last_error === "string";
  const goodItems = (all: Healths) => all.get("good")?.items ?? 0;
  await until((all) => goodItems(all) >= 5);
  const before = resetPeak(service.child.pid);
  isHostile = true;
  await until((all) => ids.every((id) => isDone(id, all.get(id))));
  const soFar = polls;
  const all = await until((later) => goodItems(later) >= 3 + soFar + 1);

  const told = lastErrors(all);
  assert.equal(all.get("cut")?.items, 7, "the complete items of the cut feed");
  assert.equal(all.get("good")?.failures, 0);
  assert.ok(pollsBesideDrops > 1, "a source that keeps silent held up another");
  const grownMb = peakMb(service.child.pid) - before;
  context.diagnostic(`peak memory grew by ${grownMb} MB`);
  context.diagnostic(JSON.stringify(Object.fromEntries(told)));
  // Two threads that read large answers are begun meanwhile; one bomb alone would be hundreds.
  if (before > 0) assert.ok(grownMb < 200, `grew by ${grownMb} MB`);
});

type Healths = ReadonlyMap<string, SourceHealth>;

/** The health of every source, as soon as it is as wanted. */
async function healthsWhen(url: string, done: (all: Healths) => boolean): Promise<Healths> {
  for (;;) {
    const headers = { authorization: `Bearer ${adminToken}` };
    const response = await fetch(`${url}/admin/v1/sources`, { headers });
    const all = new Map(sourceHealthList.parse(await response.json()).data.map((one) => [one.id, one]));
    if (done(all)) return all;
    await delay(50);
  }
}

/** What each hostile source's health tells of its last answer, which is what is wanted of it. */
function lastErrors(all: Healths): (readonly [id: string, error: string | null])[] {
  const told = Object.keys(hostile).map((id) => [id, all.get(id)?.last_error ?? null] as const);
  for (const [id, error] of told) {
    const want = hostile[id]?.[1] ?? null;
    if (want === null) assert.equal(error, null, id);
    else assert.match(error ?? "none", want, id);
  }
  return told;
}

/** MB; 0 where the system does not tell. */
function peakMb(pid: number | undefined): number {
  try {
    return Math.round(
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    );
  } catch {
    return 0;
  }
}

function resetPeak(pid: number | undefined): number {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return peakMb(pid);
  } catch {
    return 0;
  }
}
