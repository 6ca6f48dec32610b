import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type SourceHealth, sourceHealthList } from "@tapewire/contract/admin.ts";
import { anyEngine } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { startService } from "../support/service.ts";

const megabyte = 1 << 20;
const rss = (inside: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;
const item = (inside: string) => `<item><title>Halvorn Biotech</title><guid>hb</guid>${inside}</item>`;
const much = (text: string, sizeBytes: number) => text.repeat(Math.floor(sizeBytes / text.length));
const attributes = (sizeBytes: number) =>
  Array.from({ length: Math.floor(sizeBytes / 12) }, (_, n) => `a${100_000 + n}='x'`).join(" ");
const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
  "",
);

/** Each within the cap of an answer, and made to take seconds or hundreds of megabytes; each has one entry. */
const hostile: Readonly<Record<string, string>> = {
  "markup-in-cdata": rss(item(`<description><![CDATA[${much("&lt;b&gt;", 12 * megabyte)}]]></description>`)),
  "one-tag": rss(`${item("")}<item ${attributes(14 * megabyte)}></item>`),
  "tiny-cdata": rss(
    `<item><guid>hb</guid><title>Halvorn Biotech${much("<![CDATA[ x]]>", 8 * megabyte)}</title></item>`,
  ),
  "entity-bomb": `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "lol">${entities}]>${rss(
    item(`<description>&e20;${much("&amp;eacute;", 8 * megabyte)}</description>`),
  )}`,
  "json-string": JSON.stringify({
    version: "https://jsonfeed.org/version/1",
    title: "t",
    items: [{ id: "hb", title: "Halvorn Biotech", content_html: much("<b>", 8 * megabyte) }],
  }),
  comment: rss(`<!--${much("a comment - ", 14 * megabyte)}-->${item("")}`),
  elements: rss(item(much("<category>a</category>", 8 * megabyte))),
};

/** Other work of the process waits at most so long, ms; what these answers did to it was more than ten times that. */
const longestTurnMs = 250;

test("answers made to be slow are read beside the loop: no turn of it is long, and each gives its entry", async (context) => {
  await using stack = new AsyncDisposableStack();
  const packed = Object.entries(hostile).map(([id, text]) => [id, gzipSync(text)] as const);
  const urls = await Promise.all(
    packed.map(async ([, body]) => {
      const server = await listenLocally((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(body);
      });
      return stack.use(server).origin;
    }),
  );
  using folder = temporaryFolder();
  const sources = packed.map(([id], index) => ({
    id,
    name: id,
    provider: "recorded",
    format: "feed",
    url: `${urls[index]}/${id}`,
    interval_s: 3600,
  }));
  const turns = new Turns();
  await using service = await startService(anyEngine, {
    roles: ["ingest", "api"],
    sourcesFile: writeSources(folder.path, sources),
  });
  turns.begin();
  let health: SourceHealth[] = [];
  let live = 0;
  while (health.length === 0 || health.some(({ status }) => status === "waiting")) {
    live += (await service.get("/livez")).ok ? 1 : 0;
    health = sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json()).data;
    await delay(20);
  }
  const longestMs = turns.end();
  context.diagnostic(`longest turn ${Math.round(longestMs)} ms, ${live} answers of /livez`);
  assert.deepEqual(
    health.map(({ id, items, status }) => [id, items, status]),
    sources.map(({ id }) => [id, 1, "ok"]),
  );
  const told = Object.fromEntries(health.map(({ id, last_error, advice }) => [id, [last_error, advice]]));
  const cut = (why: string) => [`not all of it is read: ${why}`, `not all of it is read: ${why}`];
  assert.deepEqual(told.elements, cut("an entry has more than 20000 tags"));
  assert.deepEqual(told["markup-in-cdata"], cut("a text has more than 1000000 characters"));
  assert.ok(longestMs < longestTurnMs, `a turn took ${longestMs} ms of CPU`);
});

/** CPU time that the main thread takes between two looks: that of the longest turn, and of what little stands beside it. */
class Turns {
  #longestMs = 0;
  #before = process.threadCpuUsage();
  #timer: NodeJS.Timeout | undefined;

  begin(): void {
    this.#before = process.threadCpuUsage();
    this.#timer = setInterval(() => this.#look(), 2);
  }

  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#longestMs;
  }

  #look(): void {
    const { user, system } = process.threadCpuUsage(this.#before);
    this.#before = process.threadCpuUsage();
    this.#longestMs = Math.max(this.#longestMs, (user + system) / 1000);
  }
}
