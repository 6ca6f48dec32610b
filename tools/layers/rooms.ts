/** Rooms: folders whose files others import through doors only. Tests, tools, benches, training and eval are free. */
import type { SourceFile } from "./source.ts";

/**
 * The doors of each room, as paths in its folder; its types.ts is one without being listed. A room inside a room is
 * closed to whoever stands outside of both, unless the outer room lists the file as well. A folder inside a room that
 * is not listed belongs to that room.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  "scoring/src/linking": ["symbols.ts", "sec-tickers.ts", "table/symbol-table.ts"],
  "scoring/src/linking/table": ["symbol-table.ts"],
  "scoring/src/tags": ["tags.ts"],
  "scoring/src/language": ["language.ts"],
  "scoring/src/flash": ["flash.ts", "events/events.ts"],
  "scoring/src/flash/words": ["scan.ts", "lexicon.ts", "phrase-index.ts"],
  "scoring/src/flash/cues": ["cues.ts"],
  "scoring/src/flash/events": ["events.ts"],
  "scoring/src/flash/heads": ["judge.ts", "model.ts"],
  "scoring/src/pro": ["pro.ts"],
  "scoring/src/pro/reading": ["reading.ts"],
  "scoring/src/pro/reading/facts": ["fact-book.ts"],
};

/** Outer rooms before the rooms inside them, so that the first closed door on the way is the one that is told. */
const byDepth = Object.entries(rooms).toSorted(([a], [b]) => a.length - b.length);

export const roomViolations = ({ path, imports }: SourceFile): string[] =>
  imports.flatMap(({ target }) => {
    const closed = byDepth.find(
      ([room, doors]) =>
        target?.startsWith(`${room}/`) === true &&
        !path.startsWith(`${room}/`) &&
        ![...doors, "types.ts"].includes(target.slice(room.length + 1)),
    );
    if (closed === undefined) return [];
    const [room, doors] = closed;
    return [`${path}: imports ${target} past the door of ${room}: ${doors.join(", ")}`];
  });
