import { z } from "zod";
import { eventFields, symbolRef } from "../feeds.ts";

const score = z.int().nullable();

/** What an item says beyond a feed's members, in an extension as JSON Feed names them. */
const extension = z
  .object({
    type: z.string().describe("Kind of text: news, filing, research or ugc."),
    source: z.string().describe("Source that the item was read from."),
    provider_id: z.string().describe("Who issued or wrote the item."),
    status: z.string().describe("published, revised or retracted."),
    symbols: z.array(symbolRef).describe("Companies and instruments that the item is about."),
    event: eventFields.event,
    actionability: z.boolean().nullable().describe("Whether the item is rated likely to move the price."),
    actionability_score: score.describe("0 to 100."),
    sentiment_short: score.describe("Direction over hours to days, -5 to +5."),
    sentiment_long: score.describe("Direction over weeks to quarters, -5 to +5."),
    sentiment_conviction: score.describe("Confidence in the short direction, 0 to 100."),
  })
  .meta({ id: "JsonFeedExtension" });

/** The list as JSON Feed 1.1. Source: https://www.jsonfeed.org/version/1.1/ */
export const jsonFeed = z
  .object({
    version: z.literal("https://jsonfeed.org/version/1.1").describe("The format."),
    title: z.string().describe("Name of the feed."),
    home_page_url: z.url().describe("Address of this service."),
    feed_url: z.url().describe("Address of the feed, without a key."),
    next_url: z
      .url()
      .optional()
      .describe(
        "The page of older items. It has the key that the query of the request had. Absent: there is none.",
      ),
    items: z
      .array(
        z
          .object({
            id: z.uuid().describe("Id of the item."),
            url: z.url().optional().describe("Address of the item at its source."),
            title: z
              .string()
              .optional()
              .describe("Headline. It begins with RETRACTED: when the source has withdrawn the item."),
            content_html: z.string().describe("Extract of the text, and the score in one line."),
            summary: z.string().optional().describe("Extract: at most 3 sentences of the source."),
            date_published: z.string().describe("published_at of the item."),
            date_modified: z.string().describe("When the item last changed."),
            authors: z
              .array(z.object({ name: z.string().describe("Name of the provider.") }))
              .describe("The provider."),
            tags: z.array(z.string()).describe("Symbols and kind of event."),
            language: z.string().optional().describe("ISO 639-1."),
            _tapewire: extension,
          })
          .meta({ id: "JsonFeedItem" }),
      )
      .describe("Newest first."),
  })
  .meta({ id: "JsonFeed" });
export type JsonFeed = z.infer<typeof jsonFeed>;
