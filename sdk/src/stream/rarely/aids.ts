import type { Connection } from "../../http/settings.ts";
import type { Intake } from "../intake.ts";
import type { StreamOptions } from "../types.ts";
import { fillerOf, type Given } from "./fill.ts";

const saveEveryMs = 1_000;

/** What a stream does for the options `checkpoint` and `fill`. */
export interface Aids {
  /** The cursor that was saved last. */
  load(): Promise<string | null>;
  /** Saves the newest cursor, at most once a second and one at a time. */
  note(cursor: string | null): void;
  /** Saves what is noted. */
  end(): Promise<void>;
  readonly given: Given;
}

export function aidsOf(
  connection: Connection,
  { checkpoint, fill }: StreamOptions,
  signal: AbortSignal,
  intake: Pick<Intake, "clear" | "failed">,
): Aids {
  let wanted: string | null = null;
  let saved: string | null = null;
  let saving = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const given = fill ? fillerOf(connection, fill === true ? null : fill.since, signal) : null;
  const save = async () => {
    const cursor = wanted;
    if (!cursor || cursor === saved) return;
    try {
      await checkpoint?.save(cursor);
      saved = cursor;
    } catch (error) {
      intake.failed(error);
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
      if (!checkpoint || cursor === saved) return;
      wanted = cursor;
      timer ??= setTimeout(end, saveEveryMs);
    },
    end,
    async *given(event, filters) {
      try {
        yield* given?.(event, filters) ?? [event];
      } catch (error) {
        intake.failed(error);
        // The position stays before the gap, so that the next run meets it again: nothing behind it may be given.
        intake.clear();
      }
    },
  };
}
