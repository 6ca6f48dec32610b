import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { streamLimits } from "@tapewire/contract/stream.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { z } from "zod";
import { webhooks } from "../../../cli/src/commands/webhooks.ts";
import type { Options } from "../../../cli/src/options.ts";
import { callCommand as run, runCommand, startCommand as start } from "../support/command.ts";
import { anyEngine } from "../support/db.ts";
import { type Received, startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";

const secretIn = (text: string) => /whsec_\S+/.exec(text)?.[0] ?? "";

function payloadOf(secret: string, { headers, body }: Received) {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return z
    .object({
      type: z.string(),
      timestamp: z.string(),
      data: z.looseObject({ title: z.string().optional() }),
      seq: z.int().optional(),
      latency: z.unknown().optional(),
    })
    .parse(new Verifier(secret).verify(body, sent));
}

describe("tapewire webhooks, listen and tail --replay", () => {
  const answers: number[] = [];
  let receivers: Awaited<ReturnType<typeof startReceivers>>;
  let service: Service;
  let env: Record<string, string> = {};
  before(async () => {
    receivers = await startReceivers({
      "/local": () => answers.shift() ?? 204,
      "/hook": () => answers.shift() ?? 204,
    });
    service = await startService(anyEngine, { webhookAllow: ["127.0.0.0/8"], webhookRetriesMs: [10] });
    env = { TAPEWIRE_URL: service.url, TAPEWIRE_KEY: (await service.key("enterprise")).key };
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await receivers[Symbol.asyncDispose]();
  });
  const push = (title: string, symbol: string) =>
    service.push({ title, external_id: title, symbols: [`DEMO:${symbol}`] });

  test("listen posts items signed, tries again, and goes on behind a cursor", async () => {
    const args = ["listen", "--forward-to", receivers.url("/local"), "--symbol", "DEMO:LSTN"];
    const first = start(args, env);
    await until(async () => {
      // What is pushed before the subscription is not for it.
      if (receivers.at("/local").length === 0) await push(`Probe ${performance.now()}`, "LSTN");
      return receivers.at("/local").length > 0;
    }, "it listens");
    const secret = secretIn(first.told.err);
    answers.push(503);
    const begun = receivers.at("/local").length;
    await push("Harrow Mills cuts its outlook", "LSTN");
    await push("Somebody else", "OTHR");
    const ofItem = () =>
      receivers.at("/local").filter(({ body }) => body.includes("Harrow Mills cuts its outlook"));
    await until(() => ofItem().length > 0 && first.told.out.includes("retry in 1 s"), "refused once");
    await until(() => /204 .*Harrow Mills cuts its outlook/.test(first.told.out), "taken");
    assert.ok(receivers.at("/local").length > begun);
    assert.ok(receivers.at("/local").every(({ body }) => !body.includes("Somebody else")));
    const [refused, taken] = [
      receivers.at("/local").find(({ seq }) => seq === ofItem()[0]?.seq),
      ofItem().at(-1),
    ];
    assert.ok(refused !== undefined && taken !== undefined);
    assert.equal(refused.id, taken.id);
    const payload = payloadOf(secret, taken);
    assert.deepEqual(Object.keys(JSON.parse(taken.body)), ["type", "timestamp", "data", "seq", "latency"]);
    assert.equal(payload.type, "feed.scored");

    await first.interrupt();
    const [, cursor = ""] = /To continue, use --after (\S+)/.exec(first.told.err) ?? [];
    await push("Missed meanwhile", "LSTN");
    const second = start([...args, "--after", cursor, "--secret", secret, "--json"], env);
    await until(() => second.told.out.includes("\n"), "what was missed");
    assert.equal(JSON.parse(second.told.out).ok, true);
    assert.equal(second.told.err, "");
    const missed = receivers.at("/local").at(-1);
    assert.ok(missed !== undefined);
    assert.equal(payloadOf(secret, missed).data.title, "Missed meanwhile");
    await second.interrupt();
  });

  test("what listen posts is what a webhook is sent, byte for byte but for the latency", async () => {
    const made = await run(
      ["webhooks", "create", receivers.url("/hook"), "--symbol", "DEMO:SAME", "--json"],
      env,
    );
    assert.equal(made.code, 0, made.err);
    const listening = start(["listen", "--forward-to", receivers.url("/same"), "--symbol", "DEMO:SAME"], env);
    await until(async () => {
      if (receivers.at("/same").length === 0) await push(`Twin ${performance.now()}`, "SAME");
      return receivers.at("/same").length > 0;
    }, "it listens");
    await listening.interrupt();
    const [local] = receivers.at("/same");
    const twin = () => receivers.at("/hook").find(({ id }) => id === local?.id);
    await until(() => twin() !== undefined, "the webhook has it too");
    const bare = (one: Received | undefined) => one?.body.replace(/,"latency":.*$/, "");
    assert.equal(bare(local), bare(twin()));
  });

  test("tail --replay prints stored items in the order of the log, and ends", async () => {
    const begin = new Date();
    for (const title of ["Replayed first", "Replayed second"])
      await service.push({ title, source: "cli-again" });
    const args = ["tail", "--replay", begin.toISOString(), "--speed", "1000", "--source", "cli-again"];
    const { code, out } = await runCommand(args, env);
    assert.equal(code, 0);
    assert.match(out, /^[^\n]*Replayed first {2}\[cli-again\]\n[^\n]*Replayed second {2}\[cli-again\]\n$/);
    const json = await run([...args, "--json"], env);
    assert.deepEqual(Object.keys(JSON.parse(json.out.split("\n")[0] ?? "")), [
      "cursor",
      "seq",
      "logged_at",
      "latency",
      "data",
    ]);
  });

  test("tail says when the account has taken its snapshots of this minute, and prints new items", async () => {
    const { key } = await service.key("pro");
    await service.push({ title: "Stored before", source: "cli-late" });
    const stopper = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    for (let taken = 0; taken < streamLimits.snapshotsPerMinute; taken += 1)
      await fetch(`${service.url}/v1/stream/sse?snapshot=1`, { headers, signal: stopper.signal });
    stopper.abort();
    const tail = start(["tail", "--source", "cli-late"], { ...env, TAPEWIRE_KEY: key });
    await until(() => /snapshots of this minute/.test(tail.told.err), "tail says that there is no snapshot");
    await service.push({ title: "Told live", source: "cli-late" });
    await until(() => tail.told.out !== "", "tail prints the new item");
    await tail.interrupt();
    assert.match(tail.told.out, /^[^\n]*Told live {2}\[cli-late\]\n$/);
  });

  test("create, list, test, rotate, deliveries and recover", async () => {
    const made = await runCommand(
      ["webhooks", "create", receivers.url("/hook"), "--symbol", "DEMO:CLIW", "--name", "Desk"],
      env,
    );
    const [id = ""] = made.out.split(" ");
    const bounds = ["--event", "contract_won", "--min-actionability-score", "70", "--json"];
    const other = await run(["webhooks", "create", receivers.url("/other"), ...bounds], env);
    assert.deepEqual(JSON.parse(other.out).filters, { min_actionability_score: 70, event: ["contract_won"] });
    assert.match(made.out, /enabled {2}0\/0 delivered/);
    const listed = await run(["webhooks", "list"], env);
    assert.match(listed.out, new RegExp(`^${id} {2}enabled`, "m"));
    assert.doesNotMatch(listed.out, /whsec_/);
    const one = await run(["webhooks", "get", id], env);
    assert.match(
      one.out,
      /\nName: Desk\nFilters: \{"symbols":\["DEMO:CLIW"\]\}\nFormat: tapewire\nLast delivery: none\n/,
    );
    assert.equal(secretIn(one.out), secretIn(made.out));

    const tried = await run(["webhooks", "test", id], env);
    assert.deepEqual([tried.code, tried.out.startsWith("delivered: HTTP 204")], [0, true]);
    const last = receivers.at("/hook").at(-1);
    assert.ok(last !== undefined);
    assert.equal(payloadOf(secretIn(made.out), last).type, "webhook.test");
    answers.push(500);
    const failed = await runCommand(["webhooks", "test", id], env);
    assert.deepEqual([failed.code, failed.out.startsWith("failed: HTTP 500")], [1, true]);

    const turned = await run(["webhooks", "rotate", id], env);
    assert.notEqual(secretIn(turned.out), secretIn(made.out));
    assert.match(turned.out, /The previous secret signs too until 2/);

    answers.push(500, 500);
    const none = await run(["webhooks", "deliveries", id, "--status", "failed"], env);
    assert.deepEqual([none.code, none.out], [0, "no deliveries with status failed\n"]);
    const nothing = await run(["webhooks", "recover", id, "--since", "1h"], env);
    assert.deepEqual([nothing.code, nothing.out], [0, "0 given up since then; none is due\n"]);
    await push("Refused twice", "CLIW");
    const shown = async (...args: string[]) => (await run(["webhooks", "deliveries", id, ...args], env)).out;
    await until(async () => /failed +500 +2 attempts/.test(await shown("--status", "failed")), "given up");
    const recovered = await run(["webhooks", "recover", id, "--since", "1h"], env);
    assert.equal(recovered.out, "1 delivery will be sent again\n");
    await until(async () => /delivered +204/.test(await shown()), "delivered");
    await resendsReplaysAndDeletes(id);
  });

  /** An endpoint whose log begins with a delivery that was refused twice. */
  async function resendsReplaysAndDeletes(id: string): Promise<void> {
    const [delivery = ""] = /msg_\w+/.exec((await run(["webhooks", "deliveries", id], env)).out) ?? [];
    const arrived = () => receivers.at("/hook").filter((one) => one.id === delivery).length;
    const before = arrived();
    const resent = await run(["webhooks", "resend", id, delivery], env);
    assert.deepEqual([resent.code, resent.out], [0, "1 delivery will be sent again\n"], resent.err);
    await until(() => arrived() === before + 1, "sent again");
    const replayed = await run(["webhooks", "replay", id, "--from", "1h"], env);
    assert.match(
      replayed.out,
      /^items of the log from \d+ to \d+ that match the filters will be sent again\n$/,
    );
    await until(() => arrived() === before + 2, "replayed");
    const none = await run(["webhooks", "replay", id, "--from", "999999"], env);
    assert.deepEqual([none.code, none.out], [0, "the range has no items\n"], none.err);
    const deleted = await run(["webhooks", "delete", id], env);
    assert.deepEqual([deleted.code, deleted.out], [0, `${id} is deleted\n`], deleted.err);
    const again = await run(["webhooks", "delete", id], env);
    assert.deepEqual([again.code, again.out], [1, ""]);
    assert.match(again.err, /HTTP 404/);
  }

  test("who asks for what failed is told of what is due", async () => {
    await using patient = await startService(anyEngine, {
      webhookAllow: ["127.0.0.0/8"],
      webhookRetriesMs: [3_600_000],
    });
    const { key } = await patient.key("enterprise");
    const its = { TAPEWIRE_URL: patient.url, TAPEWIRE_KEY: key };
    const made = await run(["webhooks", "create", receivers.url("/hook"), "--symbol", "DEMO:DUE"], its);
    const [id = ""] = made.out.split(" ");
    answers.push(500);
    await patient.push({ title: "Refused once", symbols: ["DEMO:DUE"] });
    const shown = async (...args: string[]) => (await run(["webhooks", ...args], its)).out;
    await until(async () => /due +500 +1 attempt /.test(await shown("deliveries", id)), "refused");
    assert.equal(
      await shown("deliveries", id, "--status", "failed"),
      "no deliveries with status failed (1 is due)\n",
    );
    assert.equal(
      await shown("recover", id, "--since", "1h"),
      "0 given up since then; 1 is due and will be sent by itself\n",
    );
  });

  test("an action of webhooks names what it needs and what it does not take", async () => {
    const told = (args: string[], options: Options = {}) =>
      webhooks(["webhooks", ...args], options).catch((error: unknown) => String(error));
    assert.deepEqual(
      await Promise.all([
        told([]),
        told(["resend", "ID"]),
        told(["delete"]),
        told(["delete", "ID", "OTHER"]),
        told(["replay", "ID"]),
        told(["replay", "ID"], { from: "yesterday" }),
        told(["replay", "ID"], { since: "1h" }),
        told(["delete", "ID"], { to: "3" }),
      ]),
      [
        "use webhooks list, get, create, test, rotate, deliveries, recover, resend, replay or delete",
        "webhooks resend needs the id of a delivery (webhooks deliveries ID lists them)",
        "webhooks delete needs the id of an endpoint",
        "webhooks delete does not take 'OTHER'",
        "--from is required: a seq, 90m, 12h, 3d, a date, or a date-time with its zone such as 2026-03-02T14:30:00Z",
        "--from 'yesterday' is not valid: use a seq, 90m, 12h, 3d, a date, or a date-time with its zone such as 2026-03-02T14:30:00Z",
        "webhooks replay does not take --since",
        "webhooks delete does not take --to",
      ].map((line) => `CliError: ${line}`),
    );
  });

  test("what is wrong is told, with the exit code of wrong usage", async () => {
    for (const args of [
      ["listen"],
      ["listen", "--forward-to", "ftp://127.0.0.1/"],
      ["listen", "--forward-to", "http://127.0.0.1:9/", "--secret", "short"],
      ["webhooks"],
      ["webhooks", "test"],
    ]) {
      const { code, err } = await run(args, env);
      assert.equal(code, 2, `${args.join(" ")}: ${err}`);
    }
    const { code, err } = await run(["webhooks", "test", "0b9c3f52-7f0e-4d2b-9a53-1f0d6a0c8e11"], env);
    assert.equal(code, 1);
    assert.match(err, /HTTP 404/);
  });
});
