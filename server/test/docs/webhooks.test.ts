import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { signatures, signingKey } from "../../src/webhooks/send/sign.ts";

const text = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
const blocks = (language: string) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code = ""]) =>
    name === language ? [code] : [],
  );

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const other = `whsec_${randomBytes(32).toString("base64")}`;
const body = Buffer.from('{"type":"webhook.test","data":{"note":"Grüße"}}');
const nowS = Math.floor(Date.now() / 1000);

function headersOf(timestampS: number, secrets: readonly string[]): Record<string, string> {
  const id = "msg_test_1";
  const signature = signatures({ id, timestampS, body }, secrets.map(signingKey));
  return { "webhook-id": id, "webhook-timestamp": String(timestampS), "webhook-signature": signature };
}

/** What somebody else may post. */
function without(name: string): [headers: Record<string, string>, genuine: boolean] {
  return [
    Object.fromEntries(Object.entries(headersOf(nowS, [secret])).filter(([key]) => key !== name)),
    false,
  ];
}

/** What a receiver is to say: genuine or not. */
const cases: readonly [headers: Record<string, string>, genuine: boolean][] = [
  [headersOf(nowS, [secret]), true],
  [headersOf(nowS, [other, secret]), true],
  [headersOf(nowS, [other]), false],
  [headersOf(nowS - 400, [secret]), false],
  [{ ...headersOf(nowS, [secret]), "webhook-id": "msg_test_2" }, false],
  [{}, false],
  ...["webhook-id", "webhook-timestamp", "webhook-signature"].map(without),
  [{ ...headersOf(nowS, [secret]), "webhook-timestamp": "soon" }, false],
  [{ ...headersOf(nowS, [secret]), "webhook-signature": "v1,ü" }, false],
];

const python = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "no python3 here" };

test("the check by hand for Node tells what is genuine", async () => {
  const [, code = ""] = blocks("js");
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  assert.ok(typeof module === "object" && module !== null && "isGenuine" in module);
  const { isGenuine } = module;
  assert.ok(typeof isGenuine === "function");
  for (const [headers, genuine] of cases) assert.equal(isGenuine(headers, body, secret), genuine);
});

test("the check for Python tells what is genuine", python, async () => {
  const [code = ""] = blocks("python");
  const told = `${code}\nimport json, sys\nfor headers in json.load(sys.stdin):\n    print(is_genuine(headers, ${JSON.stringify(body.toString())}.encode(), "${secret}"))`;
  const child = spawn("python3", ["-c", told]);
  let out = "";
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stdin.end(JSON.stringify(cases.map(([headers]) => headers)));
  await once(child, "close");
  assert.deepEqual(
    out.trim().split("\n"),
    cases.map(([, genuine]) => (genuine ? "True" : "False")),
  );
});
