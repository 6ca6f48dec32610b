import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { checkHost, checkTarget, isPublicAddress, publicLookup } from "../../src/runtime/addresses.ts";

const recorded = join(import.meta.dirname, "../../../../shared/data/webhooks/ssrf-cases.json");
const withCases = existsSync(recorded) ? {} : { skip: "the recorded targets are not here" };

const targetCase = z.object({
  kind: z.string(),
  url: z.string().optional(),
  want: z.string(),
  why: z.string().optional(),
  answers: z.array(z.string()).optional(),
});

function cases(kind: string) {
  const all = z.object({ cases: z.array(targetCase) }).parse(JSON.parse(readFileSync(recorded, "utf8")));
  return all.cases.filter((one) => one.kind === kind).map((one) => ({ ...one, url: one.url ?? "" }));
}

type Answer = readonly string[];

/** What a connection would get for a name that resolves to `answer`. */
function lookup(answer: Answer, all = true): Promise<unknown> {
  const find = publicLookup({
    resolve: async () => answer.map((address) => ({ address, family: isIP(address) })),
  });
  return new Promise((resolve, reject) => {
    find("name.example", { all }, (error, address) => (error === null ? resolve(address) : reject(error)));
  });
}

const refused = { code: "EADDRNOTPUBLIC" };

test("every recorded target is refused or let through as it should be", withCases, () => {
  const wrong = cases("url").filter(({ url, want }) => (checkTarget(url) !== null) !== (want === "reject"));
  assert.deepEqual(wrong, []);
  assert.equal(cases("url").length, 96);
});

test(
  "every recorded answer of a name server is refused or let through as it should be",
  withCases,
  async () => {
    for (const { answers = [], want, why } of cases("dns"))
      if (want === "reject") await assert.rejects(lookup(answers), refused, why);
      else await lookup(answers);
    assert.equal(cases("dns").length, 13);
  },
);

const isPublic: Readonly<Record<string, boolean>> = {
  "1.1.1.1": true,
  "9.255.255.255": true,
  "10.0.0.0": false,
  "11.0.0.0": true,
  "100.63.255.255": true,
  "100.64.0.0": false,
  "100.127.255.255": false,
  "100.128.0.0": true,
  "126.255.255.255": true,
  "127.255.255.255": false,
  "168.63.129.15": true,
  "168.63.129.16": false,
  "169.254.169.254": false,
  "172.15.255.255": true,
  "172.16.0.0": false,
  "172.32.0.0": true,
  "198.17.255.255": true,
  "198.19.255.255": false,
  "198.20.0.0": true,
  "223.255.255.255": true,
  "224.0.0.0": false,
  "255.255.255.255": false,
  "::": false,
  "::1": false,
  "::7f00:1": false,
  "::1.1.1.1": false,
  "::ffff:1.1.1.1": true,
  "::ffff:101:101": true,
  "::FFFF:127.0.0.1": false,
  "0:0:0:0:0:ffff:a9fe:a9fe": false,
  "::ffff:0:1.1.1.1": false,
  "64:ff9b::101:101": false,
  "64:ff9b:1::1": false,
  "2000::1": true,
  "2001::1": false,
  "2001:200::1": true,
  "2001:db7::1": true,
  "2001:db8::1": false,
  "2002:101:101::1": false,
  "2606:4700:4700::1111": true,
  "2620:4f:8000::1": false,
  "3fff::1": false,
  "3fff:1000::1": true,
  "4000::1": false,
  "5f00::1": false,
  "fd00:ec2::254": false,
  "fe80::1": false,
  "fe80::1%eth0": false,
  "2606:4700::1%eth0": false,
  "ff02::1": false,
  "1.1.1": false,
  "1.1.1.1.": false,
  "1.1.1.256": false,
  "0x1.1.1.1": false,
  "1::2::3": false,
  "example.com": false,
  "": false,
};

test("addresses at the edges of what is public", () => {
  const wrong = Object.entries(isPublic).filter(([ip, want]) => isPublicAddress(ip) !== want);
  assert.deepEqual(wrong, []);
});

test("an IPv4 address is judged the same in its IPv6 spellings, and as Node's own list judges it", () => {
  const closed = new BlockList();
  for (const [net, prefix] of [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.31.196.0", 24],
    ["192.52.193.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["192.175.48.0", 24],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const)
    closed.addSubnet(net, prefix, "ipv4");
  closed.addAddress("168.63.129.16", "ipv4");
  const octet = fc.oneof(
    fc.constantFrom(0, 2, 10, 16, 31, 63, 64, 88, 99, 100, 113, 127, 129, 168, 169, 172, 192, 198, 203, 254),
    fc.nat(255),
  );
  fc.assert(
    fc.property(octet, octet, octet, octet, (...octets) => {
      const ip = octets.join(".");
      const want = !closed.check(ip, "ipv4");
      const hex = octets.map((one) => one.toString(16).padStart(2, "0")).join("");
      const mapped = `::ffff:${hex.slice(0, 4)}:${hex.slice(4)}`;
      assert.deepEqual(
        [isPublicAddress(ip), isPublicAddress(`::ffff:${ip}`), isPublicAddress(mapped)],
        [want, want, want],
      );
      assert.equal(checkTarget(`https://${Number.parseInt(hex, 16)}/`) === null, want);
    }),
    { numRuns: 2_000 },
  );
});

test("one private address among public ones refuses the name", async () => {
  assert.deepEqual(await lookup(["93.184.215.14", "2606:4700::1"]), [
    { address: "93.184.215.14", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ]);
  assert.equal(await lookup(["93.184.215.14", "1.1.1.1"], false), "93.184.215.14");
  await assert.rejects(lookup(["93.184.215.14", "10.0.0.5"]), /name\.example leads to 10\.0\.0\.5/);
  await assert.rejects(lookup(["93.184.215.14", "::1"], false), refused);
  await assert.rejects(lookup([]), refused);
});

test("the system's resolver is asked for all addresses, and its failure is passed on", async () => {
  const find = publicLookup();
  const ask = (host: string) =>
    new Promise((resolve, reject) => {
      find(host, {}, (error, address) => (error === null ? resolve(address) : reject(error)));
    });
  await assert.rejects(ask("localhost"), refused);
  await assert.rejects(ask("no-such-host.invalid"), ({ code }) => code !== refused.code);
});

test("who runs the service may allow more", () => {
  const isAllowed = (ip: string) => ip === "127.0.0.1";
  const protocols = ["http:", "https:"];
  assert.equal(checkTarget("http://127.0.0.1:8080/x", { protocols, isAllowed }), null);
  assert.notEqual(checkTarget("http://127.0.0.2/", { protocols, isAllowed }), null);
  assert.match(checkTarget("ftp://example.com/", { protocols }) ?? "", /not http or https/);
  assert.equal(checkHost("example.com."), null);
  assert.notEqual(checkHost("example.com.."), null);
});
