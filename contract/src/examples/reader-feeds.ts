import type { JsonFeed } from "../feed-reads/json-feed.ts";
import { artifact, headline, item, symbol } from "./judged-item.ts";
import { exampleCursor } from "./values.ts";

const home = "https://tapewire.example.com";
const query = "symbol=OBTX&limit=1";
const markup = `<p>${artifact.body}</p><p class="tapewire-verdict">Bullish +4 (conviction 92) · actionable 75 · ${symbol.symbol}</p>`;

const json: JsonFeed = {
  version: "https://jsonfeed.org/version/1.1",
  title: "Tapewire",
  home_page_url: `${home}/`,
  feed_url: `${home}/v1/feeds.json?${query}`,
  next_url: `${home}/v1/feeds.json?${query}&cursor=${exampleCursor}`,
  items: [
    {
      id: item.id,
      url: "https://news.example.com/orbitex-guidance",
      title: headline,
      content_html: markup,
      summary: artifact.body,
      date_published: item.published_at,
      date_modified: item.updated_at,
      authors: [{ name: "Newsdesk" }],
      tags: [symbol.symbol, "guidance_raised"],
      language: "en",
      _tapewire: {
        type: item.type,
        source: item.source,
        provider_id: item.provider_id,
        status: item.status,
        symbols: [symbol],
        event: "guidance_raised",
        actionability: true,
        actionability_score: 75,
        sentiment_short: 4,
        sentiment_long: 3,
        sentiment_conviction: 92,
      },
    },
  ],
};

const rss = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel>
    <title>Tapewire</title>
    <link>${home}/</link>
    <description>Scored news and regulatory filings</description>
    <ttl>1</ttl>
    <item>
      <title>${headline}</title>
      <link>${item.link}</link>
      <description><![CDATA[${markup}]]></description>
      <category domain="tapewire:symbol">${symbol.symbol}</category>
      <category domain="tapewire:event">guidance_raised</category>
      <guid isPermaLink="false">${item.id}</guid>
      <pubDate>${new Date(item.published_at).toUTCString()}</pubDate>
      <dc:creator>Newsdesk</dc:creator>
      <dc:publisher>${item.provider_id}</dc:publisher>
      <dc:language>en</dc:language>
    </item>
  </channel>
</rss>
`;

/** The item in the formats of feed readers. */
export const readerExamples = { json, rss };
