import type { Connection } from "../../http/settings.ts";
import type { SubscriptionFilters } from "../../types.ts";
import type { StreamEvent, StreamOptions } from "../types.ts";
import { missed, Past } from "./fill.ts";

const saveEveryMs = 1_000;

/** What a stream does for the options `checkpoint` and `fill`. */
export interface Aids {
  /** The cursor that was saved last. */
  load(): Promise<string | null>;
  /** Saves the newest cursor, at most once a second and one at a time. */
  note(cursor: string | null): void;
  /** Saves what is noted. */
  end(): Promise<void>;
  /** What the consumer gets of an event: no version of an item twice, and after a gap its items. */
  given(event: StreamEvent, filters: SubscriptionFilters): AsyncGenerator<StreamEvent, void, undefined>;
}

export function aidsOf(
  connection: Connection,
  { checkpoint, fill = false }: StreamOptions,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Aids {
  let wanted: string | null = null;
  let saved: string | null = null;
  let saving = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const past = fill === false ? null : new Past(fill === true ? null : fill.since);
  const save = async () => {
    const cursor = wanted;
    if (cursor === null || cursor === saved) return;
    try {
      await checkpoint?.save(cursor);
      saved = cursor;
    } catch (error) {
      failed(error);
    }
  };
  const end = () => {
    clearTimeout(timer);
    timer = undefined;
    saving = saving.then(save);
    return saving;
  };
  return {
    async load() {
      saved = (await checkpoint?.load()) ?? null;
      return saved;
    },
    note(cursor) {
      if (checkpoint === undefined || cursor === saved) return;
      wanted = cursor;
      timer ??= setTimeout(end, saveEveryMs);
    },
    end,
    async *given(event, filters) {
      if (past === null || (event.type !== "item" && event.type !== "gap")) yield event;
      else if (event.type === "item") {
        if (past.add(event)) yield event;
      } else {
        yield { ...event, filled: past.since !== null };
        try {
          for await (const item of missed(connection, event, past, filters, signal)) {
            if (signal.aborted) return;
            if (past.add(item)) yield item;
          }
        } catch (error) {
          failed(error);
        }
      }
    },
  };
}
