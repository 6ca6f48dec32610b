import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { natsAddressOf } from "../../src/config/nats-address.ts";

const plain = { user: null, password: null, token: null, tls: false };

test("an address of NATS is read, with its credentials apart from its servers", () => {
  assert.deepEqual(natsAddressOf("nats://10.0.0.4"), { ...plain, servers: ["10.0.0.4:4222"] });
  assert.deepEqual(natsAddressOf("tls://bus.quillmere.example:4443"), {
    ...{ ...plain, tls: true },
    servers: ["bus.quillmere.example:4443"],
  });
  assert.deepEqual(natsAddressOf("nats://ada:p%40ss@a:1,nats://ada:p%40ss@[::1]:2"), {
    ...{ ...plain, user: "ada", password: "p@ss" },
    servers: ["a:1", "[::1]:2"],
  });
  assert.deepEqual(natsAddressOf("nats://t0ken@a"), { ...plain, token: "t0ken", servers: ["a:4222"] });
});

test("what is no address of one NATS is refused by the name of the setting, without its secrets", () => {
  const wrong = [
    "http://a",
    "nats://",
    "nats://a/path",
    "nats://a?user=x",
    "nats://ada:s3cret@a,nats://eve:s3cret@b",
    "nats://a,tls://b",
    "nats://ada:%zz@a",
    "nats://s3cret@a, b",
  ];
  for (const value of wrong)
    assert.throws(
      () => readConfig({ NATS_URL: value }),
      (error: Error) => error.message.startsWith("NATS_URL: ") && !error.message.includes("s3cret"),
      value,
    );
  assert.equal(readConfig({ NATS_URL: "nats://a:4222" }).natsUrl, "nats://a:4222");
});
