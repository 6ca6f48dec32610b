import { setTimeout as delay } from "node:timers/promises";
import WebSocket from "ws";
import { z } from "zod";
import { apiKey, baseUrl, CliError } from "./client.ts";
import type { Options } from "./options.ts";

const frame = z.looseObject({ type: z.string(), cursor: z.string().optional() });
const subscribed = z.looseObject({ resumed: z.boolean() });

/** Where a stream begins: with the newest items, or after a cursor. */
export type Begin = { readonly snapshot: number } | { readonly after: string };

/** Pauses and resumes the stream, for a reader that cannot keep up. */
export type Flow = Pick<WebSocket, "pause" | "resume">;

/**
 * The filters of a subscription or a webhook.
 * @throws {CliError} for a bound that is not a whole number of 0 to 100
 */
export function filtersOf(options: Options) {
  const list = (text: string | undefined) => text?.split(",").map((part) => part.trim());
  return {
    symbols: list(options.symbol),
    exchanges: list(options.exchange),
    aggregators: list(options.source),
    event: list(options.event),
    min_conviction: percent(options, "min-conviction"),
    min_actionability_score: percent(options, "min-actionability-score"),
    ...(options.actionable === true ? { actionability: true } : {}),
  };
}

function percent(options: Options, name: "min-conviction" | "min-actionability-score"): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100)
    throw new CliError(`--${name} must be a whole number, 0 to 100`, 2);
  return Number(text);
}

/**
 * Subscribes and passes on every feed frame as text. Reconnects and resumes where it stopped.
 * @throws {CliError} when the service refuses and reconnecting would not help
 */
export async function followStream(
  options: Options,
  { begin, onFeed }: { begin: Begin; onFeed: (text: string, flow: Flow) => void },
): Promise<never> {
  const url = `${baseUrl(options).replace(/^http/, "ws")}/v1/stream`;
  let at = begin;
  for (let failures = 0; ; failures++) {
    const subscribe = { type: "subscribe", filters: filtersOf(options), ...at };
    const ended = await follow(url, apiKey(options), subscribe, (text, flow) => {
      failures = 0;
      const value: unknown = JSON.parse(text);
      const { type, cursor } = frame.parse(value);
      if (type === "quota_exceeded" || type === "error") console.error(text);
      if (type === "subscribed" && "after" in at && !subscribed.parse(value).resumed)
        console.error("The service could not resume from the cursor: items may be missing.");
      if (type !== "feed") return;
      if (cursor !== undefined) at = { after: cursor };
      onFeed(text, flow);
    });
    if (ended.final) throw new CliError(ended.reason);
    console.error(`${ended.reason}; reconnecting ...`);
    await delay(Math.min(30_000, 500 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random()));
  }
}

function follow(
  url: string,
  key: string,
  subscribe: object,
  onText: (text: string, flow: Flow) => void,
): Promise<{ final: boolean; reason: string }> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
    socket.on("open", () => socket.send(JSON.stringify(subscribe)));
    socket.on("message", (data) => onText(data.toString(), socket));
    socket.on("unexpected-response", (_, response) => {
      // An unread response would keep its connection open.
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
