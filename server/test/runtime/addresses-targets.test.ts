import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { readConfig, webhookRanges } from "../../src/config/config.ts";
import { publicLookup, withinRanges } from "../../src/runtime/addresses.ts";
import { Targets } from "../../src/webhooks/targets.ts";

const recorded = join(import.meta.dirname, "../../../../shared/data/webhooks/ssrf-cases.json");
const withCases = existsSync(recorded) ? {} : { skip: "the recorded targets are not here" };

const caseFile = z.object({
  cases: z.array(
    z.object({
      kind: z.enum(["url", "dns", "live"]),
      url: z.string().default(""),
      name: z.string().optional(),
      want: z.string(),
      answers: z.array(z.string()).default([]),
    }),
  ),
});

const absent = async () => {
  throw new Error("no such name");
};
const answering = (names: Readonly<Record<string, readonly string[]>>) => async (host: string) => {
  const found = names[host];
  return found === undefined ? absent() : found.map((address) => ({ address }));
};

/** Whether a connection for the URL would be made to what its name resolves to then. */
function connects(targets: Targets, url: string, answers: readonly string[]): Promise<boolean> {
  const lookup = publicLookup({
    resolve: async () => answers.map((address) => ({ address, family: isIP(address) })),
    isAllowed: targets.allowed(new URL(url)),
  });
  return new Promise((resolve) => {
    lookup(new URL(url).hostname, { all: true }, (error) => resolve(error === null));
  });
}

test("every recorded target is taken or refused as it should be", withCases, async (context) => {
  const { cases } = caseFile.parse(JSON.parse(readFileSync(recorded, "utf8")));
  const unresolved = new Targets({ opened: [], resolve: absent });
  for (const { url, want } of cases.filter(({ kind }) => kind === "url"))
    assert.equal((await unresolved.refusal(url, "a")) !== null, want === "reject", url);
  for (const { url, want, answers } of cases.filter(({ kind }) => kind === "dns")) {
    const targets = new Targets({ opened: [], resolve: answering({ [new URL(url).hostname]: answers }) });
    assert.equal((await targets.refusal(url, "a")) !== null, want === "reject", url);
    assert.equal(await connects(targets, url, answers), want !== "reject", url);
  }
  const live = cases.filter(({ kind }) => kind === "live");
  assert.equal(cases.length - live.length, 109);
  context.diagnostic(`${live.length} cases are of deliveries, and left out: ${live.map(({ name }) => name)}`);
});

/** Names of the operator's network, and of hosts elsewhere, with where they lead. */
const names = {
  localhost: ["127.0.0.1", "::1"],
  receiver: ["10.1.2.3"],
  "db.internal": ["192.168.0.7"],
  "inside.example.com": ["10.1.2.3"],
  "mixed.example.com": ["1.1.1.1", "10.1.2.3"],
  "public.example.com": ["1.1.1.1"],
  "half.example.com": ["1.1.1.1", "192.168.0.7"],
  "empty.example.com": [],
  nosuffix: ["1.1.1.1"],
};

test("the operator's ranges are open to http and to names of the private network, and to nothing else", async () => {
  const targets = new Targets({
    opened: ["127.0.0.0/8", "::1/128", "10.0.0.0/8"],
    resolve: answering(names),
  });
  const taken = [
    "http://127.0.0.1:9000/hook",
    "https://127.0.0.1/",
    "https://[2606:4700::1]/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://localhost:9000/",
    "https://LOCALHOST./",
    "http://receiver/",
    "http://inside.example.com/",
    "https://inside.example.com/",
    "https://mixed.example.com/",
    "https://public.example.com/",
    "https://not-there-yet.example.com/",
  ];
  const refused = [
    "http://1.1.1.1/",
    "http://192.168.0.7/",
    "https://192.168.0.7/",
    "https://db.internal/",
    "http://public.example.com/",
    "http://mixed.example.com/",
    "http://not-there-yet.example.com/",
    "https://half.example.com/",
    "https://empty.example.com/",
    "https://nosuffix/",
    "https://not-there/",
    "http://user@localhost/",
    "ftp://127.0.0.1/",
    "https://example.com/\u00a0",
    "https://example.com/\u0085",
    "https://example.com/\ud800",
    `https://example.com/${"x".repeat(2_048)}`,
  ];
  for (const url of taken)
    assert.equal(await targets.refusal(url.replace("LOCALHOST.", "localhost"), "a"), null);
  for (const url of refused) assert.notEqual(await targets.refusal(url, "a"), null, url);
  assert.equal(
    await targets.refusal("https://db.internal/", "a"),
    await targets.refusal("https://not-there.internal/", "a"),
    "the reason tells which names the operator's network has",
  );

  assert.equal(await connects(targets, "http://localhost/", ["127.0.0.1"]), true);
  assert.equal(await connects(targets, "http://localhost/", ["1.1.1.1"]), false);
  assert.equal(await connects(targets, "https://later.example.com/", ["1.1.1.1"]), true);
  assert.equal(await connects(targets, "http://later.example.com/", ["1.1.1.1"]), false);
  assert.equal(await connects(targets, "https://later.example.com/", ["192.168.0.7"]), false);
});

test("a name server that is slow or silent does not hold a request up, nor open anything", async () => {
  const { promise: silence, reject: end } = Promise.withResolvers<never>();
  let asked = 0;
  const silent = () => {
    asked += 1;
    return silence;
  };
  const targets = new Targets({ opened: ["10.0.0.0/8"], resolve: silent, resolveTimeoutMs: 50 });
  // The deadline alone keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  try {
    const urls = ["https://a.example.com/", "https://b.example.com/", "http://c.example.com/", "https://d/"];
    const told = await Promise.all(urls.map((url) => targets.refusal(url, "a")));
    assert.deepEqual(
      told.map((reason) => reason === null),
      [true, true, false, false],
    );
    assert.equal(asked, 1, "an account has one name looked up at a time");
    assert.equal(await targets.refusal("https://a.example.com/", "b"), null);
    assert.equal(asked, 2, "another account's names do not wait for those of one");
    await Promise.all(["c", "d"].map((account) => targets.refusal("https://a.example.com/", account)));
    assert.equal(asked, 2, "the resolver's threads are the whole process's");
    end(new Error("no answer"));
    await targets.refusal("https://e.example.com/", "a");
  } finally {
    clearInterval(alive);
  }
});

test("addresses at the edges of ranges", () => {
  const opened = withinRanges(["10.0.0.0/8", "192.0.2.7/32", "fd00::/8", "::1/128"]);
  const inside = ["10.0.0.0", "10.255.255.255", "::ffff:10.0.0.1", "192.0.2.7", "fdff::1", "::1"];
  const outside = ["9.255.255.255", "11.0.0.0", "192.0.2.8", "fc00::1", "::2", "::a00:1", "fd00::1%eth0", ""];
  assert.deepEqual([...inside, ...outside].filter(opened), inside);
  assert.deepEqual(["0.0.0.0", "255.255.255.255", "::1"].filter(withinRanges(["0.0.0.0/0"])), [
    "0.0.0.0",
    "255.255.255.255",
  ]);
  assert.equal(withinRanges([])("10.0.0.1"), false);
  assert.throws(() => withinRanges(["10.0.0/8"]), RangeError);
});

test("without a setting, this machine is open to an embedded service that only this machine reaches", () => {
  const ranges = (env: Record<string, string>) => webhookRanges(readConfig(env));
  const thisMachine = ["127.0.0.0/8", "::1/128"];
  const DATABASE_URL = "postgres://localhost/tapewire";
  for (const TAPEWIRE_HOST of ["", "127.0.0.1", "127.0.0.53", "::1", "localhost"])
    assert.deepEqual(ranges({ TAPEWIRE_HOST }), thisMachine, TAPEWIRE_HOST);
  for (const TAPEWIRE_HOST of ["0.0.0.0", "::", "10.0.0.7", "93.184.215.14", "fd00::7", "127.example.com"])
    assert.deepEqual(ranges({ TAPEWIRE_HOST }), [], TAPEWIRE_HOST);
  assert.deepEqual(ranges({ TAPEWIRE_PUBLIC_URL: "https://news.example.com" }), []);
  assert.deepEqual(ranges({ TAPEWIRE_TRUST_PROXY: "1" }), []);
  assert.deepEqual(ranges({ DATABASE_URL }), []);
  assert.deepEqual(ranges({ TAPEWIRE_WEBHOOK_ALLOW: "none" }), []);
  const TAPEWIRE_WEBHOOK_ALLOW = "10.0.0.0/8, fd00::/8";
  for (const TAPEWIRE_HOST of ["127.0.0.1", "0.0.0.0"])
    assert.deepEqual(ranges({ DATABASE_URL, TAPEWIRE_HOST, TAPEWIRE_WEBHOOK_ALLOW }), [
      "10.0.0.0/8",
      "fd00::/8",
    ]);
  for (const wrong of ["10.0.0.1", "10.0.0.0/33", "fd00::/129", "localhost", "none,10.0.0.0/8"])
    assert.throws(
      () => readConfig({ TAPEWIRE_WEBHOOK_ALLOW: wrong }),
      /TAPEWIRE_WEBHOOK_ALLOW: '.*is not an address range/,
    );
});

test("the service's own port is no target, under any address of this machine and whatever is opened", async () => {
  const targets = new Targets({
    opened: ["0.0.0.0/0", "::/0"],
    ownPort: () => 8080,
    resolve: answering({ localhost: ["127.0.0.1"] }),
  });
  const outward = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
    .map(({ address }) => (isIP(address) === 6 ? `[${address}]` : address));
  const own = ["127.0.0.1", "127.9.9.9", "localhost", "0.0.0.0", "[::]", "[::1]", "[::ffff:127.0.0.1]"];
  for (const host of [...own, ...outward]) {
    assert.match(
      (await targets.refusal(`http://${host}:8080/`, "a")) ?? "",
      /leads to this service itself/,
      host,
    );
    assert.equal(await targets.refusal(`http://${host}:8081/`, "a"), null, host);
  }
  // Where the address is closed anyway, the port is not told to be the service's own.
  const closed = new Targets({ opened: ["192.0.2.0/24"], ownPort: () => 8080 });
  assert.match((await closed.refusal("http://127.0.0.1:8080/", "a")) ?? "", /^its scheme is http/);
  assert.equal(await connects(targets, "http://rebound.example.com:8080/", ["127.0.0.1"]), false);
  assert.equal(await connects(targets, "http://other.example.com:8080/", ["192.0.2.7"]), true);
});

test("what an operator could open is refused with the setting, and when this machine is open without it", async () => {
  const resolve = answering({ "inner.example.com": ["10.0.0.7"] });
  const closed = new Targets({ opened: [], resolve });
  const elsewhere = new Targets({ opened: ["192.0.2.0/24"], resolve });
  for (const targets of [closed, elsewhere])
    for (const [url, reason] of [
      ["http://127.0.0.1:9000/hook", /^its scheme is http, which is only for/],
      ["http://example.com/hook", /^its scheme is http, which is only for/],
      ["https://localhost/hook", /^its host has no address/],
      ["https://10.0.0.7/hook", /^its host has no address/],
      ["https://inner.example.com/hook", /^its host has no address/],
    ] as const) {
      const told = (await targets.refusal(url, "a")) ?? "";
      assert.match(told, reason, url);
      assert.match(told, /TAPEWIRE_WEBHOOK_ALLOW=127\.0\.0\.0\/8.*while the database is embedded/, url);
    }
  assert.doesNotMatch((await closed.refusal("ftp://127.0.0.1/", "a")) ?? "", /TAPEWIRE_WEBHOOK_ALLOW/);
});
