import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type SourceHealth, sourceHealth, sourceHealthList, sourceProbe } from "@tapewire/contract/admin.ts";
import { z } from "zod";
import { callCommand, runCommand, terminal } from "../support/command.ts";
import { anyEngine } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";

/** Feeds of one item each, by path; one that has none answers 404. */
async function startFeeds() {
  const state = { feeds: new Map<string, string>() };
  const server = await listenLocally((request, response) => {
    const title = state.feeds.get(request.url ?? "");
    if (title === undefined) return response.writeHead(404).end();
    const item = `<item><title>${title}</title><guid isPermaLink="false">${request.url}</guid><pubDate>${new Date().toUTCString()}</pubDate></item>`;
    const body = `<rss version="2.0"><channel><title>t</title>${item}</channel></rss>`;
    return response.writeHead(200, { "content-type": "application/rss+xml" }).end(body);
  });
  return { state, origin: server.origin, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** More than are read again with one call. */
const count = 22;
const ids = Array.from({ length: count }, (_, index) => `notices-${index}`);

describe("tapewire on sources", () => {
  let service: Service;
  let env: Record<string, string> = {};
  let feeds: Awaited<ReturnType<typeof startFeeds>>;
  const folder = temporaryFolder();
  const stack = new AsyncDisposableStack();

  const run = (...args: string[]) => callCommand(args, env);
  /** As a process. */
  const spawned = (...args: string[]) => runCommand(args, env, { cwd: folder.path });
  const untilHealth = async (isReached: (all: readonly SourceHealth[]) => boolean) => {
    for (let tries = 0; ; tries++) {
      const answer = await service.admin("GET", "/admin/v1/sources");
      const { data } = sourceHealthList.parse(await answer.json());
      if (isReached(data)) return;
      assert.ok(tries < 500, JSON.stringify(data));
      await delay(50);
    }
  };

  before(async () => {
    stack.use(folder);
    feeds = stack.use(await startFeeds());
    for (const id of ids) feeds.state.feeds.set(`/${id}`, `Brandmoor opens plant of ${id}`);
    const common = {
      name: "brandmoor",
      provider: "brandmoor",
      format: "feed",
      interval_s: 1,
      requests_per_s: 100,
    };
    const sources = ids.map((id) => ({ ...common, id, url: `${feeds.origin}/${id}` }));
    const off = { ...common, id: "old-notices", url: `${feeds.origin}/old`, enabled: false };
    const sourcesFile = writeSources(folder.path, [...sources, off]);
    service = stack.use(await startService(anyEngine, { sourcesFile }));
    env = { TAPEWIRE_URL: service.url, TAPEWIRE_ADMIN_TOKEN: service.adminToken };
    await untilHealth((all) => all.every(({ enabled, items }) => !enabled || items === 1));
  });
  after(() => stack.disposeAsync());

  test("doctor lists the sources that run, and exits 0 when all are well", async () => {
    const { code, out, err } = await run("doctor");
    assert.deepEqual([code, err], [0, ""]);
    const lines = out.trimEnd().split("\n");
    assert.equal(lines.length, count + 1);
    for (const line of lines.slice(0, -1))
      assert.match(line, /^ok {4}notices-\d+ +1 items?, newest \d+ (ms|s) ago(, lag \d+ (ms|s))?$/);
    assert.match(lines.at(-1) ?? "", new RegExp(`^${count} sources, 0 with a problem, 1 off\\.`));
  });

  test("doctor --json gives all that is known, of those that are off too", async () => {
    const { code, out } = await run("doctor", "--json");
    assert.equal(code, 0);
    assert.equal(out.trimEnd().split("\n").length, 1);
    const all = z.array(sourceHealth).parse(JSON.parse(out));
    assert.deepEqual(
      all.map(({ id }) => id),
      [...ids, "old-notices"],
    );
    assert.match(all.at(-1)?.advice ?? "", /enabled/);
  });

  test("doctor with a name tells all of that source, and fetches it", async () => {
    const { code, out, err } = await run("doctor", "notices-3");
    assert.deepEqual([code, err], [0, ""]);
    assert.match(
      out,
      /^notices-3 \(feed\) http:.*\/notices-3\nstatus +ok\nlast poll +20.* ago\), last successful 20/,
    );
    assert.match(out, /\nfetch now +1 items?, 0 of them not in the feed yet; \d+ bytes in \d+ m?s\n/);
    assert.match(out, /\n +Brandmoor opens plant of notices-3\n$/);
    const told = await run("doctor", "notices-3", "--json");
    const { probe, id } = z.object({ ...sourceHealth.shape, probe: sourceProbe }).parse(JSON.parse(told.out));
    assert.deepEqual([told.code, id, probe.ok, probe.items], [0, "notices-3", true, 1]);
  });

  test("doctor prints no title that steers the terminal", async () => {
    // The service cleans titles; one that does not must not reach the operator's terminal either.
    await using front = await listenLocally(async (request, response) => {
      const answer = await service.admin(request.method ?? "GET", request.url ?? "");
      const text = (await answer.text()).replaceAll("Brandmoor opens", "\\u001b[2J\\u202eBrandmoor opens");
      response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    });
    env = { ...env, TAPEWIRE_URL: front.origin };
    const { code, out } = await run("doctor", "notices-3");
    env = { ...env, TAPEWIRE_URL: service.url };
    assert.equal(code, 0);
    assert.match(out, /\n +\\u\{1b\}\[2J\\u\{202e\}Brandmoor opens plant of notices-3\n$/);
  });

  test("doctor with a name that is none says which there are", async () => {
    const { code, out, err } = await run("doctor", "nobody");
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^There is no source 'nobody'\. Sources: notices-0, .*, old-notices\n$/);
  });

  test("replay reads what was kept again, over several calls, and says nothing of its progress", async () => {
    const { code, out, err } = await spawned("replay", "--since", "1h");
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(out, `${count} responses, ${count} items: 0 created, 0 revised, ${count} unchanged\n`);
    const dry = await run("replay", "--since", "90m", "--dry-run");
    assert.equal(
      dry.out,
      `${count} responses, ${count} items: 0 would be created, 0 would be revised, ${count} unchanged\n`,
    );
    const one = await run("replay", "--since", "3d", "--source", "notices-3");
    assert.match(one.out, /^1 responses?, 1 items?: 0 created, 0 revised, 1 unchanged\n$/);
    const later = new Date(Date.now() + 60_000).toISOString();
    const none = await run("replay", "--since", later);
    assert.deepEqual([none.code, none.out], [0, "0 responses, 0 items: 0 created, 0 revised, 0 unchanged\n"]);
  });

  const missing = existsSync(terminal) ? {} : { skip: `no ${terminal}` };
  test("replay on a terminal tells how far it is", missing, async () => {
    const { code, out } = await runCommand(["replay", "--since", "1h"], env, { onTerminal: true });
    assert.equal(code, 0);
    assert.match(out, /\r20 responses read, 2 left/);
    assert.match(out, new RegExp(`${count} responses, ${count} items: 0 created`));
  });

  test("replay with a --since that is missing or no time exits 2 and says what is right", async () => {
    const cases: [args: string[], told: RegExp][] = [
      [
        ["replay"],
        /^--since is required: 90m, 12h, 3d, a date, or a date-time with its zone such as 2026-03-02T14:30:00Z\n$/,
      ],
      [
        ["replay", "--since", "yesterday"],
        /^--since 'yesterday' is not valid: use 90m, 12h, 3d, a date, or a date-time with its zone such as \S+\n$/,
      ],
      [["replay", "--since", "5w"], /^--since '5w' is not valid/],
      [["replay", "--since", ""], /^--since '' is not valid/],
    ];
    const outcomes = await Promise.all(cases.map(([args]) => run(...args)));
    for (const [index, [args, told]] of cases.entries()) {
      const { code, out, err = "" } = outcomes[index] ?? {};
      assert.deepEqual([code, out], [2, ""], args.join(" "));
      assert.match(err, told);
    }
  });

  test("a number without its unit and a day that does not exist are no times to replay from", async () => {
    // Each would be taken for a time that nobody meant: 12 for December 2001, and all that is kept is read again.
    for (const since of ["12", "2026-02-31T00:00:00Z"]) {
      const { code, out, err } = await run("replay", "--since", since);
      assert.deepEqual([code, out], [2, ""], since);
      assert.ok(err.startsWith(`--since '${since}' is not valid`), err);
    }
  });

  test("doctor exits 1 when a source fails, and says what is the matter", async () => {
    feeds.state.feeds.delete("/notices-5");
    await untilHealth((all) => all.some(({ id, failures }) => id === "notices-5" && failures > 0));
    const { code, out, err } = await spawned("doctor");
    assert.deepEqual([code, err], [1, ""]);
    assert.match(
      out,
      /\nFAIL {2}notices-5 .*\n {6}.*\(HTTP 404\); next try 20.*The address no longer exists/,
    );
    assert.match(out, new RegExp(`\\n${count} sources, 1 with a problem, 1 off\\.`));
    const [one, json, other] = await Promise.all([
      run("doctor", "notices-5"),
      run("doctor", "--json"),
      run("doctor", "notices-3"),
    ]);
    assert.deepEqual([one.code, json.code, other.code], [1, 1, 0]);
    assert.match(one.out, /\nfetch now +failed after \d+ m?s: HTTP 404/);
  });
});

test("doctor without a network says so in one line, and exits 1", async () => {
  using folder = temporaryFolder();
  // Names that never resolve (RFC 6761).
  const sources = Array.from({ length: 12 }, (_, n) => ({
    id: `away-${n}`,
    name: "brandmoor",
    provider: "brandmoor",
    format: "feed",
    interval_s: 900,
    url: `https://away-${n}.invalid/feed`,
  }));
  await using service = await startService(anyEngine, { sourcesFile: writeSources(folder.path, sources) });
  for (let tries = 0; ; tries++) {
    const answer = await service.admin("GET", "/admin/v1/sources");
    const { data } = sourceHealthList.parse(await answer.json());
    if (data.every(({ reach }) => reach === "doubted")) break;
    assert.ok(tries < 500, JSON.stringify(data));
    await delay(50);
  }
  const env = { TAPEWIRE_URL: service.url, TAPEWIRE_ADMIN_TOKEN: service.adminToken };
  const { code, out, err } = await callCommand(["doctor"], env);
  assert.deepEqual([code, err], [1, ""]);
  assert.match(out, /^No source can be reached \(tried 12 of 12, .*network.*\n$/);
});
