import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type SourceHealth, sourceHealthList } from "@tapewire/contract/admin.ts";
import { listenLocally } from "../support/http.ts";
import { spawnService, temporaryFolder, writeSources } from "../support/process.ts";

const adminToken = "tw_admin_for_tests_only";
const item = (n: number) => `<item><title>Halvorn Biotech update ${n}</title><guid>hb-${n}</guid></item>`;
const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => item(from + n)).join("");
const rss = (inside: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;

/** 300 MB of one item's text. Compressed piece by piece: gzip members one after another are one gzip file. */
function gzipBomb(): Buffer {
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024, "a "), { level: 9 });
  const head = gzipSync(`<?xml version="1.0"?><rss version="2.0"><channel><item><title>`);
  return Buffer.concat([head, ...Array.from({ length: 300 }, () => megabyte)]);
}

const entityBomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 12 },
  (_, n) => `<!ENTITY ${String.fromCharCode(98 + n)} "${`&${String.fromCharCode(97 + n)};`.repeat(10)}">`,
).join("")}]><rss version="2.0"><channel><item><title>&m;</title><guid>bomb</guid></item></channel></rss>`;

test("a 300 MB gzip bomb, an entity bomb and a cut feed cost neither memory nor the other sources", async (context) => {
  const gate = Promise.withResolvers<void>();
  const served = { good: 0 };
  const answer: RequestListener = async (request, response) => {
    if (request.url === "/good") {
      served.good += 1;
      return response.end(rss(items(0, 3 + served.good)));
    }
    await gate.promise;
    if (request.url === "/gzip")
      return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipBomb());
    if (request.url === "/entities") return response.end(entityBomb);
    const whole = rss(items(1000, 1010));
    return response.end(whole.slice(0, whole.indexOf("update 1007")));
  };
  // A host each: politeness is per host, and the bombs are not to hold up the good one.
  await using stack = new AsyncDisposableStack();
  const origin = async () => stack.use(await listenLocally(answer)).origin;
  using folder = temporaryFolder();
  const source = { provider: "recorded", format: "feed", interval_s: 1, requests_per_s: 100 };
  const sources = await Promise.all(
    ["good", "gzip", "entities", "cut"].map(async (id) => ({
      ...source,
      id,
      name: id,
      url: `${await origin()}/${id}`,
    })),
  );
  await using service = await spawnService({
    TAPEWIRE_DATA_DIR: folder.path,
    TAPEWIRE_ADMIN_TOKEN: adminToken,
    TAPEWIRE_SOURCES: writeSources(folder.path, sources),
  });
  const health = async (id: string): Promise<SourceHealth> => {
    const response = await fetch(`${service.url}/admin/v1/sources`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const found = sourceHealthList.parse(await response.json()).data.find((one) => one.id === id);
    assert.ok(found !== undefined);
    return found;
  };
  const until = async (id: string, done: (source: SourceHealth) => boolean) => {
    while (!done(await health(id))) await delay(50);
  };
  await until("good", (good) => good.items >= 5);
  const before = resetPeak(service.child.pid);
  gate.resolve();
  await until("gzip", ({ failures }) => failures > 0);
  await until("cut", (cut) => cut.items > 0);
  await until("entities", ({ last_poll_at }) => last_poll_at !== null);
  const polls = served.good;
  await until("good", (good) => good.items >= 3 + polls + 1);

  assert.match((await health("gzip")).last_error ?? "", /larger than/);
  assert.equal((await health("cut")).items, 7, "the complete items of the cut feed");
  assert.ok((await health("good")).failures === 0);
  const grownMb = peakMb(service.child.pid) - before;
  context.diagnostic(`peak memory grew by ${grownMb} MB`);
  // The cap of a body is 15 MB; it is held compressed, decompressed and as text.
  if (before > 0) assert.ok(grownMb < 150, `grew by ${grownMb} MB`);
});

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
