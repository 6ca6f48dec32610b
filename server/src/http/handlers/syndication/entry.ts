import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { headlineOf, verdictLine } from "../../../feed/headline.ts";
import { html } from "../../docs/html.ts";

/** An item as feed readers show it. */
export interface Entry {
  readonly item: FeedItem;
  /** null: the item has none. */
  readonly title: string | null;
  /** Extract of the text; null: the item has none. */
  readonly summary: string | null;
  /** The score in one line, and the symbols; "" when there is neither. */
  readonly verdict: string;
  /** The extract, and the score in a line of its own. */
  readonly markup: string;
  /** Name of the provider. */
  readonly author: string;
  readonly symbols: readonly string[];
}

/** The class of the score's line. Who reads the feed as a source of news must not take it for the publisher's words. */
const verdictClass = "tapewire-verdict";

/** XML 1.0 cannot say these, not even escaped. */
const unsayable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** @param author name of the item's provider */
export function entryOf(item: FeedItem, summary: string | null, author: string): Entry {
  const said = summary === null || summary === "" ? null : clean(summary);
  const verdict = clean(verdictLine(item));
  const title = headlineOf(item);
  const paragraphs = [
    ...(said === null ? [] : [html`<p>${said}</p>`]),
    ...(verdict === "" ? [] : [html`<p class="${verdictClass}">${verdict}</p>`]),
  ];
  return {
    item,
    title: title === null ? null : clean(title),
    summary: said,
    verdict,
    markup: html`${paragraphs}`.markup,
    author: clean(author),
    symbols: item.symbols.map(({ symbol }) => symbol),
  };
}

const clean = (text: string) => text.replaceAll(unsayable, "");
