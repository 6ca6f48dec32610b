import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { signatures, signingKey } from "../../../src/webhooks/send/sign.ts";

const recorded = join(
  import.meta.dirname,
  "../../../../../shared/data/webhooks/standard-webhooks-vectors.json",
);
const withVectors = existsSync(recorded) ? {} : { skip: "the recorded vectors are not here" };

const vectorFile = z.object({
  fixed: z.array(
    z.object({
      name: z.string(),
      secret: z.string().optional(),
      id: z.string(),
      timestamp: z.int(),
      body: z.string(),
      signature: z.string(),
    }),
  ),
  negative: z.array(z.object({ name: z.string(), secret: z.string() })),
});

test("the specification's vectors", withVectors, () => {
  const { fixed, negative } = vectorFile.parse(JSON.parse(readFileSync(recorded, "utf8")));
  let checked = 0;
  for (const { name, secret, id, timestamp, body, signature } of fixed) {
    // Public-key signatures are of the receiver's choice elsewhere; here all are symmetric.
    if (secret === undefined) continue;
    const signed = { id, timestampS: timestamp, body: Buffer.from(body) };
    assert.equal(signatures(signed, [signingKey(secret)]), signature, name);
    checked += 1;
  }
  assert.equal(checked, 7);
  const taken = negative.filter(({ secret }) => isSecret(secret)).map(({ name }) => name);
  assert.deepEqual(taken, ["unpadded 32 byte"], "the only odd form that all receivers' libraries read alike");
});

test("a vector of the specification", () => {
  const key = signingKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const body = Buffer.from('{"test": 2432232314}');
  const signed = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampS: 1_614_265_330, body };
  assert.equal(signatures(signed, [key]), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("each key signs, in order; any body, byte by byte", () => {
  const anyKey = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(anyKey, { minLength: 1, maxLength: 3 }), fc.uint8Array(), (raw, bytes) => {
      const keys = raw.map((key) => signingKey(`whsec_${key.toString("base64")}`));
      const body = Buffer.from(bytes);
      const hmac = (key: Buffer) =>
        createHmac("sha256", key)
          .update(Buffer.concat([Buffer.from("msg_1.7."), body]))
          .digest("base64");
      const want = raw.map((key) => `v1,${hmac(key)}`).join(" ");
      assert.equal(signatures({ id: "msg_1", timestampS: 7, body }, keys), want);
    }),
  );
});

test("ids that would break a header, or what is signed, are refused", () => {
  const key = signingKey(`whsec_${randomBytes(32).toString("base64")}`);
  const sign = (id: string) => () => signatures({ id, timestampS: 7, body: Buffer.alloc(0) }, [key]);
  for (const id of ["", "a.b", "a b", "a\r\nhost: evil", "a\n", "a\u0000", "é", "a\u2028", "\ud800"])
    assert.throws(sign(id), RangeError, JSON.stringify(id));
  sign("msg_0190a1b2c3d47000800000000000000f_1-~!")();
});

test("secrets of another form are refused", () => {
  const bytes = (count: number) => Buffer.alloc(count, 7).toString("base64");
  for (const secret of [
    "",
    "whsec_",
    bytes(32),
    `whsec_${bytes(23)}`,
    `whsec_${bytes(65)}`,
    `whsec_${Buffer.alloc(32, 0xff).toString("base64url")}`,
    `whsec_${bytes(32)}\n`,
    `whsk_${bytes(32)}`,
  ])
    assert.equal(isSecret(secret), false, JSON.stringify(secret));
  for (const count of [24, 32, 33, 64]) assert.equal(isSecret(`whsec_${bytes(count)}`), true);
});

function isSecret(text: string): boolean {
  try {
    signingKey(text);
    return true;
  } catch (error) {
    assert.ok(error instanceof RangeError);
    assert.equal(text.length > 10 && error.message.includes(text), false, "the message tells the secret");
    return false;
  }
}
