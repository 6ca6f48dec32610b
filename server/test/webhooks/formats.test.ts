import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { anyEngine } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";

const chats = ["slack", "discord", "telegram"] as const;
const endpoint = z.object({ id: z.string(), secret: z.string(), format: z.string() });
const slackPart = z.strictObject({
  type: z.literal("section"),
  text: z.strictObject({
    type: z.literal("mrkdwn"),
    text: z.string().min(1).max(3_000),
    verbatim: z.literal(true),
  }),
});
const slack = z.strictObject({
  text: z.string(),
  blocks: z.array(slackPart).min(2),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
});
const discord = z.strictObject({
  embeds: z.tuple([
    z.strictObject({
      title: z.string().min(1).max(256),
      url: z.url().optional(),
      description: z.string().max(4_096),
      color: z.int(),
      timestamp: z.iso.datetime(),
      footer: z.strictObject({ text: z.string() }),
    }),
  ]),
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
});
const telegram = z.strictObject({
  text: z.string().min(1).max(4_096),
  parse_mode: z.literal("HTML"),
  link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
});

const hostile = `Acme <!channel> & @everyone *raises* [guidance](https://evil.example) </a><b> "again"`;

describe("formats of deliveries", () => {
  let service: Service;
  let key: string;
  let receivers: Awaited<ReturnType<typeof startReceivers>>;
  before(async () => {
    receivers = await startReceivers({});
    service = await startService(anyEngine, { webhookAllow: ["127.0.0.0/8"] });
    ({ key } = await service.key("enterprise"));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await receivers[Symbol.asyncDispose]();
  });

  const call = (method: string, path: string, body: object, by = key) =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${by}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const create = async (path: string, more: object, by = key) =>
    endpoint.parse(
      await (await call("POST", "/v1/webhooks", { url: receivers.url(path), ...more }, by)).json(),
    );
  const came = async (path: string, count = 1) => {
    await until(() => receivers.at(path).length >= count, `${count} at ${path}`);
    const last = receivers.at(path).at(-1);
    assert.ok(last !== undefined);
    return last;
  };

  test("each chat gets a message of its own, signed as ever, in which a title is only text", async () => {
    const symbols = ["DEMO:CHAT"];
    const made = new Map(
      await Promise.all(
        chats.map(
          async (format) => [format, await create(`/${format}`, { format, filters: { symbols } })] as const,
        ),
      ),
    );
    const link = "https://news.example.com/a|b?x=1&y=%3E";
    await service.push({ title: hostile, external_id: "chat-1", symbols, link, source: "desk" });
    for (const format of chats) {
      const { body, headers } = await came(`/${format}`);
      const secret = made.get(format)?.secret ?? "";
      new Webhook(secret).verify(body, {
        "webhook-id": String(headers["webhook-id"]),
        "webhook-timestamp": String(headers["webhook-timestamp"]),
        "webhook-signature": String(headers["webhook-signature"]),
      });
    }
    const { text } = slack.parse(JSON.parse((await came("/slack")).body));
    assert.match(text, /^<https:\/\/news\.example\.com\/a%7Cb\?x=1&amp;y=%3E\|Acme &lt;!channel&gt; &amp; /);
    assert.match(text, /\n(Bullish|Neutral|Bearish) .*DEMO:CHAT\n/);
    assert.equal(text.match(/</g)?.length, 1, "the link is the only markup");
    const [embed] = discord.parse(JSON.parse((await came("/discord")).body)).embeds;
    assert.match(embed.title, /\\@everyone \\\*raises\\\* \\\[guidance\\\]\\\(/);
    assert.equal(embed.footer.text, "desk");
    const html = telegram.parse(JSON.parse((await came("/telegram")).body)).text;
    assert.match(html, /^<a href="https:\/\/news\.example\.com\/[^"<>]*">Acme &lt;!channel&gt; &amp; /);
    assert.deepEqual(
      html.match(/<[^>]*>/g)?.map((tag) => tag.slice(0, 3)),
      ["<a ", "</a", "<i>", "</i"],
    );
  });

  test("without a link, too, a title is only text", async () => {
    const symbols = ["DEMO:TEXT"];
    for (const format of chats) await create(`/text-${format}`, { format, filters: { symbols } });
    const title = "*Acme* ~up~ `5.5%` @desk #tag $TSLA /start evil.example https://evil.example/x in U.S.";
    await service.push({ title, external_id: "text-1", symbols, source: "desk" });
    const { blocks } = slack.parse(JSON.parse((await came("/text-slack")).body));
    const parts = blocks.map(({ text }) => text.text);
    assert.equal(parts[0]?.replaceAll("\u2060", ""), `*${title}*`, "as it is read");
    // Slack takes what stands within a word for no markup.
    assert.doesNotMatch(parts[0]?.slice(1, -1) ?? "", /(?<!\u2060)[*_~`]|[*_~`](?!\u2060)/);
    assert.equal(parts.at(-1), "_desk_");
    const [embed] = discord.parse(JSON.parse((await came("/text-discord")).body)).embeds;
    assert.match(embed.title, /https\\:\/\/evil/);
    const html = telegram.parse(JSON.parse((await came("/text-telegram")).body)).text;
    const [shown = ""] = /(?<=^<b>).*(?=<\/b>)/.exec(html) ?? [];
    assert.equal(shown.replaceAll("\u2060", ""), title, "as it is read");
    // Telegram finds mentions, tags, commands and addresses in the text itself.
    assert.doesNotMatch(shown, /[@#$/]\w|\w\.\w\w|:\//);
    assert.match(shown, /5\.5%.* U\.S\./, "figures and initials are left");
  });

  test("a revision and a withdrawal are told as such", async () => {
    const symbols = ["DEMO:LATER"];
    await create("/later", { format: "telegram", filters: { symbols } });
    const item = { external_id: "later", symbols, source: "desk" };
    const [{ id = "" } = {}] = await service.push({ ...item, title: "Before" });
    await came("/later", 1);
    await service.push({ ...item, title: "After" });
    assert.match(telegram.parse(JSON.parse((await came("/later", 2)).body)).text, /^<b>Revised: After<\/b>/);
    await service.admin("DELETE", `/admin/v1/items/${id}`);
    assert.match(
      telegram.parse(JSON.parse((await came("/later", 3)).body)).text,
      /^<b>RETRACTED: After<\/b>/,
    );
  });

  test("long titles and addresses stay within the limits of a chat", async () => {
    const symbols = ["DEMO:LONG"];
    for (const format of chats) await create(`/long-${format}`, { format, filters: { symbols } });
    const title = `${"[".repeat(255)}\u{1F680}${"x".repeat(300)}`;
    await service.push({
      title,
      external_id: "long",
      symbols,
      link: `https://news.example.com/${"é".repeat(900)}`,
    });
    const [embed] = discord.parse(JSON.parse((await came("/long-discord")).body)).embeds;
    assert.equal(embed.url, undefined);
    assert.ok(embed.title.isWellFormed() && !/(?:^|[^\\])(?:\\\\)*\\$/.test(embed.title));
    telegram.parse(JSON.parse((await came("/long-telegram")).body));
    slack.parse(JSON.parse((await came("/long-slack")).body));
  });

  test("the format can be changed, is tried by a test, and must be a known one", async () => {
    const { id, format } = await create("/changed", {});
    assert.equal(format, "tapewire");
    const changed = await call("PATCH", `/v1/webhooks/${id}`, { format: "slack" });
    assert.equal(endpoint.parse(await changed.json()).format, "slack");
    assert.equal((await call("POST", `/v1/webhooks/${id}/test`, {})).status, 200);
    assert.match(slack.parse(JSON.parse((await came("/changed")).body)).text, /^\*Test delivery\*/);
    const refused = await call("PATCH", `/v1/webhooks/${id}`, { format: "teams" });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /"name":"format"/);
  });
});
