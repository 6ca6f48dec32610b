import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { TLSSocket } from "node:tls";
import { z } from "zod";
import { newResolver } from "../../../src/webhooks/send/resolver.ts";
import { selfSigned } from "../../support/certificates.ts";
import { nameServer, type Records } from "./name-server.ts";
import { answering, newSender, outgoing, type Request, reply, startReceiver, until } from "./receiver.ts";

const recorded = join(import.meta.dirname, "../../../../../shared/data/webhooks/ssrf-cases.json");
const withCases = existsSync(recorded) ? {} : { skip: "the recorded targets are not here" };
const caseFile = z.object({
  cases: z.array(
    z.object({
      kind: z.enum(["url", "dns", "live"]),
      url: z.string().default(""),
      want: z.string(),
      answers: z.array(z.string()).default([]),
    }),
  ),
});

/** Resolves names to a list of answers, one after another; the last one stays. */
function resolvingTo(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  const resolve = async (): Promise<LookupAddress[]> => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  return { resolve, asked: () => asked };
}

/** Counts whoever connects to any address of this machine. */
const listenAround = () => startReceiver(answering("200 OK"), { host: null });

test("no spelling of an address of this machine or its networks is connected to", async () => {
  await using inside = await listenAround();
  await using sender = newSender({ opened: [] });
  const hosts = [
    "127.0.0.1 127.1 127.000.000.001 0177.0.0.1 0x7f.1 2130706433 0x7f000001 017700000001 127.0.0.1. 127.1.2.3",
    "0 0.0.0.0 10.0.0.1 169.254.169.254 192.168.1.1 172.16.0.1 100.100.100.200 168.63.129.16 255.255.255.255",
    "[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1]",
    "[2002:7f00:1::] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1] [2001:db8::1] [::ffff:0:127.0.0.1]",
    "１２７.0.0.1 ①②⑦.0.0.1 127。0。0。1",
  ]
    .join(" ")
    .split(" ");
  for (const protocol of ["http", "https"])
    for (const host of hosts) {
      const { error } = await sender.send(outgoing(`${protocol}://${host}:${inside.port}/`));
      assert.ok(error === "address_refused", `${protocol} ${host}: ${error}`);
    }
  assert.equal(inside.connections, 0);
});

test(
  "what is recorded as an attack is not connected to, were it stored as an endpoint",
  withCases,
  async () => {
    const { cases } = caseFile.parse(JSON.parse(readFileSync(recorded, "utf8")));
    const attacks = cases.filter(({ kind, want }) => kind !== "live" && want === "reject");
    for (const { url, answers } of attacks) {
      // Names lead inside unless it is recorded where they lead.
      const { resolve } = resolvingTo(answers.length === 0 ? ["10.0.0.1"] : answers);
      await using sender = newSender({ opened: [], resolve });
      const { error } = await sender.send(outgoing(url));
      assert.match(String(error), /^(?:invalid_url|address_refused|dns_refused)$/, url);
    }
    assert.ok(attacks.length > 80, `${attacks.length} attacks`);
  },
);

test("a name is refused for any of its addresses, whatever the others are, and at every connect", async () => {
  await using inside = await listenAround();
  const refused = [
    ["127.0.0.1"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["::ffff:7f00:1"],
    ["93.184.215.14", "127.0.0.1"],
    ["127.0.0.1", "93.184.215.14"],
    ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::1"],
    ["93.184.215.14", "169.254.169.254"],
    ["fe80::1%lo"],
    ["0.0.0.0"],
    [],
  ];
  for (const addresses of refused) {
    await using sender = newSender({ opened: [], resolve: resolvingTo(addresses).resolve });
    for (const protocol of ["http", "https"]) {
      const { error } = await sender.send(outgoing(`${protocol}://hooks.example.com:${inside.port}/`));
      assert.equal(error, "dns_refused", String(addresses));
    }
  }
  const { resolve } = resolvingTo(["93.184.215.14"], ["127.0.0.1"]);
  await using sender = newSender({ opened: [], resolve });
  for (const name of ["localhost", "printer", "db.internal", "metadata.google.internal"])
    assert.equal((await sender.send(outgoing(`https://${name}:${inside.port}/`))).error, "dns_refused");
  assert.equal(inside.connections, 0);
});

test("the address connected to is the one that was judged: one question a connection", async () => {
  await using opened = await startReceiver(({ socket }) => socket.end(reply("200 OK")));
  await using sender = newSender({
    opened: ["127.0.0.1/32"],
    resolve: resolvingTo(["127.0.0.1"], ["127.0.0.2"]).resolve,
  });
  const url = `http://hooks.example.com:${opened.port}/`;
  assert.equal((await sender.send(outgoing(url))).ok, true);
  await until(() => opened.open === 0);
  // The next connection asks again, and is told of another address.
  assert.equal((await sender.send(outgoing(url))).error, "dns_refused");
  assert.equal(opened.connections, 1);

  const names = resolvingTo(["127.0.0.1"], ["127.0.0.2"]);
  await using keeping = await startReceiver(answering("200 OK"));
  await using other = newSender({ opened: ["127.0.0.1/32"], resolve: names.resolve });
  for (let sent = 0; sent < 3; sent += 1)
    assert.equal((await other.send(outgoing(`http://hooks.example.com:${keeping.port}/`))).ok, true);
  assert.deepEqual([names.asked(), keeping.connections], [1, 1]);
});

test("real name servers: both families are judged, one that changes its mind is believed anew, a silent one is left", async () => {
  const zone = new Map<string, Records>([
    ["good.example.com", { A: ["127.0.0.1"], AAAA: [] }],
    ["mixed.example.com", { A: ["127.0.0.1"], AAAA: ["fe80::1"] }],
    ["six.example.com", { A: [], AAAA: ["::1"] }],
    ["half.example.com", { A: ["127.0.0.1"], AAAA: null }],
  ]);
  await using server = await nameServer(zone);
  await using opened = await startReceiver(({ socket }) => socket.end(reply("200 OK")));
  await using sender = newSender({
    opened: ["127.0.0.1/32"],
    resolve: newResolver({ servers: [`127.0.0.1:${server.port}`] }),
    limits: { resolveMs: 1_000 },
  });
  const send = async (host: string) => {
    const { status, error } = await sender.send(outgoing(`http://${host}:${opened.port}/`));
    return status ?? error;
  };
  assert.equal(await send("good.example.com"), 200);
  assert.equal(await send("mixed.example.com"), "dns_refused");
  assert.equal(await send("six.example.com"), "dns_refused");
  zone.set("good.example.com", { A: ["127.0.0.2"], AAAA: [] });
  assert.equal(await send("good.example.com"), "dns_refused");
  assert.equal(await send("silent.example.com"), "dns_timeout");
  assert.equal(await send("half.example.com"), 200, "silent about one family only");
  assert.equal(opened.connections, 2);
});

test("names of this machine's network are the system's to resolve", async () => {
  await using inside = await listenAround();
  await using sender = newSender();
  assert.equal((await sender.send(outgoing(`http://localhost:${inside.port}/`))).ok, true);
});

test("a silent name server holds nobody else up", async () => {
  await using opened = await startReceiver(answering("200 OK"));
  const silent = Promise.withResolvers<never>();
  const resolve = (host: string): Promise<LookupAddress[]> =>
    host.startsWith("silent") ? silent.promise : Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  await using sender = newSender({ resolve, limits: { resolveMs: 200 } });
  const waiting = Array.from({ length: 32 }, (_, number) =>
    sender.send(outgoing(`http://silent${number}.example.com/`)),
  );
  assert.equal((await sender.send(outgoing(`http://good.example.com:${opened.port}/`))).ok, true);
  for (const { error } of await Promise.all(waiting)) assert.equal(error, "dns_timeout");
});

test("a name that the system looks up without end holds up no name of the private network", async () => {
  const unknown = { A: [], AAAA: [] };
  const zone = new Map<string, Records>([
    ["endless.example.com", unknown],
    ["listed.example.com", unknown],
  ]);
  await using server = await nameServer(zone);
  await using opened = await startReceiver(answering("200 OK"));
  const found = Promise.withResolvers<LookupAddress[]>();
  const here: LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];
  const asked: string[] = [];
  const resolve = newResolver({
    servers: [`127.0.0.1:${server.port}`],
    system: (host) => {
      asked.push(host);
      return host.startsWith("endless") ? found.promise : Promise.resolve(here);
    },
  });
  const { signal } = new AbortController();
  const endless = resolve("endless.example.com", signal);
  await until(() => asked.length === 1);
  const listed = resolve("listed.example.com", signal);
  await using sender = newSender({ resolve });
  assert.equal((await sender.send(outgoing(`http://hooks.internal:${opened.port}/`))).ok, true);
  found.resolve(here);
  assert.deepEqual([await endless, await listed], [here, here]);
  const twice = [resolve("db.internal", signal), resolve("db.internal", signal)];
  assert.deepEqual(await Promise.all(twice), [here, here]);
  const names = ["endless.example.com", "hooks.internal", "listed.example.com", "db.internal"];
  assert.deepEqual(asked, names, "who asks for a name that is being looked up shares its answer");
});

test("redirects are answers, and not followed", async () => {
  await using inside = await listenAround();
  for (const status of ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]) {
    await using receiver = await startReceiver(
      answering(status, "", [`location: http://127.0.0.1:${inside.port}/`, "refresh: 0"]),
    );
    await using sender = newSender();
    const attempt = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
    assert.deepEqual([attempt.ok, attempt.status], [false, Number(status.slice(0, 3))]);
    assert.equal(receiver.requests.length, 1);
  }
  assert.equal(inside.connections, 0);
});

test("proxies of the environment are not asked", async () => {
  await using proxy = await listenAround();
  await using receiver = await startReceiver(answering("200 OK"));
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  const before = names.map((name) => process.env[name]);
  try {
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    await using sender = newSender({ limits: { connectMs: 100 } });
    assert.equal((await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`))).ok, true);
    await sender.send(outgoing(`https://127.0.0.1:${receiver.port}/`));
  } finally {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  assert.equal(proxy.connections, 0);
});

test("https: the certificate is checked, whatever the environment says, and the connection kept", async () => {
  const good = selfSigned({ hosts: ["hooks.example.com", "127.0.0.1"] });
  const expired = selfSigned({ hosts: ["hooks.example.com"], validUntil: new Date("2025-01-01") });
  const { resolve } = resolvingTo(["127.0.0.1"]);
  const ends = async (host: string, tls: typeof good, ca?: readonly string[]) => {
    const answer = ({ socket }: Request) => {
      assert.ok(socket instanceof TLSSocket);
      // RFC 6066, 3: an address is no server name; of a name without its last dot.
      assert.equal(socket.servername || null, isIP(host) === 0 ? "hooks.example.com" : null);
      assert.equal(socket.alpnProtocol, "http/1.1");
      socket.write(reply("200 OK"));
    };
    await using receiver = await startReceiver(answer, { tls });
    await using sender = newSender({ resolve, ...(ca === undefined ? {} : { ca }) });
    const url = `https://${host}:${receiver.port}/hook`;
    const { status, error } = await sender.send(outgoing(url));
    const again = await sender.send(outgoing(url));
    assert.deepEqual([again.status, again.error], [status, error]);
    if (status === null) assert.equal(receiver.requests.length, 0, "sent in spite of it");
    else assert.equal(receiver.connections, 1, "not kept");
    sender.forget(url);
    await until(() => receiver.open === 0);
    if (status !== null)
      assert.equal((await sender.send(outgoing(url))).ok, true, "a session that is resumed");
    return status ?? error;
  };
  const strict = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    assert.equal(await ends("hooks.example.com", good), "tls_untrusted");
    assert.equal(await ends("other.example.com", good, [good.cert]), "tls_name");
    assert.equal(await ends("hooks.example.com", expired, [expired.cert]), "tls_expired");
    assert.equal(await ends("hooks.example.com", good, [good.cert]), 200);
    assert.equal(await ends("hooks.example.com.", good, [good.cert]), 200);
    assert.equal(await ends("127.0.0.1", good, [good.cert]), 200);
  } finally {
    if (strict === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = strict;
  }
});

test("https to what speaks no TLS, or nothing", async () => {
  await using plain = await startReceiver(() => {});
  await using sender = newSender({ limits: { connectMs: 200 } });
  const url = `https://127.0.0.1:${plain.port}/`;
  assert.equal((await sender.send(outgoing(url))).error, "connect_timeout");
  await until(() => plain.open === 0);
  await using rude = await startReceiver(() => {}, {
    greet: (socket) => socket.write("220 mail.example.com ESMTP\r\n"),
  });
  assert.equal((await sender.send(outgoing(`https://127.0.0.1:${rude.port}/`))).error, "tls_failed");
  const gone = await startReceiver(() => {});
  await gone[Symbol.asyncDispose]();
  for (const protocol of ["http", "https"])
    assert.equal(
      (await sender.send(outgoing(`${protocol}://127.0.0.1:${gone.port}/`))).error,
      "connect_refused",
    );
});
