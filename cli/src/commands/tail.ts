import { setTimeout as delay } from "node:timers/promises";
import { feedItem } from "@tapewire/contract/feeds.ts";
import WebSocket from "ws";
import { z } from "zod";
import { apiKey, baseUrl, CliError } from "../client.ts";
import type { Options } from "../main.ts";

const frame = z.looseObject({ type: z.string() });
const feedFrame = z.looseObject({
  cursor: z.string(),
  data: z.looseObject({
    ...feedItem.pick({ title: true, published_at: true, source: true, symbols: true }).shape,
    scoring: z.looseObject({
      locked: z.boolean(),
      actionability: z.boolean().nullable(),
      actionability_score: z.number().nullable(),
      sentiment_short: z.number().nullable(),
      sentiment_conviction: z.number().nullable(),
    }),
  }),
});
type Item = z.infer<typeof feedFrame>["data"];

/** Prints items as they are scored; reconnects and goes on where it was. Ends on Ctrl-C. */
export async function tail(_: string[], options: Options): Promise<number> {
  const url = `${baseUrl(options).replace(/^http/, "ws")}/v1/stream`;
  const snapshot = Number(options.snapshot ?? 10);
  if (!Number.isInteger(snapshot) || snapshot < 0) throw new CliError("--snapshot takes a whole number", 2);
  let after: string | null = null;
  for (let failures = 0; ; failures++) {
    const subscribe = {
      type: "subscribe",
      filters: filters(options),
      ...(after === null ? { snapshot } : { after }),
    };
    const ended = await follow(url, apiKey(options), subscribe, (text) => {
      failures = 0;
      after = print(text, options) ?? after;
    });
    if (ended.final) throw new CliError(ended.reason);
    console.error(`${ended.reason}; reconnecting ...`);
    await delay(Math.min(30_000, 500 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random()));
  }
}

function filters({ symbol, exchange, source, actionable }: Options) {
  const list = (text: string | undefined) => text?.split(",").map((part) => part.trim());
  return {
    symbols: list(symbol),
    exchanges: list(exchange),
    aggregators: list(source),
    ...(actionable === true ? { actionability: true } : {}),
  };
}

function follow(url: string, key: string, subscribe: object, onText: (text: string) => void) {
  return new Promise<{ final: boolean; reason: string }>((resolve) => {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
    socket.on("open", () => socket.send(JSON.stringify(subscribe)));
    socket.on("message", (data) => onText(data.toString()));
    socket.on("unexpected-response", (_, response) => {
      // Unread it would hold its connection.
      response.resume();
      const { statusCode = 0 } = response;
      resolve({ final: statusCode < 429, reason: `refused with HTTP ${statusCode}` });
    });
    socket.on("error", (error) =>
      resolve({ final: false, reason: error.message || `no answer from ${url}` }),
    );
    socket.on("close", (code, reason) =>
      resolve({ final: code >= 4500, reason: `closed (${code}) ${reason.toString()}`.trim() }),
    );
  });
}

/** @returns the cursor of a feed frame */
function print(text: string, options: Options): string | null {
  const value: unknown = JSON.parse(text);
  const { type } = frame.parse(value);
  if (type === "quota_exceeded" || type === "error") console.error(text);
  if (type !== "feed") return null;
  const { cursor, data } = feedFrame.parse(value);
  console.log(options.json === true ? text : line(data));
  return cursor;
}

function line({ published_at, source, symbols, title, scoring }: Item): string {
  const names = symbols
    .map(({ symbol }) => symbol)
    .slice(0, 3)
    .join(",");
  const { locked, actionability, actionability_score, sentiment_short, sentiment_conviction } = scoring;
  const direction = `${(sentiment_short ?? 0) > 0 ? "+" : ""}${sentiment_short}`;
  const scores = locked
    ? "locked"
    : `${actionability === true ? "!" : " "}${String(actionability_score ?? "-").padStart(3)} ${direction.padStart(2)}/${sentiment_conviction}%`;
  return `${published_at.slice(11, 19)}  ${scores.padEnd(12)}  ${(names || "-").padEnd(14)}  ${title ?? ""}  [${source}]`;
}
