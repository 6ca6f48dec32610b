/**
 * Bodies for the incoming webhooks of chats. Titles are written by others, so nothing in them may become a mention, a link or
 * markup. Sources: api.slack.com/messaging/webhooks and /reference/block-kit/blocks#section, discord.com/developers/docs/
 * resources/webhook, core.telegram.org/bots/api#sendmessage.
 */
import type { StreamItem } from "@tapewire/contract/stream.ts";
import type { WebhookFormat } from "@tapewire/contract/webhooks.ts";
import { headlineOf, verdictLine } from "../../feed/headline.ts";

export type ChatFormat = Exclude<WebhookFormat, "tapewire">;

/** What a message says. */
interface Message {
  readonly title: string;
  /** null: there is none that a chat would take. */
  readonly link: string | null;
  /** Without empty ones. */
  readonly lines: readonly string[];
  /** -5 to +5; null: not judged, or withheld. */
  readonly direction: number | null;
  /** RFC 3339. */
  readonly at: string;
  readonly source: string;
}

/** Discord's limit, the lowest of the three. */
const longestTitle = 256;
const longestLink = 2_048;
/** Telegram takes 4,096 characters in all, and `telegramText` adds up to as many as it gets; Slack 3,000 a part, and `slackText` adds twice as many. */
const longestLine = 800;

const writers: Readonly<Record<ChatFormat, (message: Message) => object>> = {
  slack: ({ title, link, lines, source }) => {
    const parts = [
      link === null ? `*${slackText(title)}*` : `<${slackLink(link)}|${slackText(title)}>`,
      ...lines.map(slackText),
      `_${slackText(source)}_`,
    ];
    return {
      text: parts.join("\n"),
      // Slack makes links of the addresses in a text, but not in a part that is verbatim. What imitates Slack knows either.
      blocks: parts.map((text) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } })),
      unfurl_links: false,
      unfurl_media: false,
    };
  },
  discord: ({ title, link, lines, direction, at, source }) => ({
    embeds: [
      {
        title: discordTitle(title),
        ...(link === null ? {} : { url: link }),
        description: lines.map(discordText).join("\n"),
        color: colourOf(direction),
        timestamp: at,
        footer: { text: source },
      },
    ],
    allowed_mentions: { parse: [] },
  }),
  telegram: ({ title, link, lines, source }) => ({
    text: [
      link === null
        ? `<b>${telegramText(title)}</b>`
        : `<a href="${htmlText(link)}">${telegramText(title)}</a>`,
      ...lines.map(telegramText),
      `<i>${telegramText(source)}</i>`,
    ].join("\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  }),
};

/** The message about an item, without the scores that were withheld from it. */
export function chatMessage(format: ChatFormat, item: StreamItem): object {
  const { scoring } = item;
  const title = headlineOf(item) ?? "Item without a headline";
  const lines = [verdictLine(item), scoring.sentiment_comment ?? ""];
  return writers[format]({
    title: shortened(item.status === "revised" ? `Revised: ${title}` : title, longestTitle),
    link: linkOf(item.link),
    lines: lines.filter((line) => line !== "").map((line) => shortened(line, longestLine)),
    direction: scoring.sentiment_short,
    at: item.published_at,
    source: item.source,
  });
}

export function chatTest(format: ChatFormat, at: string): object {
  const lines = ["This endpoint receives items as they are scored."];
  return writers[format]({
    title: "Test delivery",
    link: null,
    lines,
    direction: null,
    at,
    source: "Tapewire",
  });
}

function linkOf(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  return isWeb && url.href.length <= longestLink ? url.href : null;
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not within a pair of surrogates.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const colours = { bullish: 0x2e_7d_32, bearish: 0xc6_28_28, neutral: 0x75_75_75 } as const;
function colourOf(direction: number | null): number {
  if (direction === null || direction === 0) return colours.neutral;
  return direction > 0 ? colours.bullish : colours.bearish;
}

/**
 * Slack reads mentions and links between angle brackets only. Beside a word joiner, which is unseen, a mark of its markup is
 * within a word, and no markup.
 */
const slackText = (text: string) =>
  text
    .replaceAll(/[*_~`]/g, "\u2060$&\u2060")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", " ");
const slackLink = (link: string) =>
  link.replaceAll("|", "%7C").replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("&", "&amp;");
const discordText = (text: string) => text.replaceAll(/[\\`*_~|[\]()<>#@-]|:(?=\/\/)/g, "\\$&");
/** Escaping makes a title longer: cut neither within an escape nor within a pair of surrogates. */
function discordTitle(title: string): string {
  let length = title.length;
  while (discordText(title.slice(0, length)).length > longestTitle) length -= 1;
  return discordText(title.slice(0, length).toWellFormed());
}
const htmlText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** Telegram finds mentions, tags, commands and addresses in any text, unless something stands within: a word joiner is unseen. */
const telegramText = (text: string) =>
  htmlText(text.replaceAll(/[@#/](?=[\p{L}\p{N}_])|\$(?=\p{L})|\.(?=\p{L}{2})|:(?=\/\/)/gu, "$&\u2060"));
