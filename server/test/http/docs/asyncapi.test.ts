import assert from "node:assert/strict";
import { test } from "node:test";
import { asyncApiDocument } from "@tapewire/contract/description/asyncapi.ts";
import { clientFrame, closeCodes, serverFrame } from "@tapewire/contract/stream.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { dictionary } from "../../support/dictionary.ts";

const document = asyncApiDocument(dictionary, "https://feed.example.com/tapewire/");
const { stream } = document.channels;
const messages = Object.entries(document.components.messages);

/** Validates against a schema of the document. */
function check(schema: object, value: unknown, at: string): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: "tapewire:asyncapi" });
  const valid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"tapewire:asyncapi#/')));
  assert.ok(valid(value), `${at}: ${ajv.errorsText(valid.errors)}`);
}

test("every frame that there is, both ways, is a message of the channel with an example", () => {
  const frames = [...clientFrame(dictionary).options, ...serverFrame.options].map(
    ({ shape }) => shape.type.value,
  );
  assert.deepEqual(Object.keys(stream.messages).sort(), frames.sort());
  for (const [name, { examples, summary }] of messages) {
    assert.ok(examples.length > 0, name);
    assert.match(summary, /\.$/);
  }
});

test("every example is what its schema says, and what the service itself reads", () => {
  const client = clientFrame(dictionary);
  const isClients = (name: string) => client.options.some(({ shape }) => shape.type.value === name);
  for (const [name, { payload, examples }] of messages)
    for (const example of examples) {
      check(payload, example.payload, example.name);
      (isClients(name) ? client : serverFrame).parse(example.payload);
    }
});

test("a schema refuses what the service refuses", () => {
  const subscribe = document.components.messages.subscribe?.payload ?? {};
  for (const frame of [
    { type: "subscribe", filters: { symbol: ["A"] } },
    { type: "subscribe", filters: { tags: { mood: ["x"] } } },
    { type: "subscribe", snapshot: -1 },
    { type: "welcome" },
  ])
    assert.throws(() => check(subscribe, frame, "subscribe"), JSON.stringify(frame));
});

test("every operation uses messages of the channel, and every message is used", () => {
  const used = Object.values(document.operations).flatMap(({ messages: own, reply }) => [
    ...own,
    ...(reply?.messages ?? []),
  ]);
  const named = new Set(used.map(({ $ref }) => $ref.replace("#/channels/stream/messages/", "")));
  assert.deepEqual([...named].sort(), Object.keys(stream.messages).sort());
});

test("every reference leads somewhere, and every schema is referred to", () => {
  const refs = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g));
  for (const ref of refs) {
    let at: unknown = document;
    for (const part of ref.slice(2).split("/"))
      at = typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined;
    assert.notEqual(at, undefined, ref);
  }
  for (const name of Object.keys(document.components.schemas))
    assert.ok(refs.has(`#/components/schemas/${name}`), name);
});

test("the server is this one; every close code is told", () => {
  const { host, pathname, protocol } = document.servers.stream;
  assert.deepEqual(
    [protocol, host, pathname, stream.address],
    ["wss", "feed.example.com", "/tapewire", "/v1/stream"],
  );
  const told = stream["x-close-codes"].map(({ code }) => code);
  for (const code of Object.values(closeCodes)) assert.ok(told.includes(code), String(code));
});
