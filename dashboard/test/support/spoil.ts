import type { Page, Route } from "playwright-core";
import { payloads } from "./payloads.ts";

/** Members that the page computes with; all other texts of an answer may be anything. */
const kept =
  /^(id|seq|cursor|next_cursor|type|model|status|role|.*_at|.*_time|.*_id|kind|key|ws_url|base_url|plan|tier|interval|from|until|oldest|logo|url|secret)$/;

/** The value with hostile text wherever it has text. */
export function spoiled(value: unknown, next: () => string, name = ""): unknown {
  if (typeof value === "string") return kept.test(name) ? value : next();
  if (Array.isArray(value)) return value.map((one) => spoiled(one, next, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inside]) => [member, spoiled(inside, next, member)]),
  );
}

/** Gives one payload after the other, again and again. */
export function inTurn(): () => string {
  let at = 0;
  return () => payloads[at++ % payloads.length] ?? "";
}

/** Every item that the stream sends and every answer of /v1 and /app/v1 has hostile text in all its places. */
export async function spoil(page: Page): Promise<void> {
  const next = inTurn();
  await page.routeWebSocket(/\/v1\/stream/, (client) => {
    const server = client.connectToServer();
    server.onMessage((message) => {
      const frame: { type?: unknown; data?: unknown } = JSON.parse(String(message));
      client.send(
        JSON.stringify(frame.type === "feed" ? { ...frame, data: spoiled(frame.data, next) } : frame),
      );
    });
  });
  await page.route(/\/(v1|admin\/v1)\/(?!token|session)/, (route) => answered(route, next).catch(ignored));
}

async function answered(route: Route, next: () => string): Promise<void> {
  const answer = await route.fetch();
  const isJson = answer.headers()["content-type"]?.includes("json") === true;
  if (!isJson) return route.fulfill({ response: answer });
  await route.fulfill({ response: answer, json: spoiled(await answer.json(), next) });
}

/** The page was closed while an answer was on its way. */
const ignored = () => {};
