/** Rooms: folders whose files others import through doors only. Tests, tools, benches, training and eval are free. */
import type { SourceFile } from "./source.ts";

/**
 * The doors of each room, as paths in its folder; its types.ts is always one. A room inside a room is closed to files
 * outside both, unless the outer room lists the file as well. A folder inside a room that is not listed belongs to that
 * room. Every folder of the contract, of scoring and of the SDK is a room, and every folder inside a layer of the server.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  "contract/src/dashboard": ["people.ts", "views.ts"],
  "contract/src/description": ["openapi.ts", "openapi-types.ts", "asyncapi.ts", "guide.ts"],
  "contract/src/errors": ["errors.ts"],
  "contract/src/examples": ["examples.ts", "values.ts"],
  "contract/src/operator": ["backups.ts", "people.ts", "process-stats.ts", "retention.ts"],
  "contract/src/feed-reads": ["json-feed.ts", "stats.ts", "texts.ts"],
  "contract/src/routes": ["routes.ts"],
  "contract/src/title": ["title.ts"],

  "scoring/src/linking": ["symbols.ts", "sec-tickers.ts", "table/symbol-table.ts", "table/symbol-search.ts"],
  "scoring/src/linking/names": ["names.ts", "indian-names.ts"],
  "scoring/src/linking/table": ["symbol-table.ts", "symbol-search.ts"],
  "scoring/src/tags": ["tags.ts"],
  "scoring/src/language": ["language.ts"],
  "scoring/src/flash": ["flash.ts", "events/catalogue.ts"],
  "scoring/src/flash/words": ["scan.ts", "lexicon.ts", "phrase-index.ts", "amounts.ts"],
  "scoring/src/flash/cues": ["cues.ts"],
  "scoring/src/flash/events": ["events.ts", "catalogue.ts"],
  "scoring/src/flash/heads": ["judge.ts", "model.ts", "heads.ts", "head-input.ts"],
  "scoring/src/onnx": ["session.ts"],
  "scoring/src/pro": ["pro.ts", "encoder/encoder.ts"],
  "scoring/src/pro/encoder": ["encoder.ts", "in-context.ts", "joint.ts"],
  "scoring/src/pro/reading": ["reading.ts"],
  "scoring/src/pro/reading/facts": ["fact-book.ts"],

  "mcp/src/resources": ["resources.ts"],
  "mcp/src/tools": ["tools.ts"],
  "mcp/src/wording": ["clean.ts", "item.ts", "results.ts"],

  "sdk/src/filters": ["curl.ts", "matches.ts", "query-limits.ts", "wire.ts"],
  "sdk/src/http": [
    "ask.ts",
    "attempts.ts",
    "backoff.ts",
    "call.ts",
    "errors.ts",
    "query.ts",
    "requests.ts",
    "settings.ts",
    "waiting.ts",
  ],
  "sdk/src/rest": ["feeds.ts", "pages.ts", "reference.ts", "replay.ts", "webhooks.ts"],
  "sdk/src/stream": ["stream.ts"],
  "sdk/src/stream/rarely": ["rarely.ts"],

  "server/src/account/keys": ["auth.ts", "accounts.ts", "presented-key.ts"],
  "server/src/account/people": ["people.ts"],
  "server/src/app": ["app.ts", "banner.ts", "start-failure.ts"],
  "server/src/bus": ["bus.ts", "calls.ts", "metrics.ts"],
  "server/src/feed/story": ["story.ts"],
  "server/src/feed/segments": [
    "blocks.ts",
    "draft.ts",
    "meetings.ts",
    "numbers.ts",
    "search.ts",
    "segment-counts.ts",
    "segment.ts",
    "sight.ts",
    "term-matching.ts",
    "words.ts",
  ],
  "server/src/feed/window": [
    "window-bodies.ts",
    "window-changes.ts",
    "window-counts.ts",
    "window-index.ts",
    "window-postings.ts",
    "window-terms.ts",
  ],
  "server/src/http/dashboard": ["dashboard.ts"],
  "server/src/http/docs": ["docs.ts", "html.ts"],
  "server/src/http/handlers": ["handlers.ts"],
  "server/src/http/handlers/webhooks": [
    "webhooks.ts",
    "webhook-deliveries.ts",
    "webhook-redelivery.ts",
    "webhook-stats.ts",
  ],
  "server/src/http/mcp": ["mcp.ts"],
  "server/src/http/sessions": ["client.ts", "same-origin.ts", "oidc.ts"],
  "server/src/http/handlers/syndication": ["syndication.ts"],
  "server/src/http/handlers/feed-reads": ["feed-stats.ts", "item-texts.ts"],
  "server/src/http/wire": ["wire.ts"],

  "server/src/ingest/articles": ["articles.ts"],
  "server/src/ingest/dates": ["dates.ts"],
  "server/src/ingest/decode": ["decode.ts", "bounded-xml.ts", "salvage.ts"],
  "server/src/ingest/demo": ["demo.ts"],
  "server/src/ingest/documents": ["documents.ts"],
  "server/src/ingest/fetch": ["fetcher.ts", "host-gates.ts", "asker.ts"],
  "server/src/ingest/identity": ["identity.ts", "canonical-url.ts", "speakers.ts"],
  // Each is an order of the operator's, or an answer to one.
  "server/src/ingest/operations": ["probe.ts", "replay.ts", "retract.ts", "source-health.ts"],
  "server/src/ingest/pipeline": ["pipeline.ts", "news.ts"],
  "server/src/ingest/polling": ["reach-log.ts", "scheduler.ts"],
  "server/src/ingest/push": ["push.ts"],
  "server/src/ingest/reading": ["page-reader.ts"],
  "server/src/ingest/sources": ["adapters.ts", "sec-tickers.ts"],
  "server/src/ingest/sources/edgar": ["edgar.ts"],
  "server/src/ingest/sources/edgar/details": ["details.ts"],
  "server/src/ingest/sources/feed": ["feed.ts"],
  "server/src/ingest/text": ["text.ts", "html-text.ts"],

  "server/src/itemlog/catching-up": ["freshness.ts", "heard-entries.ts", "table-reads.ts"],
  "server/src/itemlog/segments": ["keeper.ts", "reader.ts"],

  // Tools that have nothing to do with one another but their subject.
  "server/src/runtime/sharing": [
    "attempt-limit.ts",
    "buffer-pool.ts",
    "gate.ts",
    "lru.ts",
    "processor-deadline.ts",
    "retried-start.ts",
    "signal.ts",
    "single-flight.ts",
    "thread-pool.ts",
    "turn-end.ts",
    "turn-share.ts",
  ],
  "server/src/runtime/node": ["http.ts", "start-memory.ts"],
  "server/src/runtime/tracing": ["traces.ts"],

  "server/src/score/feed": ["feed-pro.ts", "metrics.ts"],

  "server/src/score/group": ["asking.ts", "serving.ts", "metrics.ts"],

  "server/src/score/model": ["own-model.ts", "fit.ts"],

  // A file of the store is the queries of one subject, which is asked for by itself: most are doors.
  "server/src/store/accounts": [
    "accounts.ts",
    "feed-units.ts",
    "filter-room.ts",
    "idempotent-calls.ts",
    "rate-buckets.ts",
    "score-calls.ts",
    "stream-slots.ts",
    "usage.ts",
  ],
  "server/src/store/append": [
    "item-writer.ts",
    "append-request.ts",
    "append-plan.ts",
    "item-keys.ts",
    "stories.ts",
    "versions.ts",
  ],
  "server/src/store/backup": ["backups.ts", "restore.ts", "archive.ts"],
  "server/src/store/disk": ["disk-watch.ts"],
  "server/src/store/engine": [
    "db.ts",
    "pglite.ts",
    "errors.ts",
    "tables.ts",
    "settings.ts",
    "data-dir.ts",
    "metrics.ts",
    "replica.ts",
    "row-table.ts",
  ],
  "server/src/store/intake": [
    "gaps.ts",
    "hosts.ts",
    "hub-subscriptions.ts",
    "pending-documents.ts",
    "raw-answers.ts",
    "reach.ts",
    "reference-files.ts",
    "sources.ts",
  ],
  "server/src/store/list": ["reference.ts", "terms.ts", "window-rows.ts"],
  "server/src/store/log": [
    "history.ts",
    "item-reads.ts",
    "item-texts.ts",
    "log-position.ts",
    "notices.ts",
    "log-times.ts",
    "partitions.ts",
    "process-minutes.ts",
    "processes.ts",
    "retention.ts",
    "scores.ts",
  ],
  "server/src/store/retention": [
    "kept-since.ts",
    "too-old.ts",
    "old-months-remover.ts",
    "plan.ts",
    "metrics.ts",
  ],
  "server/src/store/segments": ["block-runs.ts", "rows.ts", "segments.ts", "state.ts"],
  "server/src/store/people": ["people.ts", "sessions.ts", "links.ts", "attempts.ts", "audit.ts", "views.ts"],
  "server/src/store/schema": ["migrate.ts", "dump.ts", "transfer.ts"],
  "server/src/store/moving": ["move.ts", "upgrade.ts"],
  "server/src/store/webhooks": [
    "attempts.ts",
    "deliveries.ts",
    "delivering-endpoints.ts",
    "delivery-log.ts",
    "exceptions.ts",
    "plan-limits.ts",
    "forgetting.ts",
    "hourly-counts.ts",
    "redelivery.ts",
    "secret-check.ts",
    "shards.ts",
    "webhooks.ts",
  ],

  "server/src/stream/wire": ["wire.ts"],
  "server/src/webhooks/body": ["payload.ts"],
  "server/src/webhooks/endpoints": [
    "endpoint.ts",
    "endpoint-set.ts",
    "endpoint-sync.ts",
    "shards.ts",
    "exceptions.ts",
    "pace.ts",
    "retry-schedule.ts",
  ],
  "server/src/webhooks/send": ["sender.ts", "sign.ts"],
};

/** Outer rooms before the rooms inside them, so that the first closed door on the way is reported. */
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
