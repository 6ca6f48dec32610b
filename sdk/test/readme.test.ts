import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { sign } from "tapewire/webhook";
import { z } from "zod";
import { anyEngine } from "../../server/test/support/db.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { notices } from "../../server/test/support/stream-connect.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);
const programs = examples.filter((code) => !code.includes("export async function"));
const handlers = examples.filter((code) => code.includes("export async function"));

const post = z.object({
  POST: z.function({ input: [z.instanceof(Request)], output: z.promise(z.instanceof(Response)) }),
});
const lambdaEvent = z.object({
  body: z.string(),
  headers: z.record(z.string(), z.string()),
  isBase64Encoded: z.boolean(),
});
const lambda = z.object({
  handler: z.function({ input: [lambdaEvent], output: z.promise(z.object({ statusCode: z.int() })) }),
});
const express = z.object({
  hook: z.function({ input: [z.unknown(), z.unknown()], output: z.promise(z.void()) }),
});

describe("the README", () => {
  let service: Service;
  let folder = "";
  let env: Record<string, string | undefined> = {};
  const written = (name: string, code: string) => {
    writeFileSync(join(folder, name), code);
    return join(folder, name);
  };
  before(async () => {
    // Inside the workspace, so that the library is found by its name.
    mkdirSync(new URL("../dist/", import.meta.url), { recursive: true });
    folder = mkdtempSync(new URL("../dist/readme-", import.meta.url).pathname);
    service = await startService(anyEngine);
    const { key } = await service.key("enterprise");
    env = { PATH: process.env.PATH, TAPEWIRE_URL: service.url, TAPEWIRE_KEY: key };
    await service.push(...notices(3, { symbols: ["DEMO:OBTX"] }));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service[Symbol.asyncDispose]();
  });

  test("has examples of both kinds", () => {
    assert.deepEqual([programs.length, handlers.length], [6, 3]);
  });

  for (const [index, code] of programs.entries())
    test(`program ${index + 1} runs to its end and prints something`, async () => {
      const path = written(`program-${index}.mjs`, code);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], { env });
      assert.deepEqual([stdout === "", stderr], [false, ""]);
    });

  test("its handlers of webhooks take what is genuine, and nothing else", async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    process.env.WEBHOOK_SECRET = secret;
    const body = JSON.stringify({ type: "webhook.test", timestamp: "", data: { webhook_id: "1" } });
    const headers = await sign(body, secret, { id: "msg_1" });
    const modules: unknown[] = [];
    for (const [index, code] of handlers.entries())
      modules.push(await import(pathToFileURL(written(`handler-${index}.mjs`, code)).href));
    for (const [text, status] of [
      [body, 204],
      [`${body} `, 400],
    ] as const) {
      const request = new Request("http://hook.invalid/", { method: "POST", headers, body: text });
      assert.equal((await post.parse(modules[0]).POST(request)).status, status);
      const sent: number[] = [];
      const response = { sendStatus: (code: number) => void sent.push(code) };
      await express.parse(modules[1]).hook({ body: Buffer.from(text), headers }, response);
      assert.deepEqual(sent, [status]);
      const base64 = Buffer.from(text).toString("base64");
      const answer = await lambda.parse(modules[2]).handler({ body: base64, headers, isBase64Encoded: true });
      assert.equal(answer.statusCode, status);
    }
    delete process.env.WEBHOOK_SECRET;
  });
});
