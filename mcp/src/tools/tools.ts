import type { Room } from "../types.ts";
import type { Shown } from "../wording/results.ts";
import type { Tool } from "./define.ts";
import { explainItem, getItem } from "./items.ts";
import { scoreText } from "./score.ts";
import { searchFeed } from "./search.ts";
import { feedStats } from "./stats.ts";
import { symbolOverview } from "./symbols.ts";
import { listValues } from "./values.ts";
import { waitForItems } from "./wait.ts";

/** Few on purpose: every one is read by the model in every conversation. */
export const tools: readonly Tool[] = [
  searchFeed,
  getItem,
  explainItem,
  symbolOverview,
  feedStats,
  scoreText,
  waitForItems,
  listValues,
];

/** What get_item says, for the resource of an item. */
export const readItem = (id: string, room: Room, signal: AbortSignal): Promise<Shown> =>
  getItem.run({ id, include_text: false, text_offset: 0 }, room, signal);

/** What symbol_overview says, for the resource of a symbol. */
export const readSymbol = (symbol: string, room: Room, signal: AbortSignal): Promise<Shown> =>
  symbolOverview.run({ symbol, hours: 24 }, room, signal);
