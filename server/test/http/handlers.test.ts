import assert from "node:assert/strict";
import { test } from "node:test";
import type { Handlers, HandlersOf } from "../../src/http/contract-routes.ts";

declare const every: Handlers;
declare const feeds: HandlersOf<"feeds">;

/** None of these runs: `npm run check` fails where the compiler does not refuse one. */
const refused = [
  () => {
    const { readFeed: _, ...others } = every;
    // @ts-expect-error a route has no handler
    return others satisfies Handlers;
  },
  // @ts-expect-error a route of the section has no handler
  () => ({ listFeeds: feeds.listFeeds }) satisfies HandlersOf<"feeds">,
  // @ts-expect-error a handler has no route
  () => ({ ...feeds, deleteFeed: feeds.readFeed }) satisfies HandlersOf<"feeds">,
  // @ts-expect-error a handler is of another section
  () => ({ ...feeds, me: every.me }) satisfies HandlersOf<"feeds">,
  // @ts-expect-error a part of the handlers names what is no route
  (part: Pick<Handlers, "readFeed" | "deleteFeed">) => part,
  // @ts-expect-error a handler takes the input of another route
  () => ({ readFeed: every.createWebhook }) satisfies Pick<Handlers, "readFeed">,
];

test("a route without a handler does not compile, nor a handler without a route", () => {
  assert.equal(refused.length, 6);
});
