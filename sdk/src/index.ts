export { type CurlRequest, toCurl } from "./filters/curl.ts";
export { type Filterable, matches } from "./filters/matches.ts";
export { toQuery, toSubscribe, toWebhook } from "./filters/wire.ts";
export { type Answered, Call, type RateLimit } from "./http/call.ts";
export { ConnectionError, TapewireError, type TapewireErrorCode, TimeoutError } from "./http/errors.ts";
export type { Api, CallOptions, CallOptionsOnce, RequestOptions } from "./http/requests.ts";
export type { ConnectionOptions, Key } from "./http/settings.ts";
export type { Feeds } from "./rest/feeds.ts";
export type { Page } from "./rest/pages.ts";
export type { Events, Providers, Sources, Symbols, Tags } from "./rest/reference.ts";
export type { ReplayedItem, ReplayOptions } from "./rest/replay.ts";
export type { Webhooks } from "./rest/webhooks.ts";
export {
  type Checkpoint,
  type EventStream,
  type GapEvent,
  type ItemEvent,
  type QuotaEvent,
  type SocketClass,
  type SocketLike,
  type StateEvent,
  StreamClosed,
  type StreamEvent,
  type StreamOptions,
  type StreamState,
  UnsupportedByTransport,
} from "./stream/stream.ts";
export { type ScoreSettings, Tapewire, type TapewireOptions } from "./tapewire.ts";
export type * from "./types.ts";
