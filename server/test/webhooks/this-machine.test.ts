import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { startReceivers, until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const inside = "what only this machine may read";
const deliveries = z.object({
  data: z.array(z.object({ status: z.string(), attempts: z.array(z.object({ response: z.null() })) })),
});

test("a Free key reaches this machine only where nobody else can, and reads nothing of it", async (context) => {
  await using receivers = await startReceivers({ "/inside": () => ({ text: inside }) });
  await using trial = await startService("pglite", { demo: "off" });
  const { key } = await trial.key("free");
  let { url } = trial;
  const told: string[] = [];
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${url}/v1/webhooks${path}`, init);
    const text = await answer.text();
    told.push(text);
    return { status: answer.status, body: JSON.parse(text) };
  };
  const made = await call("POST", "", { url: receivers.url("/inside") });
  assert.equal(made.status, 201, told.at(-1));
  const webhook = `/${made.body.id}`;

  await context.test("bound to loopback: the status is told, the answer is not", async () => {
    const { body } = await call("POST", `${webhook}/test`);
    assert.deepEqual([body.ok, body.status_code, body.response], [true, 200, null]);
    await trial.push({ title: "Brandmoor names a chief", external_id: "inside-1" });
    const log = async () => deliveries.parse((await call("GET", `${webhook}/deliveries`)).body).data;
    await until(async () => (await log()).length === 1, "it is logged");
    assert.deepEqual(await log(), [{ status: "delivered", attempts: [{ response: null }] }]);
    assert.ok(!told.some((text) => text.includes(inside)));
  });

  await context.test("the service itself is no target", async () => {
    const { port } = new URL(url);
    for (const host of ["127.0.0.1", "localhost", "127.0.0.2"]) {
      const { status, body } = await call("PATCH", webhook, { url: `http://${host}:${port}/admin/v1/keys` });
      assert.deepEqual([status, body.code], [400, "invalid_url"], host);
    }
  });

  await context.test("bound to all addresses: it is closed, to endpoints of before too", async () => {
    const { dataDir } = trial.config;
    await trial.app[Symbol.asyncDispose]();
    await using reached = await startService("pglite", { dataDir, demo: "off", host: "0.0.0.0" });
    url = reached.url;
    const before = receivers.at("/inside").length;
    assert.equal((await call("POST", `${webhook}/test`)).body.error, "address_refused");
    const { status, body } = await call("PATCH", webhook, { url: receivers.url("/other") });
    assert.deepEqual([status, body.code], [400, "invalid_url"]);
    await reached.push({ title: "Brandmoor names two chiefs", external_id: "inside-2" });
    const failures = async () => {
      const { data } = (await call("GET", `${webhook}/deliveries?status=due`)).body;
      return data.map((one: { attempts: { error: string }[] }) => one.attempts.map(({ error }) => error));
    };
    await until(async () => (await failures()).length === 1, "the delivery has failed");
    assert.deepEqual(await failures(), [["address_refused"]]);
    assert.equal(receivers.at("/inside").length, before);
  });
});
