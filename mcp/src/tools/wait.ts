import type { EventStream, QuotaEvent, StateEvent } from "tapewire";
import { z } from "zod";
import type { Room } from "../types.ts";
import { briefItem, itemLine, itemOf, type ShownItem } from "../wording/item.ts";
import { fitting, limits, ToolError } from "../wording/results.ts";
import { tool } from "./define.ts";
import { filterShape, subscriptionOf } from "./filters.ts";

/** After the first item, others that come with it are waited for this long. */
const lingerMs = 300;
/** The time that was asked for begins with the stream. */
const beginsWithinMs = 8_000;
const timeout = { min: 1, max: 50, fallback: 25 } as const;

interface Came {
  readonly item: ShownItem;
  readonly cursor: string;
}

interface Waited {
  readonly came: readonly Came[];
  /** Where to go on. */
  readonly cursor: string;
  readonly gap: string | null;
}

export const waitForItems = tool({
  name: "wait_for_items",
  title: "Wait for new items",
  description:
    "Waits until items that match come, or the time is over. Watch by calling again with after = cursor. Items count as live items of the plan. Filters as in search_feed.",
  input: z.strictObject({
    ...filterShape,
    after: z.string().min(1).max(100).optional().describe("cursor of the last call. Absent: from now on"),
    timeout_s: z.int().min(timeout.min).max(timeout.max).default(timeout.fallback),
  }),
  output: z.object({
    items: z.array(briefItem),
    cursor: z.string(),
    gap: z.string().optional().describe("items between after and these may be missing"),
    truncated: z.boolean().describe("more wait: call again with cursor"),
  }),
  run: async ({ after, timeout_s, ...filters }, room, signal) => {
    const waited = await wait(room, { filters, after, timeoutMs: timeout_s * 1_000 }, signal);
    const { came, gap } = waited;
    return fitting(came, (shown) => {
      const isCut = shown.length < came.length;
      const cursor = isCut ? (shown.at(-1)?.cursor ?? waited.cursor) : waited.cursor;
      const truncated = isCut || came.length > limits.items;
      const items = shown.map(({ item }) => item);
      return {
        data: {
          items,
          cursor,
          ...(gap === null ? {} : { gap }),
          truncated,
        },
        lines: [
          items.length === 0
            ? "No items came."
            : `${items.length} items, titles by third parties, oldest first:`,
          ...items.map(itemLine),
          ...(gap === null ? [] : [`Items may be missing before these: ${gap}.`]),
          ...(truncated ? ["More items wait: call again with this cursor."] : []),
          `cursor: ${cursor}`,
        ],
      };
    });
  },
});

interface Request {
  readonly filters: Parameters<typeof subscriptionOf>[0];
  readonly after: string | undefined;
  readonly timeoutMs: number;
}

/** One short subscription. It ends when the first items are there, and takes one more than fits to know whether more wait. */
async function wait(
  { tapewire, streamBy }: Room,
  { filters, after, timeoutMs }: Request,
  signal: AbortSignal,
): Promise<Waited> {
  signal.throwIfAborted();
  const stream = tapewire.stream({
    filters: subscriptionOf(filters),
    after,
    states: true,
    transport: streamBy ?? "auto",
  });
  const end = () => void stream.close();
  let timer = setTimeout(end, beginsWithinMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await collect(
      stream,
      (ms) => {
        clearTimeout(timer);
        timer = setTimeout(end, ms);
      },
      timeoutMs,
    );
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    await stream.close();
  }
}

/** @param endIn ends the stream after a time, instead of after the time given before */
async function collect(stream: EventStream, endIn: (ms: number) => void, timeoutMs: number): Promise<Waited> {
  const came: Came[] = [];
  let gap: string | null = null;
  for await (const event of stream) {
    if (event.type === "item") {
      came.push({ item: itemOf(event.item), cursor: event.cursor });
      if (came.length === 1) endIn(lingerMs);
      if (came.length > limits.items) break;
    } else if (event.type === "gap") gap = event.reason;
    else if (isBegun(event)) {
      if (came.length === 0) endIn(timeoutMs);
    } else if (event.type === "quota" || isLost(event)) {
      if (came.length === 0) throw new ToolError(whyNone(event));
      break;
    }
  }
  const cursor = came.at(-1)?.cursor ?? stream.cursor;
  // Without a place to go on, what comes next would be missed.
  if (cursor === null) throw new ToolError("The stream did not begin in time. Try again.");
  return { came, cursor, gap };
}

const isLost = (event: StateEvent) => event.state === "waiting";
const isBegun = (event: StateEvent | QuotaEvent): event is StateEvent =>
  event.type === "state" && (event.state === "live" || event.state === "replaying");

function whyNone(event: StateEvent | QuotaEvent): string {
  if (event.type === "state")
    return `Waiting needs one of the plan's streams, and none could be opened: ${event.reason || "the connection was lost"}`;
  return `quota_exceeded: the plan's ${event.limit} live items of the day are used; they begin again at ${event.resetAt.toISOString()}`;
}
