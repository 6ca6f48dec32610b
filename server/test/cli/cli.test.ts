import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { apiKey, createdKey } from "@tapewire/contract/admin.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import { verdict } from "@tapewire/contract/score.ts";
import type { StreamEvent } from "tapewire";
import { z } from "zod";
import { itemsOf } from "../../../cli/src/follow.ts";
import { Browser, tokenOf } from "../support/browser.ts";
import { callCommand, runCommand, startCommand } from "../support/command.ts";
import { anyEngine } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";

const folder = mkdtempSync(join(tmpdir(), "tapewire-cli-"));
after(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], env: Record<string, string>, input = "") =>
  callCommand(args, env, { input });
/** As a process. */
const spawned = (args: readonly string[], env: Record<string, string>, input = "") =>
  runCommand(args, env, { input, cwd: folder });

describe("tapewire", () => {
  let service: Service;
  let env: Record<string, string> = {};
  let key = "";
  before(async () => {
    service = await startService(anyEngine);
    key = (await service.key("enterprise")).key;
    env = { TAPEWIRE_URL: service.url, TAPEWIRE_ADMIN_TOKEN: service.adminToken, TAPEWIRE_KEY: key };
  });
  after(() => service[Symbol.asyncDispose]());
  const titlesOf = async (source: string) => {
    const response = await service.get(`/v1/feeds?aggregator=${source}`, key);
    return feedList
      .parse(await response.json())
      .data.map(({ title }) => title)
      .sort();
  };

  test("keys create makes a key that works, list shows it without its secret, revoke ends it", async () => {
    const created = await spawned(["keys", "create", "--plan", "pro", "--name", "desk", "--json"], env);
    assert.equal(created.code, 0, created.err);
    const made = createdKey.parse(JSON.parse(created.out));
    assert.deepEqual([made.plan, made.name], ["pro", "desk"]);
    assert.equal((await service.get("/v1/feeds", made.key)).status, 200);

    const listed = await run(["keys", "list", "--json"], env);
    const row = z
      .array(apiKey)
      .parse(JSON.parse(listed.out))
      .find(({ id }) => id === made.id);
    assert.equal(row?.last4, made.key.slice(-4));
    const shown = await run(["keys", "list"], env);
    assert.match(shown.out, new RegExp(`${made.id} .*tw_live_.*${made.key.slice(-4)}.*pro.*active.*desk`));
    assert.ok(!listed.out.includes(made.key) && !shown.out.includes(made.key));

    const revoked = await run(["keys", "revoke", made.id], env);
    assert.deepEqual([revoked.code, revoked.out.startsWith("revoked ")], [0, true]);
    assert.equal((await service.get("/v1/feeds", made.key)).status, 401);
  });

  test("keys create --account adds a key to an account, and tells the key to read", async () => {
    const { account_id } = await service.key("quant");
    const { code, out } = await run(["keys", "create", "--account", account_id], env);
    assert.equal(code, 0);
    assert.match(out, /^tw_live_[0-9A-Za-z]{38}\n/);
    assert.match(out, new RegExp(`account ${account_id}, plan quant`));
  });

  test("open prints a link that signs the operator in", async () => {
    const { code, out } = await spawned(["open"], env);
    assert.equal(code, 0);
    const begun = await new Browser(service.url).signIn({ link: tokenOf(out.trim()) });
    assert.equal(begun.operator, true);
  });

  test("ingest takes one item, an array over lines, and NDJSON", async () => {
    const file = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const item = (title: string) => ({ title, source: "cli-forms" });
    const one = await run(["ingest", file("one.json", JSON.stringify(item("One"), null, 2))], env);
    assert.deepEqual([one.code, one.out], [0, "1 created, 0 revised, 0 duplicate, 0 rejected\n"], one.err);
    const array = JSON.stringify([item("Two"), item("Three")], null, 2);
    const many = await run(["ingest", file("many.json", array)], env);
    assert.deepEqual([many.code, many.out], [0, "2 created, 0 revised, 0 duplicate, 0 rejected\n"]);
    const lines = [item("Three"), item("Four")].map((line) => JSON.stringify(line)).join("\r\n");
    const tagged = JSON.stringify({ ...item("Tagged"), tags: ["ipo", "to-do"] });
    const told = await run(["ingest", "-"], env, tagged);
    assert.deepEqual([told.code, told.err], [0, 'item 1: ignored tags ["to-do"]\n']);
    const ndjson = await spawned(["ingest", "-"], env, `${lines}\n\n`);
    assert.deepEqual([ndjson.code, ndjson.out], [0, "1 created, 0 revised, 1 duplicate, 0 rejected\n"]);
    assert.deepEqual(await titlesOf("cli-forms"), ["Four", "One", "Tagged", "Three", "Two"]);
  });

  test("ingest pushes a file of long Chinese items, a request at a time that the service takes", async () => {
    // 7.8 million characters, less than 8 MiB, are 23 MB in UTF-8: the service takes 16 MiB. One item, so that it is scored once.
    const item = {
      title: "半导体公司上调全年业绩预期",
      body: "营".repeat(195_000),
      source: "cli-long",
      external_id: "long",
    };
    const lines = Array.from({ length: 40 }, () => JSON.stringify(item));
    const { code, out, err } = await run(["ingest", "-"], env, lines.join("\n"));
    assert.deepEqual([code, out], [0, "1 created, 0 revised, 39 duplicate, 0 rejected\n"], err);
  });

  test("score judges a text or an artifact, and says why", async () => {
    const plain = "Quillbrook Corp (NASDAQ: AAPL) cuts its outlook\nIt now expects a loss for the year.";
    const told = await spawned(["score", "-", "--detailed"], env, plain);
    assert.equal(told.code, 0, told.err);
    assert.match(told.out, /^actionable {2}(yes|no) \(\d+\/100\): \S/m);
    assert.match(told.out, /^sentiment {3}-\d short/m);
    assert.match(told.out, /^event {7}guidance_cut, NASDAQ:AAPL is subject: 'cuts its outlook'$/m);
    assert.match(told.out, /^symbol {6}NASDAQ:AAPL \(primary\)/m);
    assert.match(told.out, /^model {7}flash \S+; no limit$/m);
    const artifact = JSON.stringify({
      type: "filing",
      title: "8-K",
      body: "The company filed for bankruptcy.",
    });
    const asJson = await run(["score", "-", "--json"], env, artifact);
    assert.equal(verdict.parse(JSON.parse(asJson.out)).model, "pro");
    const none = await run(["score", "-"], env, "");
    assert.deepEqual([none.code, none.out], [1, ""]);
    assert.match(none.err, /title/);
  });

  test("a broken line and an invalid item are told by number, exit 1, and the others are stored", async () => {
    const lines = [
      JSON.stringify({ title: "Before", source: "cli-broken" }),
      '{"title": "torn',
      JSON.stringify({ source: "cli-broken" }),
      JSON.stringify({ title: "After", source: "cli-broken" }),
    ];
    const { code, out, err } = await run(["ingest", "-"], env, lines.join("\n"));
    assert.equal(code, 1);
    assert.equal(out, "2 created, 0 revised, 0 duplicate, 2 rejected\n");
    assert.match(err, /^item 2: not JSON.*\nitem 3: not a valid item; title: .*\n$/);
    assert.deepEqual(await titlesOf("cli-broken"), ["After", "Before"]);
    const bracketed = await run(["ingest", "-"], env, [lines[0], "[", "]"].join("\n"));
    assert.equal(bracketed.out, "0 created, 0 revised, 1 duplicate, 2 rejected\n");
  });

  test("a file that is not there, a service that is not there, and a refusal exit 1 with one line", async () => {
    const cases: [args: string[], env: Record<string, string>, told: RegExp][] = [
      [["ingest", "nowhere.json"], env, /nowhere\.json.*ENOENT/],
      [["keys", "list"], { ...env, TAPEWIRE_URL: "http://127.0.0.1:1" }, /does not answer.*running/],
      [["keys", "list"], { ...env, TAPEWIRE_ADMIN_TOKEN: "wrong" }, /HTTP 401/],
      [["keys", "create", "--plan", "gold"], env, /HTTP 400: plan/],
      [["keys", "revoke", "17"], env, /HTTP 400: id/],
      [["tail"], { ...env, TAPEWIRE_KEY: "wrong" }, /HTTP 401/],
    ];
    for (const [at, [args, settings, told]] of cases.entries()) {
      // The first as a process: its exit code is the one that is returned.
      const { code, err } = await (at === 0 ? spawned : run)(args, settings);
      assert.equal(code, 1, args.join(" "));
      assert.match(err, told);
      assert.equal(err.trimEnd().split("\n").length, 1, err);
    }
  });

  test("wrong usage exits 2 and says what is right", async () => {
    const cases: [args: string[], told: RegExp][] = [
      [[], /Usage:/],
      [["dance"], /^unknown command 'dance'\n--help shows all/],
      [["webhook", "list"], /^unknown command 'webhook' \(did you mean webhooks\?\)\n--help shows all/],
      [["keys"], /keys create, keys list or keys revoke/],
      [["keys", "create"], /--plan or --account/],
      [["keys", "create", "--plan", "pro", "--account", "x"], /--plan or --account/],
      [["keys", "revoke"], /id/],
      [["keys", "list", "--colour"], /^unknown option --colour\n--help shows all [^\n]*\n$/],
      [
        ["tail", "--symbols", "OBTX"],
        /^unknown option --symbols \(did you mean --symbol\?\)\n--help shows all/,
      ],
      [["tail", "--symbols=OBTX"], /^unknown option --symbols \(did you mean --symbol\?\)\n/],
      [["tail", "-s"], /^unknown option -s\n--help/],
      [["tail", "--symbol"], /'--symbol <value>'[^\n]*\n--help shows all/],
      [["ingest"], /file/],
      [["export"], /file/],
      [["tail", "--snapshot", "many"], /whole number/],
      [["tail", "--speed", "60"], /--replay/],
      [
        ["tail", "--replay", "yesterday"],
        /^--replay 'yesterday' is not valid: use a date, or a date-time with its zone such as/,
      ],
      [["tail", "--replay", "2026-11-20T13:00"], /^--replay '2026-11-20T13:00' is not valid/],
      [["tail", "--replay", "1772461800"], /^--replay '1772461800' is not valid/],
      [["tail", "--replay", "2026-11-20T13:00Z", "--until", "2026"], /^--until '2026' is not valid/],
      [["tail", "--replay", "2026-03-02", "--speed", "0.5"], /1 to 1000, or max/],
      [["score", "-", "--model", "best"], /flash or pro/],
      [["tail", "--min-conviction", "101"], /--min-conviction must be a whole number, 0 to 100/],
      [["tail", "--symbol", ""], /^--symbol has an empty value: /],
      [["tail", "--replay", "2026-03-02", "--event", "earnings_beat,"], /^--event has an empty value: /],
      [["export", join(folder, "none"), "--format", "parquet", "--q", " "], /^--q has an empty value: /],
      [["webhooks", "create", "https://hooks.example.com/", "--source", "desk"], /does not take --source/],
    ];
    for (const [at, [args, told]] of cases.entries()) {
      const { code, out, err } = await (at <= 1 ? spawned : run)(args, env);
      assert.equal(code, 2, args.join(" "));
      assert.match(out + err, told);
    }
    const nowhere = await run(["keys", "list"], { TAPEWIRE_URL: service.url });
    assert.deepEqual([nowhere.code, /admin-token/.test(nowhere.err)], [2, true]);
    const help = await run(["--help"], {});
    assert.deepEqual([help.code, /Usage:/.test(help.out)], [0, true]);
  });

  test("tail tells that the service is missing once, then what changes, and when it is back", async (context) => {
    const told = context.mock.method(console, "error", () => {});
    async function* events(): AsyncGenerator<StreamEvent> {
      const on = { type: "state", attempt: 0, reason: "", snapshot: 0, lagMs: null } as const;
      for (const reason of ["refused", "refused", "refused", "no such host", "no such host"]) {
        yield { ...on, state: "connecting" };
        yield { ...on, state: "waiting", reason };
      }
      yield { ...on, state: "replaying" };
      yield { ...on, state: "live" };
      yield { ...on, state: "waiting", reason: "no such host" };
    }
    for await (const _ of itemsOf(events()));
    assert.deepEqual(
      told.mock.calls.map(({ arguments: [line] }) => line),
      [
        "refused; trying again until the service is back ...",
        "no such host; still trying ...",
        "Connected again.",
        "no such host; trying again until the service is back ...",
      ],
    );
  });

  test("tail prints what is there and what comes, by its filters, and ends on SIGINT", async () => {
    await service.push({
      title: "Orbitex Robotics raises full-year guidance",
      symbols: ["DEMO:OBTX"],
      source: "cli-tail",
    });
    const filters = ["--event", "guidance_raised,earnings_miss", "--min-conviction", "1"];
    const tail = startCommand(["tail", "--source", "cli-tail", "--symbol", "obtx", ...filters], env);
    const lines = tail.child.stdout[Symbol.asyncIterator]();
    const line = async () => z.string().parse((await lines.next()).value);
    assert.match(await line(), /^\d\d:\d\d:\d\d {2}! *\d+ \+\d\/\d+% +DEMO:OBTX +Orbitex .* \[cli-tail\]\n$/);
    await service.push(
      { title: "Somebody else", symbols: ["TEST:NWHB"], source: "cli-tail" },
      { title: "Orbitex Robotics opens a shop", symbols: ["DEMO:OBTX"], source: "cli-tail" },
      { title: "Orbitex Robotics misses estimates", symbols: ["DEMO:OBTX"], source: "cli-tail" },
    );
    assert.match(await line(), /Orbitex Robotics misses/);
    await tail.interrupt();
  });
});
