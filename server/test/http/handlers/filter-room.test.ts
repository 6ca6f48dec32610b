import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { maxAccountFilterLength } from "@tapewire/contract/filter.ts";
import { anyEngine } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";
import { connect } from "../../support/stream-connect.ts";

/** About 60,000 characters as JSON; another filter for each number. */
const large = (n: number) => ({
  symbols: Array.from({ length: 300 }, (_, at) => `${n}-${at}`.padEnd(197, "X")),
});
const fitting = Math.floor(maxAccountFilterLength / JSON.stringify(large(10)).length);

describe("the filters of an account have room together", () => {
  let service: Service;
  before(async () => {
    service = await startService(anyEngine, { demo: "off" });
  });
  after(() => service[Symbol.asyncDispose]());

  test("those of its webhook endpoints", async () => {
    const { key } = await service.key("enterprise");
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const answer = await fetch(`${service.url}/v1/webhooks${path}`, init);
      return { status: answer.status, text: await answer.text() };
    };
    const url = "https://1.1.1.1/hook";
    const made = await Promise.all(
      Array.from({ length: fitting }, (_, n) => call("POST", "", { url, filters: large(n) })),
    );
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
    const refused = await call("POST", "", { url, filters: large(99) });
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, /"filters".*2,097,152 characters/);
    const { id }: { id: string } = JSON.parse((await call("POST", "", { url })).text);
    const widened = await call("PATCH", `/${id}`, { filters: large(99) });
    assert.equal(widened.status, 400, widened.text);
    const first: { id: string } = JSON.parse(made[0]?.text ?? "");
    assert.equal(
      (await call("PATCH", `/${first.id}`, { filters: large(98) })).status,
      200,
      "in its own place",
    );
    assert.equal((await call("PATCH", `/${first.id}`, { filters: null })).status, 200);
    assert.equal((await call("PATCH", `/${id}`, { filters: large(99) })).status, 200);
  });

  test("those of its streams; what is refused leaves the old one in force, and what ends makes room", async () => {
    const { key } = await service.key("enterprise");
    await using stack = new AsyncDisposableStack();
    const open = async () => stack.use(await connect(service, key));
    const clients = await Promise.all(Array.from({ length: fitting }, open));
    await Promise.all(clients.map((client, n) => client.subscribe({ filters: large(n) })));
    const late = await open();
    await late.subscribe({ filters: { symbols: ["DEMO:OBTX"] } });
    late.send({ type: "subscribe", id: 7, filters: large(99) });
    const { code, message, id, fatal } = await late.next("error");
    assert.deepEqual([code, id, fatal], ["invalid_frame", 7, false]);
    assert.match(message, /2,097,152 characters/);
    await service.push({ title: "Orbitex raises its outlook", symbols: ["DEMO:OBTX"] });
    await late.next("feed");
    const [first, second] = clients;
    assert.ok(first !== undefined && second !== undefined);
    await first.subscribe({ filters: large(98) });
    first.send({ type: "unsubscribe" });
    await first.next("unsubscribed");
    await late.subscribe({ filters: large(99) });
    first.send({ type: "subscribe", filters: large(97) });
    await first.next("error");
    await second.close();
    for (let answer = "error"; answer !== "subscribed"; ) {
      first.send({ type: "subscribe", filters: large(97) });
      answer = (await first.nextOf("subscribed", "error")).type;
    }
  });
});
