import type { Entry } from "./entry.ts";
import type { ReaderFeed } from "./types.ts";

/** An article as a newsfeed widget of OpenBB Workspace reads it. Source: https://docs.openbb.co/workspace, Newsfeed. */
interface Article {
  readonly title: string;
  /** RFC 3339. */
  readonly date: string;
  readonly author: string;
  readonly excerpt: string;
  /** Markdown. */
  readonly body: string;
}

const longestExcerpt = 200;

export function newsfeedOf({ entries }: ReaderFeed): readonly Article[] {
  return entries.map(articleOf);
}

function articleOf({ item, title, summary, verdict, author }: Entry): Article {
  const said = summary ?? "";
  const paragraphs = [
    ...(verdict === "" ? [] : [`**${plain(verdict)}**`]),
    ...(said === "" ? [] : [plain(said)]),
    ...(item.link === null ? [] : [`[Read it at its source](<${item.link}>)`]),
  ];
  return {
    title: title ?? said.slice(0, longestExcerpt),
    date: item.published_at,
    author,
    excerpt: verdict === "" ? said.slice(0, longestExcerpt) : verdict,
    body: paragraphs.join("\n\n"),
  };
}

/** Text by others as Markdown that shows it as it is. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|<>~&-]/g, "\\$&");
}
