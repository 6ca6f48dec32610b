import type { Call } from "./http/call.ts";
import { type Api, type CallOptions, type CallOptionsOnce, requestsOf } from "./http/requests.ts";
import { connectionOf } from "./http/settings.ts";
import { type Feeds, feedsOf } from "./rest/feeds.ts";
import {
  type Events,
  type Providers,
  type Reference,
  referenceOf,
  type Sources,
  type Symbols,
  type Tags,
} from "./rest/reference.ts";
import { type ReplayedItem, type ReplayOptions, replayOf } from "./rest/replay.ts";
import { type Webhooks, webhooksOf } from "./rest/webhooks.ts";
import {
  type EventStream,
  type StreamConnectionOptions,
  type StreamOptions,
  stream,
} from "./stream/stream.ts";
import type { Me, ScoreArtifact, ScoreBatch, ScoreOptions, Usage, Verdict } from "./types.ts";

export type TapewireOptions = StreamConnectionOptions;

export interface ScoreSettings {
  /** Default: flash for news and ugc, pro for filing and research. */
  readonly model?: "flash" | "pro" | undefined;
  /** Adds `detailed_analysis` to the verdict. */
  readonly detailed?: boolean | undefined;
  /** if_actionable: scores sentiment only when the text is actionable. */
  readonly sentiment?: "always" | "if_actionable" | undefined;
}

/** A client of one service with one key. It holds no connection open: only streams do. */
export class Tapewire implements Api {
  declare readonly feeds: Feeds;
  declare readonly webhooks: Webhooks;
  declare readonly symbols: Symbols;
  declare readonly sources: Sources;
  declare readonly providers: Providers;
  declare readonly tags: Tags;
  declare readonly events: Events;
  /** Any route of the interface by its name, such as `GET /v1/me`. */
  declare readonly request: Api["request"];
  readonly #options: TapewireOptions;

  constructor(options: TapewireOptions = {}) {
    this.#options = options;
    this.request = requestsOf(connectionOf(options));
    const resources: Pick<Tapewire, "feeds" | "webhooks" | keyof Reference> = {
      feeds: feedsOf(this),
      webhooks: webhooksOf(this),
      ...referenceOf(this),
    };
    Object.assign(this, resources);
  }

  /**
   * The items as they are scored. It connects when the first event is asked for.
   * @throws {UnsupportedByTransport} for filters that server-sent events do not have, when no WebSocket can be used, and for
   * those that the list does not have, when gaps are to be filled
   */
  stream(options?: StreamOptions): EventStream {
    return stream({ ...this.#options, ...options });
  }

  /**
   * Stored items in the order of the log, as the stream carried them, with the pauses between them.
   * @throws {RangeError} for a speed out of range, or filters that a query cannot say
   */
  replay(options: ReplayOptions = {}): AsyncGenerator<ReplayedItem, void, undefined> {
    return replayOf(this, options);
  }

  /** The key, its plan, its limits and today's use. */
  me(options?: CallOptions): Call<Me> {
    return this.request("GET /v1/me", options);
  }

  /** The use of each day. */
  usage(query?: { readonly days?: number }, options?: CallOptions): Call<Usage> {
    return this.request("GET /v1/usage", { query, ...options });
  }

  /** Scores a text of yours. */
  score(artifact: ScoreArtifact, settings?: ScoreSettings & CallOptionsOnce): Call<Verdict> {
    return this.request("POST /v1/score", scoring({ artifact }, settings));
  }

  /** Scores up to 100 texts. An invalid one does not fail the others. */
  scoreBatch(
    artifacts: readonly ScoreArtifact[],
    settings?: ScoreSettings & CallOptionsOnce,
  ): Call<ScoreBatch> {
    return this.request("POST /v1/score/batch", scoring({ artifacts: [...artifacts] }, settings));
  }
}

function scoring<T>(texts: T, { model, detailed, sentiment, ...call }: ScoreSettings & CallOptionsOnce = {}) {
  return {
    body: {
      ...texts,
      options: {
        model,
        include_detailed_analysis: detailed,
        score_sentiment: sentiment,
      } satisfies ScoreOptions,
    },
    idempotent: true,
    ...call,
  } as const;
}
