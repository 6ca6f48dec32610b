import { exampleIds } from "@tapewire/contract/examples/values.ts";
import { z } from "zod";
import { dashboardCalls } from "./dashboard-calls.ts";
import type { Service } from "./service.ts";

export interface Call {
  /** Name in the route table. */
  readonly route: string;
  readonly answer: Response;
}

const unknownId = exampleIds.request;
const jsonType = { "content-type": "application/json" };
const artifact = {
  type: "news",
  title: "Orbitex Robotics raises full-year guidance",
  body: "Orders rose 12%.",
};

/** One call or more of every route of the contract, with good and bad requests, by keys of several plans. */
export async function* callsOfEveryRoute(service: Service): AsyncGenerator<Call> {
  // A plan whose bursts are longer than this list.
  const paying = await service.key("enterprise");
  const free = await service.key("free");
  const send = async (
    route: string,
    method: string,
    path: string,
    options: RequestInit = {},
  ): Promise<Call> => {
    const headers = new Headers(options.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${paying.key}`);
    return { route, answer: await fetch(service.url + path, { ...options, method, headers }) };
  };
  const post = (route: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(route, "POST", path, { headers: { ...jsonType, ...headers }, body: JSON.stringify(body) });
  const asFree = { headers: { authorization: `Bearer ${free.key}` } };

  const [item] = await service.push({ title: artifact.title, symbols: ["DEMO:OBTX"], tags: ["earnings"] });
  const feed = `/v1/feeds/${item?.id}`;
  yield send("listFeeds", "GET", "/v1/feeds");
  yield send("listFeeds", "GET", "/v1/feeds?limit=x");
  yield send("listFeeds", "GET", "/v1/feeds?cursor=x");
  yield send("listFeeds", "GET", "/v1/feeds", asFree);
  yield send("listFeeds", "GET", "/v1/feeds", { headers: { authorization: "Bearer wrong" } });
  yield send("listFeeds", "PUT", "/v1/feeds");
  yield send("readFeedsAsRss", "GET", "/v1/feeds.rss?limit=1");
  yield send("readFeedsAsRss", "GET", "/v1/feeds.rss", asFree);
  yield send("readFeedsAsJsonFeed", "GET", "/v1/feeds.json?limit=1");
  yield send("readFeedsAsJsonFeed", "GET", "/v1/feeds.json?limit=x");
  yield send("readFeedStats", "GET", "/v1/feeds/stats?by=source");
  yield send("readFeedStats", "GET", "/v1/feeds/stats?interval=week");
  yield send("readFeedStats", "GET", "/v1/feeds/stats?by=sentiment", asFree);
  const first = await send("readFeed", "GET", feed);
  const etag = first.answer.headers.get("etag") ?? "";
  yield first;
  yield send("readFeed", "GET", feed, { headers: { "if-none-match": etag } });
  yield send("readFeed", "GET", feed, asFree);
  yield send("readFeed", "GET", "/v1/feeds/x");
  yield send("readFeed", "GET", `/v1/feeds/${unknownId}`);
  yield* replayCalls({ send, post }, asFree);

  yield* textCalls({ send, post }, feed, asFree.headers);
  yield send("me", "GET", "/v1/me");
  yield send("usage", "GET", "/v1/usage");
  yield send("usage", "GET", "/v1/usage?days=91");
  yield* referenceCalls(send);

  const options = { include_detailed_analysis: true };
  yield post("score", "/v1/score", { artifact, options }, { "idempotency-key": "one" });
  yield post("score", "/v1/score", { artifact }, { "idempotency-key": "one" });
  yield post("score", "/v1/score", { artifact: {} });
  yield post("score", "/v1/score", { artifact }, asFree.headers);
  yield post("score", "/v1/score", { artifact }, { "content-type": "text/plain" });
  yield post("score", "/v1/score", { artifact: { ...artifact, body: "x".repeat(1_100_000) } });
  yield post("scoreBatch", "/v1/score/batch", { artifacts: [artifact, {}] });
  yield post("scoreBatch", "/v1/score/batch", { artifacts: [] });

  yield* webhookCalls({ send, post });
  yield* adminCalls(service, `${item?.id}`);
  yield* dashboardCalls(service);
  // The free plan has ten requests at once; the last of these is over.
  for (let asked = 0; asked < 12; asked++) yield send("readFeed", "GET", feed, asFree);
}

async function* textCalls(
  { send, post }: Senders,
  feed: string,
  free: Readonly<Record<string, string>>,
): AsyncGenerator<Call> {
  yield send("readFeedText", "GET", `${feed}/text`);
  yield send("readFeedText", "GET", `/v1/feeds/${unknownId}/text`);
  yield send("listFeedScores", "GET", `${feed}/scores`);
  yield send("listFeedScores", "GET", `${feed}/scores`, { headers: free });
  yield post("scoreItem", `${feed}/score`, { model: "pro", include_detailed_analysis: true });
  yield post("scoreItem", `${feed}/score`, { model: "gpt" });
  yield post("scoreItem", `/v1/feeds/${unknownId}/score`, {});
}

async function* referenceCalls(send: Senders["send"]): AsyncGenerator<Call> {
  yield send("listProviders", "GET", "/v1/providers");
  yield send("readProvider", "GET", "/v1/providers/push");
  yield send("readProvider", "GET", "/v1/providers/nobody");
  yield send("listSourceNames", "GET", "/v1/sources");
  yield send("readSource", "GET", "/v1/sources/push");
  yield send("readSource", "GET", "/v1/sources/nothing");
  yield send("listSymbols", "GET", "/v1/symbols?limit=3");
  yield send("listSymbols", "GET", "/v1/symbols?limit=0");
  yield send("listSymbols", "GET", "/v1/symbols?q=apple");
  yield send("readSymbol", "GET", "/v1/symbols/OBTX");
  yield send("readSymbol", "GET", "/v1/symbols/NONESUCH");
  yield send("listTags", "GET", "/v1/tags");
  yield send("readTagDimension", "GET", "/v1/tags/corp_activity");
  yield send("readTagDimension", "GET", "/v1/tags/colour");
  yield send("listEvents", "GET", "/v1/events");
}

interface Senders {
  readonly send: (route: string, method: string, path: string, options?: RequestInit) => Promise<Call>;
  readonly post: (route: string, path: string, body: unknown) => Promise<Call>;
}

async function* replayCalls({ send }: Senders, asFree: RequestInit): AsyncGenerator<Call> {
  yield send("replayLog", "GET", "/v1/replay?limit=2&since=2026-03-02T00:00:00Z");
  yield send("replayLog", "GET", "/v1/replay?after=39518285.1");
  yield send("replayLog", "GET", "/v1/replay?after=x");
  yield send("replayLog", "GET", "/v1/replay", asFree);
}

async function* webhookCalls({ send, post }: Senders): AsyncGenerator<Call> {
  const url = "http://127.0.0.1:9/hook";
  const created = await post("createWebhook", "/v1/webhooks", { url, filters: { symbols: ["OBTX"] } });
  const copy = created.answer.clone();
  yield created;
  const id = await idIn(copy);
  yield post("createWebhook", "/v1/webhooks", { url: "ftp://127.0.0.1/" });
  yield post("createWebhook", "/v1/webhooks", { url, filters: { colour: [] } });
  yield send("listWebhooks", "GET", "/v1/webhooks");
  yield send("readWebhook", "GET", `/v1/webhooks/${id}`);
  yield send("readWebhook", "GET", `/v1/webhooks/${unknownId}`);
  yield* deliveryCalls({ send, post }, `/v1/webhooks/${id}`);
  const disable = { headers: jsonType, body: JSON.stringify({ enabled: false }) };
  yield send("updateWebhook", "PATCH", `/v1/webhooks/${id}`, disable);
  yield send("updateWebhook", "PATCH", `/v1/webhooks/${unknownId}`, disable);
  yield post("recoverWebhook", `/v1/webhooks/${id}/recover`, { since: "2026-03-02T00:00:00Z" });
  yield send("deleteWebhook", "DELETE", `/v1/webhooks/${id}`);
  yield send("deleteWebhook", "DELETE", `/v1/webhooks/${id}`);
}

async function* deliveryCalls({ send, post }: Senders, webhook: string): AsyncGenerator<Call> {
  yield send("rotateWebhook", "POST", `${webhook}/rotate`);
  yield send("testWebhook", "POST", `${webhook}/test`);
  yield send("listDeliveries", "GET", `${webhook}/deliveries?limit=1&status=failed`);
  yield send("listDeliveries", "GET", `${webhook}/deliveries?cursor=x`);
  yield send("readWebhookStats", "GET", `${webhook}/stats?hours=2`);
  yield send("readDelivery", "GET", `${webhook}/deliveries/${exampleIds.delivery}`);
  yield send("readDelivery", "GET", `${webhook}/deliveries/x`);
  yield send("listWebhookStats", "GET", "/v1/webhooks/stats?hours=2");
  yield send("listWebhookStats", "GET", "/v1/webhooks/stats?hours=x");
  yield send("readWebhookStats", "GET", `/v1/webhooks/${unknownId}/stats`);
  yield send("resendDelivery", "POST", `${webhook}/deliveries/${exampleIds.delivery}/resend`);
  yield send("resendDelivery", "POST", `${webhook}/deliveries/x/resend`);
  yield post("recoverWebhook", `${webhook}/recover`, { since: "2026-03-02T00:00:00Z" });
  yield post("recoverWebhook", `${webhook}/recover`, {});
  yield post("replayWebhook", `${webhook}/replay`, { from: 1, to: "2026-03-02T00:00:00Z" });
  yield post("replayWebhook", `${webhook}/replay`, { from: "yesterday" });
}

async function* adminCalls(service: Service, itemId: string): AsyncGenerator<Call> {
  const call = async (route: string, method: string, path: string, body?: unknown): Promise<Call> => ({
    route,
    answer: await service.admin(method, `/admin/v1${path}`, body),
  });
  const created = await call("createAccount", "POST", "/accounts", { name: "Desk", plan: "starter" });
  const copy = created.answer.clone();
  yield created;
  const id = await idIn(copy);
  yield call("createAccount", "POST", "/accounts", { plan: "gold" });
  yield call("listAccounts", "GET", "/accounts");
  yield call("updateAccount", "PATCH", `/accounts/${id}`, { plan: "quant" });
  yield call("updateAccount", "PATCH", `/accounts/${unknownId}`, { plan: "quant" });
  const key = await call("createKey", "POST", "/keys", { account_id: id, name: "notebook" });
  const keyCopy = key.answer.clone();
  yield key;
  yield call("createKey", "POST", "/keys", { plan: 1 });
  yield call("listKeys", "GET", "/keys");
  const keyId = await idIn(keyCopy);
  yield call("updateKey", "PATCH", `/keys/${keyId}`, { name: "tape" });
  yield call("updateKey", "PATCH", `/keys/${unknownId}`, { name: "tape" });
  yield call("revokeKey", "DELETE", `/keys/${keyId}`);
  yield call("listPeople", "GET", "/people");
  yield call("updatePerson", "PATCH", `/people/${unknownId}`, { role: "member" });
  yield call("createSignInLink", "POST", "/sign-in-links");
  yield call("pushItems", "POST", "/items", [{ title: "Halvorn Energy names a chief" }, {}]);
  yield call("replay", "POST", "/replay", { since: "2026-03-02T00:00:00Z" });
  yield call("rescore", "POST", "/rescore", { since: "2026-03-02T00:00:00Z", model: "flash" });
  yield call("listSources", "GET", "/sources");
  yield call("createBackup", "POST", "/backups");
  yield call("listBackups", "GET", "/backups");
  yield call("readRetention", "GET", "/retention?months=13");
  yield call("readRetention", "GET", "/retention?months=all");
  yield call("listProcesses", "GET", "/processes");
  yield call("readStats", "GET", "/stats?minutes=60");
  yield call("readStats", "GET", "/stats?minutes=61");
  yield call("probeSource", "POST", "/sources/nothing/probe");
  yield call("retractItem", "DELETE", `/items/${itemId}`);
  yield call("retractItem", "DELETE", `/items/${unknownId}`);
}

async function idIn(answer: Response): Promise<string> {
  return z.object({ id: z.uuid() }).parse(await answer.json()).id;
}
