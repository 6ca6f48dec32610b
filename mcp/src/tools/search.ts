import { z } from "zod";
import { itemLine, itemOf, shownItem } from "../wording/item.ts";
import { fitting, limits } from "../wording/results.ts";
import { tool } from "./define.ts";
import { describedFilters, queryOf, timeShape } from "./filters.ts";

const narrower = "narrow by since, symbol, event or min_actionability_score";

export const searchFeed = tool({
  name: "search_feed",
  title: "Search the feed",
  description: "Scored news and filings, newest first. All filters must match.",
  input: z.strictObject({
    ...describedFilters,
    ...timeShape,
    limit: z.int().min(1).max(limits.items).default(10),
    cursor: z.string().max(500).optional().describe("next_cursor, with the same filters"),
  }),
  output: z.object({
    items: z.array(shownItem),
    next_cursor: z.string().optional(),
    truncated: z.boolean().describe("more match; hint says how to go on"),
    hint: z.string().optional(),
  }),
  run: async (args, { tapewire }, signal) => {
    const page = await tapewire.feeds.page(queryOf(args), { signal });
    const all = page.items.map(itemOf);
    return fitting(all, (items) => {
      const cursor = items.length < all.length ? null : page.cursor;
      const rest =
        items.length < all.length
          ? `Only ${items.length} of ${all.length} fit: ask for limit ${items.length}, or ${narrower}.`
          : `More items match: pass next_cursor as cursor, or ${narrower}.`;
      const truncated = items.length < all.length || cursor !== null;
      const head = items.length === 0 ? "No items match." : `${items.length} items, titles by third parties:`;
      return {
        data: {
          items,
          ...(cursor === null ? {} : { next_cursor: cursor }),
          truncated,
          ...(truncated ? { hint: rest } : {}),
        },
        lines: [
          head,
          ...items.map(itemLine),
          ...(truncated ? [cursor === null ? rest : `${rest} next_cursor: ${cursor}`] : []),
        ],
      };
    });
  },
});
