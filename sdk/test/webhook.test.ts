import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { Tapewire } from "tapewire";
import { type HeadersLike, sign, verify, WebhookError, type WebhookErrorReason } from "tapewire/webhook";
import { anyEngine } from "../../server/test/support/db.ts";
import { startReceivers, until } from "../../server/test/support/receiver.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { notice } from "../../server/test/support/stream-connect.ts";

const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString("base64")}`;
const nowS = () => Math.floor(Date.now() / 1_000);
const refusedFor = (reason: WebhookErrorReason) => (error: unknown) =>
  error instanceof WebhookError && error.reason === reason;

for (const [name, libraryOf] of [
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)],
] as const)
  test(`what we sign ${name} takes, and what it signs we take`, async () => {
    const anyBody = fc.json().filter((text) => typeof JSON.parse(text) === "object");
    await fc.assert(
      fc.asyncProperty(anyBody, fc.uuid(), fc.integer({ min: 24, max: 64 }), async (body, uuid, bytes) => {
        const [secret, id] = [newSecret(bytes), `msg_${uuid}`];
        const at = new Date();
        const timestampS = Math.floor(at.getTime() / 1_000);
        const ours = await sign(body, [newSecret(), secret], { id, timestampS });
        libraryOf(secret).verify(body, ours);
        const theirs = {
          "Webhook-Id": id,
          "Webhook-Timestamp": String(timestampS),
          "Webhook-Signature": libraryOf(secret).sign(id, at, body),
        };
        assert.deepEqual(await verify(body, theirs, secret), JSON.parse(body));
        assert.equal(ours["webhook-signature"].split(" ")[1], theirs["Webhook-Signature"]);
      }),
      { numRuns: 50 },
    );
  });

describe("verify", () => {
  const [secret, old] = [newSecret(), newSecret()];
  const body = JSON.stringify({ type: "feed.scored", data: { title: "Crédit — 決算 🚀" } });
  const refused = (reason: WebhookErrorReason, headers: HeadersLike, text = body, using = secret) =>
    assert.rejects(verify(text, headers, using), refusedFor(reason));
  const signed = (at = nowS()) => sign(body, secret, { id: "msg_1", timestampS: at });

  test("takes headers and bodies of every kind, and one right secret of two", async () => {
    const headers = await signed();
    const bytes = new TextEncoder().encode(body);
    for (const form of [headers, new Headers(headers)])
      assert.equal((await verify(body, form, [old, secret])).type, "feed.scored");
    for (const form of [bytes, Buffer.from(body), bytes.buffer]) await verify(form, headers, secret);
  });

  test("takes one right signature among wrong ones and unknown versions", async () => {
    const { "webhook-signature": right, ...others } = await signed();
    const with_ = (text: string) => ({ ...others, "webhook-signature": text });
    await verify(body, with_(`v2,${right.slice(3)} v1,AAAA v1,*** ${right}`), secret);
    await refused("bad_signature", with_(`v1a,${right.slice(3)}`));
    await refused("bad_signature", with_(`${"v1,AAAA ".repeat(10)}${right}`));
  });

  test("refuses what is changed, missing, too old or too new", async () => {
    const headers = await signed();
    await refused("bad_signature", headers, `${body} `);
    await refused("bad_signature", headers, body, old);
    await refused("bad_signature", { ...headers, "webhook-id": "msg_2" });
    await refused("bad_signature", { ...headers, "webhook-timestamp": String(nowS() - 1) });
    await refused("missing_header", { ...headers, "webhook-id": undefined });
    await refused("bad_timestamp", { ...headers, "webhook-timestamp": "soon" });
    await refused("too_old", await signed(nowS() - 302));
    await refused("too_new", await signed(nowS() + 302));
    await refused("bad_secret", headers, body, "whsec_???");
    await verify(body, await signed(nowS() - 3_000), secret, { toleranceS: 4_000 });
    await refused("bad_body", await sign("{", secret, { id: "msg_1" }), "{");
  });
});

describe("a live delivery", () => {
  let service: Service;
  before(async () => {
    service = await startService(anyEngine, { webhookAllow: ["127.0.0.0/8"] });
  });
  after(() => service[Symbol.asyncDispose]());

  test("is verified, and so is a test event", async () => {
    await using receivers = await startReceivers({});
    const tw = new Tapewire({ baseUrl: service.url, key: (await service.key("enterprise")).key });
    const { id, secret } = await tw.webhooks.create({ url: receivers.url("/hook") });
    await tw.webhooks.test(id);
    const item = notice();
    await service.push(item);
    await until(() => receivers.at("/hook").length === 2, "both have come");
    const [tested, scored] = receivers.at("/hook");
    const events = [tested, scored].map((one) => verify(one?.body ?? "", one?.headers ?? {}, secret));
    const [first, second] = await Promise.all(events);
    assert.deepEqual(first?.type === "webhook.test" && first.data, { webhook_id: id });
    assert.ok(second?.type === "feed.scored");
    assert.deepEqual([second.data.title, second.seq], [item.title, scored?.seq]);
  });
});
