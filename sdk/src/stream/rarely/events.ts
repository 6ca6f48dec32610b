import { toQuery } from "../../filters/wire.ts";
import { ask } from "../../http/ask.ts";
import { queryText } from "../../http/query.ts";
import type { Connection } from "../../http/settings.ts";
import type { ServerFrame } from "../../types.ts";
import type { Ended, Line } from "../link.ts";

/** A frame, or the event that says why the stream ends. */
type EventFrame = ServerFrame | { type: "close"; code: number; reason: string };

const ended: Ended = { code: 0, reason: "the connection ended" };

/**
 * The stream by server-sent events. @returns how it ended
 * @throws {TapewireError} for a refusal, {ConnectionError} without an answer
 */
export async function sse(line: Line, connection: Connection, key: string): Promise<Ended> {
  const { filters, after, snapshot } = line.subscribe;
  const query = queryText({ ...toQuery(filters), after, snapshot });
  const { body } = await ask(connection, `/v1/stream/sse${query}`, key, {
    headers: { accept: "text/event-stream" },
    signal: line.signal,
  });
  return body ? read(line, body.getReader()) : ended;
}

/**
 * What is not read stays in the connection, and then in the server's log: unsubscribe and subscribe only stop reading and
 * go on.
 */
async function read(line: Line, body: ReadableStreamDefaultReader<Uint8Array>): Promise<Ended> {
  const { came } = line;
  const decoder = new TextDecoder();
  let stopped: Promise<void> | undefined;
  /** Goes on reading; null: reading is not stopped. */
  let resume: (() => void) | null = null;
  line.send = ({ type }) => {
    if (type === "unsubscribe") {
      stopped = new Promise((resolve) => {
        resume = resolve;
      });
      came({ type: "unsubscribed", cursor: "" }, 0);
    } else if (!resume) return;
    else if (type === "subscribe") {
      came({ type: "subscribed", filters: {}, cursor: "", resumed: true, snapshot: 0 }, 0);
      resume();
      resume = null;
    } else came({ type: "pong", cursor: "", time: "" }, 0);
  };
  for (let rest = ""; ; ) {
    await stopped;
    const { done, value } = await body.read();
    if (done) return ended;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      // Other blocks are comments, or the time to wait before a reconnection, which the error frame tells as well.
      const data = /^data: ?(.*)$/m.exec(block)?.[1];
      if (!data) continue;
      const frame: EventFrame = JSON.parse(data);
      if (frame.type === "close") return frame;
      came(frame, block.length);
    }
  }
}
