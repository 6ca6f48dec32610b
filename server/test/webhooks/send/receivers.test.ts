import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { signingKey } from "../../../src/webhooks/send/sign.ts";
import { newSender, reply, startReceiver } from "./receiver.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** How a customer checks a delivery: `verify` of the standard's library, or of Svix's, throws when it is not ours. */
const libraries = [
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)],
] as const;

/** Head and body of a delivery as a receiver gets them. */
function received(text: string): { body: string; headers: Record<string, string> } {
  const headEnd = text.indexOf("\r\n\r\n");
  const lines = text.slice(0, headEnd).split("\r\n").slice(1);
  const headers = lines.map((line) => [line.split(": ", 1)[0] ?? "", line.slice(line.indexOf(": ") + 2)]);
  return {
    body: Buffer.from(text.slice(headEnd + 4), "latin1").toString("utf8"),
    headers: Object.fromEntries(headers),
  };
}

for (const [name, libraryOf] of libraries) {
  test(`${name} takes deliveries, their retries, and both secrets during a rotation`, async () => {
    await using receiver = await startReceiver(({ socket, index }) =>
      socket.write(reply(index === 0 ? "500 Not yet" : "200 OK")),
    );
    await using sender = newSender();
    const [current, previous, other] = [newSecret(), newSecret(), newSecret()];
    const payload = { type: "feed.scored", data: { title: "Crédit Agricole — 決算 🚀", seq: 7 } };
    const delivery = {
      url: `http://127.0.0.1:${receiver.port}/hook`,
      id: "msg_0190a1b2c3d47000800000000000000f_7",
      body: Buffer.from(JSON.stringify(payload)),
    };
    await sender.send({ ...delivery, keys: [signingKey(current)] });
    await sender.send({ ...delivery, keys: [signingKey(current)] });
    await sender.send({ ...delivery, keys: [signingKey(current), signingKey(previous)] });
    const [first, retry, rotated] = receiver.requests.map(received);
    assert.ok(first !== undefined && retry !== undefined && rotated !== undefined);
    for (const { body, headers } of [first, retry, rotated]) {
      libraryOf(current).verify(body, headers);
      assert.deepEqual(JSON.parse(body), payload);
      assert.throws(() => libraryOf(other).verify(body, headers));
      assert.throws(() => libraryOf(current).verify(`${body} `, headers));
      assert.throws(() => libraryOf(current).verify(body, { ...headers, "webhook-id": "msg_2" }));
    }
    assert.equal(first.headers["webhook-id"], retry.headers["webhook-id"]);
    libraryOf(previous).verify(rotated.body, rotated.headers);
    assert.throws(() => libraryOf(previous).verify(first.body, first.headers));
  });
}
