/**
 * The types of the wire.
 * Made by `node tools/sdk-types.ts` from the OpenAPI and AsyncAPI documents; do not edit.
 */

/** A time in a request: a Date, or RFC 3339 text. */
export type Instant = string | Date;
/** Alternatives in a query: one value, or several. */
export type Values = string | readonly string[];

export interface SubscriptionFilters {
  /** AAPL or NASDAQ:AAPL. Several are OR-ed. */
  symbols?: string[] | null | undefined;
  /** Exchange codes, OR-ed. */
  exchanges?: string[] | null | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | null | undefined;
  /** Lowest sentiment_score. */
  sentiment_min?: number | null | undefined;
  /** Highest sentiment_score. */
  sentiment_max?: number | null | undefined;
  /** Lowest sentiment_conviction. */
  min_conviction?: number | null | undefined;
  /** Lowest actionability_score. */
  min_actionability_score?: number | null | undefined;
  /** Kinds of events, as GET /v1/events lists them, OR-ed. An item passes with any of its events. */
  event?: string[] | null | undefined;
  /** false: sends only the first item of each story. */
  story_copies?: boolean | null | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: string | null | undefined;
  /** Tag values by dimension. All dimensions that you give must match. */
  tags?:
    | {
        /** Values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
        corp_activity?: string[] | null | undefined;
        /** Values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
        market?: string[] | null | undefined;
        /** Values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
        market_country?: string[] | null | undefined;
        /** Values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
        economic_category?: string[] | null | undefined;
      }
    | null
    | undefined;
  /** Names of sources, OR-ed. */
  aggregators?: string[] | null | undefined;
  /** Ids of providers, OR-ed. */
  providers?: string[] | null | undefined;
}

/** Plan (tier) of an account. */
export type PlanName = "free" | "starter" | "pro" | "quant" | "enterprise";

export interface Latency {
  /** Time that the source gives; null: it gives none. */
  source_time: Timestamp | null;
  /** When the service first saw this version. */
  received_time: Timestamp;
  /** When it was scored; null: it was not. */
  scored_time: Timestamp | null;
  /** When it was encoded for the stream or the webhook. */
  publish_time: Timestamp;
  /** From source_time to publish_time. */
  source_to_publish_ms: number | null;
  /** From received_time to publish_time. */
  receive_to_publish_ms: number;
}

/** RFC 3339 date-time in UTC with milliseconds. */
export type Timestamp = string;

export interface StreamItem {
  /** Position in the item log: dense, in order of arrival. */
  seq: number;
  /** UUIDv5 of unique_id, so the same in every deployment. */
  id: string;
  /** Identity of the item: a release's number on its wire, the source's own id, the link, or title and day. */
  unique_id: string;
  /** Headline as the source gives it. */
  title: string | null;
  /** Address of the item at its source. */
  link: string | null;
  /** Aggregator: the source that the item was read from. */
  source: string;
  /** Who issued or wrote the item. */
  provider_id: string;
  type: ArtifactType;
  /** Time of publication that the source gives. The time of first sight is used instead when the source gives none, only a day, a time in the future or far in the past, or when it releases the item late. */
  published_at: Timestamp;
  /** The time that the source gives; null when it gives none. */
  source_time: Timestamp | null;
  /** When the service first saw the item. */
  scraped_at: Timestamp;
  /** When the item last changed. */
  updated_at: Timestamp;
  /** revised: the text of the item, or the story it belongs to, has changed. retracted: the item was withdrawn. */
  status: "published" | "revised" | "retracted";
  /** 0 at first, increased by one with every change. */
  revision: number;
  /** Id of the first item of the same story. */
  story_id: string;
  /** Id of the item that this one is a copy of; null when it is no copy. Absent in items stored before this member existed: use story_id. */
  copy_of?: string | null | undefined;
  /** ISO 639-1. */
  language: string | null;
  scoring: StreamScoring;
  /** Kind of the leading event; null when no known event was found. GET /v1/events lists all kinds. `other_` and the name of a group: news of the group by its wording, without words that prove a kind. */
  event: string | null;
  /** Events that the text tells, the leading one first. Items stored before this member existed: []. */
  events: EventMention[];
  /** Listed companies and instruments that the item is about, main ones first. */
  symbols: SymbolRef[];
  tags: TagSet;
  /** Facts of a regulatory filing; null for other items. */
  filing: FilingFacts | null;
}

/** Kind of text. */
export type ArtifactType = "news" | "filing" | "research" | "ugc";

export interface StreamScoring {
  /** true: scores are withheld, as on the Free plan. */
  locked: boolean;
  /** Upgrade prompt. Present when locked is true. */
  message?: string | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability: boolean | null;
  /** Actionability from 0 (not actionable) to 100. */
  actionability_score: number | null;
  /** Rationale in one line. */
  actionability_comment: string | null;
  /** 0 most bearish .. 10 most bullish; 5 + sentiment_short. Kept for older clients. */
  sentiment_score: number | null;
  /** Expected direction over the next hours to days, -5 most bearish .. +5 most bullish. */
  sentiment_short: number | null;
  /** Expected direction over weeks to quarters, -5 most bearish .. +5 most bullish. */
  sentiment_long: number | null;
  /** Confidence in the short direction, 0..100. */
  sentiment_conviction: number | null;
  /** Rationale in one line. */
  sentiment_comment: string | null;
  /** Model that scored the item: pro, or flash where pro would not have answered in time or is not used; onnx:<name> after a rescoring by a classifier of the operator's. */
  model: string | null;
}

export interface EventMention {
  /** Kind of event, as GET /v1/events lists it. */
  name: string;
  role: EventRole;
  /** The company with this role, EXCHANGE:TICKER or a bare ticker; null when the event has none, or it is not a known symbol. */
  symbol: string | null;
  /** The words that tell the event; null when there is no quote, and when the caller's plan locks scores. */
  evidence: Evidence | null;
}

/** What the company does in the event. */
export type EventRole =
  | "subject"
  | "target"
  | "acquirer"
  | "seller"
  | "buyer"
  | "supplier"
  | "customer"
  | "rival"
  | "partner"
  | "plaintiff"
  | "defendant"
  | "broker"
  | "adviser"
  | "regulator"
  | "venue"
  | "other";

export interface Evidence {
  /** The quoted words. */
  text: string;
  /** Offset of the first character in title + newline + body, in UTF-16 code units. */
  start: number;
  /** Offset after the last character. */
  end: number;
}

export interface SymbolRef {
  /** EXCHANGE:TICKER, or a bare ticker when the exchange is unknown. */
  symbol: string;
  /** Exchange code; null when unknown. */
  exchange: string | null;
  /** Ticker without its exchange. */
  short_symbol: string | null;
  /** Id of its logo; null when there is none. */
  logoid: string | null;
}

/** Tag values by dimension. */
export type TagSet = { [name in TagDimension]?: string[] };

/** Dimension of tags. */
export type TagDimension = "corp_activity" | "market" | "market_country" | "economic_category";

export interface FilingFacts {
  /** Form type as filed, for example 8-K or SC 13D/A. */
  form: string;
  /** 8-K item numbers. */
  items: string[];
  /** Accession number of the SEC. */
  accession: string;
  /** CIK of the issuer or subject, 10 digits. */
  cik: string | null;
  /** Filing date by the SEC; not always the day of acceptance. */
  filed: string | null;
  /** End of the reported period, or day of the reported event. */
  period: string | null;
  /** Accession number of the filing that this one amends: as it states itself, else the last one by the same issuer, filer and period. null when it is no amendment, and while its original is not known. */
  amends: string | null;
  /** The parties that filed, and those that the filing is about. */
  parties: FilingParty[];
  /** Facts of the form; null when it has none or when they are not read yet. */
  details: FilingDetails | null;
}

export interface FilingParty {
  /** Name as filed. */
  name: string;
  /** 10 digits. */
  cik: string;
  /** Issuer, Reporting, Filer, Subject, Filed by ...; null when not stated. */
  role: string | null;
}

export type FilingDetails =
  | OwnershipDetails
  | StakeDetails
  | HoldingsDetails
  | LateDetails
  | OfferingDetails
  | ProposedSaleDetails
  | ExemptOfferingDetails;

export interface OwnershipDetails {
  /** Forms 3, 4 and 5: trades of insiders. */
  kind: "ownership";
  /** Ticker of the issuer; null when it has none. */
  ticker: string | null;
  /** The reporting owners. */
  owners: {
    /** Name of the owner. */
    name: string;
    /** Relation to the issuer: Director, Chief Executive Officer ... */
    relation: string | null;
  }[];
  /** The trades. */
  transactions: {
    /** Title of the security. */
    security: string;
    /** Day of the trade. */
    date: string | null;
    /** SEC transaction code: P purchase, S sale, A grant, M exercise ... */
    code: string;
    /** true: acquired; false: disposed of; null: not stated. */
    acquired: boolean | null;
    /** Number traded. */
    shares: number | null;
    /** Price per share; null when only a footnote gives it. */
    price_usd: number | null;
    /** Number owned after the trade. */
    owned_after: number | null;
    /** Whether the security is an option or another derivative. */
    derivative: boolean;
  }[];
  /** Whether the trades were made under a Rule 10b5-1 plan; null when not stated. */
  planned_10b5_1: boolean | null;
}

export interface StakeDetails {
  /** Schedules 13D and 13G: who owns more than 5 %. */
  kind: "stake";
  /** 13D: may seek influence; 13G: holds passively. */
  schedule: "13D" | "13G";
  /** Company that the stake is in. */
  issuer: string | null;
  /** The holders; of more than ten the first nine and the largest. Members of a group report the same shares. */
  persons: {
    /** Name of the holder. */
    name: string;
    /** Share of the class in percent, 0..100. */
    percent: number | null;
    /** Number held. */
    shares: number | null;
  }[];
  /** Beginning of Item 4 (purpose) of Schedule 13D. */
  purpose: string | null;
}

export interface HoldingsDetails {
  /** Form 13F-HR: what a manager holds. */
  kind: "holdings";
  /** Day of the reported holdings. */
  period: string | null;
  /** Value of all positions; null when not stated, and in an amendment that only adds positions. */
  total_value_usd: number | null;
  /** Number of positions; null when not stated, and in an amendment that only adds positions. */
  positions: number | null;
  /** Largest positions by value, of an amendment the largest in it. Positions in one issuer are added up; options are left out. */
  largest: {
    /** Company held. */
    issuer: string;
    /** Value of the position. */
    value_usd: number;
    /** Number of shares; null for bonds, which are reported by principal. */
    shares: number | null;
  }[];
}

export interface LateDetails {
  /** Forms NT 10-K, NT 10-Q and the like: a report will be late. */
  kind: "late";
  /** The report that is late, for example 10-K. */
  form: string;
  /** Why, in the filer's words. */
  reason: string | null;
  /** Whether results will differ significantly from the year before; null when not stated. */
  expects_change: boolean | null;
}

export interface OfferingDetails {
  /** Prospectuses: what their cover states. */
  kind: "offering";
  /** Price to the public per share or unit. */
  price_usd: number | null;
  /** Number of shares or units. */
  shares: number | null;
  /** Proceeds before discounts and expenses. For at-the-market offerings: the largest amount that may be sold. */
  gross_usd: number | null;
  /** Security that is offered. */
  security: string | null;
  /** true: existing holders sell, the company does not. */
  resale: boolean;
}

export interface ProposedSaleDetails {
  /** Form 144: an insider intends to sell. */
  kind: "proposed_sale";
  /** Person who intends to sell. */
  seller: string | null;
  /** Number to be sold. */
  shares: number | null;
  /** Market value of these shares. */
  value_usd: number | null;
  /** Approximate day of the sale. */
  date: string | null;
}

export interface ExemptOfferingDetails {
  /** Form D: an offering without registration. */
  kind: "exempt_offering";
  /** Size of the offering; null: indefinite. */
  total_usd: number | null;
  /** Amount sold so far. */
  sold_usd: number | null;
}

export interface FeedList {
  /** Newest first by published_at, then id. */
  data: FeedItem[];
  /** Cursor of the next page, opaque; null on the last page. */
  next_cursor: string | null;
}

export interface FeedItem {
  /** Position in the item log: dense, in order of arrival. */
  seq: number;
  /** UUIDv5 of unique_id, so the same in every deployment. */
  id: string;
  /** Identity of the item: a release's number on its wire, the source's own id, the link, or title and day. */
  unique_id: string;
  /** Headline as the source gives it. */
  title: string | null;
  /** Address of the item at its source. */
  link: string | null;
  /** Aggregator: the source that the item was read from. */
  source: string;
  /** Who issued or wrote the item. */
  provider_id: string;
  type: ArtifactType;
  /** Time of publication that the source gives. The time of first sight is used instead when the source gives none, only a day, a time in the future or far in the past, or when it releases the item late. */
  published_at: Timestamp;
  /** The time that the source gives; null when it gives none. */
  source_time: Timestamp | null;
  /** When the service first saw the item. */
  scraped_at: Timestamp;
  /** When the item last changed. */
  updated_at: Timestamp;
  /** revised: the text of the item, or the story it belongs to, has changed. retracted: the item was withdrawn. */
  status: "published" | "revised" | "retracted";
  /** 0 at first, increased by one with every change. */
  revision: number;
  /** Id of the first item of the same story. */
  story_id: string;
  /** Id of the item that this one is a copy of; null when it is no copy. Absent in items stored before this member existed: use story_id. */
  copy_of?: string | null | undefined;
  /** ISO 639-1. */
  language: string | null;
  scoring: Scoring;
  /** Kind of the leading event; null when no known event was found. GET /v1/events lists all kinds. `other_` and the name of a group: news of the group by its wording, without words that prove a kind. */
  event: string | null;
  /** Events that the text tells, the leading one first. Items stored before this member existed: []. */
  events: EventMention[];
  /** Listed companies and instruments that the item is about, main ones first. */
  symbols: SymbolRef[];
  tags: TagSet;
  /** Facts of a regulatory filing; null for other items. */
  filing: FilingFacts | null;
}

export interface Scoring {
  /** Whether the item is rated likely to move the price. */
  actionability: boolean | null;
  /** Actionability from 0 (not actionable) to 100. */
  actionability_score: number | null;
  /** Rationale in one line. */
  actionability_comment: string | null;
  /** 0 most bearish .. 10 most bullish; 5 + sentiment_short. Kept for older clients. */
  sentiment_score: number | null;
  /** Expected direction over the next hours to days, -5 most bearish .. +5 most bullish. */
  sentiment_short: number | null;
  /** Expected direction over weeks to quarters, -5 most bearish .. +5 most bullish. */
  sentiment_long: number | null;
  /** Confidence in the short direction, 0..100. */
  sentiment_conviction: number | null;
  /** Rationale in one line. */
  sentiment_comment: string | null;
  /** Model that scored the item: pro, or flash where pro would not have answered in time or is not used; onnx:<name> after a rescoring by a classifier of the operator's. */
  model: string | null;
  /** Version of that model. */
  model_version: string | null;
  /** When the item was scored. */
  scored_at: Timestamp | null;
  /** true: scores are withheld, as on the Free plan. */
  locked: boolean;
  /** Upgrade prompt. Present when locked is true. */
  message?: string | undefined;
}

/** RFC 9457 problem details. */
export interface Problem {
  /** urn:tapewire:error:<code> */
  type: string;
  /** Description of the error code, the same each time it occurs. */
  title: string;
  /** HTTP status. */
  status: number;
  /** What went wrong this time. */
  detail: string;
  /** Path of the request. */
  instance: string;
  code: ErrorCode;
  /** Id of the request in the server's log. */
  request_id: string;
  /** The fields that are wrong. Absent when the error is not about fields. */
  errors?: FieldError[] | undefined;
  /** Only with 429: names of the limits that were exceeded, as in RateLimit-Policy. */
  "violated-policies"?: string[] | undefined;
  /** The same error, for clients of the older envelope. */
  error: {
    /** Same as `code`. */
    code: string;
    /** Same as `detail`. */
    message: string;
  };
}

/** Stable code of the error. Let your program decide by this, not by the texts. */
export type ErrorCode =
  | "invalid_parameter"
  | "invalid_body"
  | "invalid_url"
  | "invalid_cursor"
  | "cursor_unknown"
  | "unauthorized"
  | "plan_required"
  | "plan_limit"
  | "forbidden"
  | "forbidden_origin"
  | "text_withheld"
  | "not_found"
  | "method_not_allowed"
  | "idempotency_conflict"
  | "conflict"
  | "link_expired"
  | "cursor_expired"
  | "retired"
  | "body_too_large"
  | "unsupported_media_type"
  | "upgrade_required"
  | "too_many_connections"
  | "rate_limited"
  | "quota_exceeded"
  | "internal"
  | "not_ready"
  | "overloaded"
  | "storage_full";

export interface FieldError {
  /** Where the field was sent. */
  in: "query" | "path" | "body" | "header";
  /** Name of the field. In a body it is a path such as `filters.tags.market`. */
  name: string;
  /** What is wrong with the field. */
  detail: string;
}

export interface FeedStats {
  /** Length of a point. */
  interval: "minute" | "hour" | "day";
  /** Items published at or after this time were counted. */
  from: Timestamp;
  /** Items published before this time were counted. */
  until: Timestamp;
  /** false: the index of older items is still being built, and `from` is later than the time that was asked for. */
  complete: boolean;
  /** Most items first; the series of the other items, with the key null, is last. */
  series: FeedStatsSeries[];
  /** Counts of the whole range. */
  totals: {
    /** Items, each counted once. */
    items: number;
    /** Items that are rated likely to move the price; null when the plan locks scores. */
    actionable: number | null;
    /** Items that have a sentiment_score; null when the plan locks scores. */
    scored: number | null;
    /** Sum of sentiment_score over these items: divided by `scored` it is the mean. null when the plan locks scores. */
    sentiment_sum: number | null;
  };
}

export interface FeedStatsSeries {
  /** Value of the axis, as filters take it; of a bin its lowest score; null: the items that are in no other series. */
  key: string | null;
  /** Label to show. */
  label: string;
  /** [start, items, actionable, scored, sentiment_sum] of each interval that has items, oldest first. The start is in milliseconds since 1970-01-01T00:00:00Z; the others are as in totals. */
  points: [number, number, number | null, number | null, number | null][];
}

export interface JsonFeed {
  /** The format. */
  version: "https://jsonfeed.org/version/1.1";
  /** Name of the feed. */
  title: string;
  /** Address of this service. */
  home_page_url: string;
  /** Address of the feed, without a key. */
  feed_url: string;
  /** The page of older items. It has the key that the query of the request had. Absent: there is none. */
  next_url?: string | undefined;
  /** Newest first. */
  items: JsonFeedItem[];
}

export interface JsonFeedItem {
  /** Id of the item. */
  id: string;
  /** Address of the item at its source. */
  url?: string | undefined;
  /** Headline. It begins with RETRACTED: when the source has withdrawn the item. */
  title?: string | undefined;
  /** Extract of the text, and the score in one line. */
  content_html: string;
  /** Extract: at most 3 sentences of the source. */
  summary?: string | undefined;
  /** published_at of the item. */
  date_published: string;
  /** When the item last changed. */
  date_modified: string;
  /** The provider. */
  authors: {
    /** Name of the provider. */
    name: string;
  }[];
  /** Symbols and kind of event. */
  tags: string[];
  /** ISO 639-1. */
  language?: string | undefined;
  _tapewire: JsonFeedExtension;
}

export interface JsonFeedExtension {
  /** Kind of text: news, filing, research or ugc. */
  type: string;
  /** Source that the item was read from. */
  source: string;
  /** Who issued or wrote the item. */
  provider_id: string;
  /** published, revised or retracted. */
  status: string;
  /** Companies and instruments that the item is about. */
  symbols: SymbolRef[];
  /** Kind of the leading event; null when no known event was found. GET /v1/events lists all kinds. `other_` and the name of a group: news of the group by its wording, without words that prove a kind. */
  event: string | null;
  /** Whether the item is rated likely to move the price. */
  actionability: boolean | null;
  /** 0 to 100. */
  actionability_score: number | null;
  /** Direction over hours to days, -5 to +5. */
  sentiment_short: number | null;
  /** Direction over weeks to quarters, -5 to +5. */
  sentiment_long: number | null;
  /** Confidence in the short direction, 0 to 100. */
  sentiment_conviction: number | null;
}

export interface FeedItemDetail {
  /** Position in the item log: dense, in order of arrival. */
  seq: number;
  /** UUIDv5 of unique_id, so the same in every deployment. */
  id: string;
  /** Identity of the item: a release's number on its wire, the source's own id, the link, or title and day. */
  unique_id: string;
  /** Headline as the source gives it. */
  title: string | null;
  /** Address of the item at its source. */
  link: string | null;
  /** Aggregator: the source that the item was read from. */
  source: string;
  /** Who issued or wrote the item. */
  provider_id: string;
  type: ArtifactType;
  /** Time of publication that the source gives. The time of first sight is used instead when the source gives none, only a day, a time in the future or far in the past, or when it releases the item late. */
  published_at: Timestamp;
  /** The time that the source gives; null when it gives none. */
  source_time: Timestamp | null;
  /** When the service first saw the item. */
  scraped_at: Timestamp;
  /** When the item last changed. */
  updated_at: Timestamp;
  /** revised: the text of the item, or the story it belongs to, has changed. retracted: the item was withdrawn. */
  status: "published" | "revised" | "retracted";
  /** 0 at first, increased by one with every change. */
  revision: number;
  /** Id of the first item of the same story. */
  story_id: string;
  /** Id of the item that this one is a copy of; null when it is no copy. Absent in items stored before this member existed: use story_id. */
  copy_of?: string | null | undefined;
  /** ISO 639-1. */
  language: string | null;
  scoring: Scoring;
  /** Kind of the leading event; null when no known event was found. GET /v1/events lists all kinds. `other_` and the name of a group: news of the group by its wording, without words that prove a kind. */
  event: string | null;
  /** Events that the text tells, the leading one first. Items stored before this member existed: []. */
  events: EventMention[];
  /** Listed companies and instruments that the item is about, main ones first. */
  symbols: SymbolRef[];
  tags: TagSet;
  /** Facts of a regulatory filing; null for other items. */
  filing: FilingFacts | null;
  /** One entry per symbol. */
  analysis: SymbolAnalysis[];
  /** null when the caller's plan locks scores. */
  sub_scores: SubScores | null;
  /** Extract: at most 3 sentences of the source. */
  summary: string | null;
}

export interface SymbolAnalysis {
  /** EXCHANGE:TICKER, or a bare ticker when the exchange is unknown. */
  symbol: string;
  /** Exchange code; null when unknown. */
  exchange: string | null;
  /** Ticker without its exchange. */
  short_symbol: string | null;
  /** Id of its logo; null when there is none. */
  logoid: string | null;
  /** Whether the item is mainly about this symbol. */
  primary: boolean;
  /** How much of the item is about this symbol, 0..100. */
  relevance: number;
  /** Expected direction over the next hours to days, -5 most bearish .. +5 most bullish. */
  sentiment_short: number | null;
  /** Expected direction over weeks to quarters, -5 most bearish .. +5 most bullish. */
  sentiment_long: number | null;
  /** Confidence in the short direction, 0..100. */
  sentiment_conviction: number | null;
  /** 5 + sentiment_short, 0..10. */
  sentiment_score: number | null;
  /** Rationale in one line. */
  sentiment_comment: string | null;
  /** Quotes from the text that support this. */
  evidence: Evidence[];
}

export interface SubScores {
  /** 0..100 each. */
  actionability: {
    /** How new the matter is, compared with what the feed had carried before. */
    novelty: number;
    /** How much the matter weighs for the company. */
    materiality: number;
    /** How clearly the text states it. */
    clarity: number;
    /** How soon it matters. */
    urgency: number;
    /** How reliable the source and the wording are. */
    credibility: number;
    /** How many companies or markets are affected. */
    breadth: number;
  };
  /** 0..100 each; null when there is no sentiment. */
  sentiment: {
    /** How strong the wording is. */
    intensity: number;
    /** How far the parts of the text agree in direction. */
    agreement: number;
    /** How definite the statements are. */
    certainty: number;
  } | null;
}

export interface ItemText {
  /** Headline; empty when the source gives none. */
  title: string;
  /** The text without its headline; empty when only the headline is known. */
  body: string;
  /** What offsets of evidence count: UTF-16 code units of title + newline + body, as in JavaScript strings. */
  base: "utf16";
  /** ISO 639-1. */
  language: string | null;
  /** Version of the item that the text is of: FeedItem.seq. */
  seq: number;
}

export interface ItemScores {
  /** Oldest first; the newest 1,000 when there are more. */
  data: ItemScore[];
}

export interface ItemScore {
  /** Model that scored the item: flash, pro, llm:<name> or onnx:<name>. */
  model: string;
  /** Version of that model. */
  model_version: string;
  /** When the item was scored. */
  scored_at: Timestamp;
  scoring: Scoring;
  /** null when the model gave none. */
  sub_scores: SubScores | null;
}

export interface ReplayPage {
  /** In the order of the log. May be empty although more follows. */
  data: ReplayEntry[];
  /** Everything up to here was examined. A stream that subscribes after it continues without a gap. */
  cursor: string;
  /** Send it as `after` to get the next page. null: `until`, or the end of the log, is reached. */
  next_cursor: string | null;
}

export interface ReplayEntry {
  /** `<epoch>.<seq>`, opaque to clients. */
  cursor: string;
  /** Position in the log. */
  seq: number;
  /** When the entry was logged; the stream sent it within milliseconds. Neighbours may be out of order by as long as scoring took. */
  logged_at: Timestamp;
  /** As in the feed frame, but publish_time is logged_at. */
  latency: Latency;
  /** The item as the stream carried it then: this version, with its scores. */
  data: StreamItem;
}

export interface Me {
  /** The key of this request. */
  key: {
    /** Id of the key, not the key itself. */
    id: string;
    /** Name the operator gave the key. */
    name: string;
    /** First characters of the key. */
    prefix: string;
    /** Last characters of the key. */
    last4: string;
    /** When the key was created. */
    created_at: Timestamp;
    /** Approximate time of the last use before this one; null: none. */
    last_used_at: Timestamp | null;
    /** When the key expires; null: never. */
    expires_at: Timestamp | null;
  };
  /** The account of the key. Limits count per account. */
  account: {
    /** Id of the account. */
    id: string;
    /** Name of the account. */
    name: string;
  };
  /** The account's plan. */
  tier: PlanName;
  limits: PlanLimits;
  /** Use of today (UTC) by all keys of the account. */
  usage: {
    /** Live items delivered. */
    feed: number;
    /** Score calls that succeeded. */
    score: number;
    /** REST requests, refused ones included. */
    requests: number;
    /** 00:00 UTC of the next day. */
    reset_at: Timestamp;
  };
}

export interface PlanLimits {
  /** Requests per minute. */
  requests_per_minute: number;
  /** Largest page of GET /v1/feeds. null: not available on this plan. */
  page_limit_max: number | null;
  /** Live items per day on streams and webhooks. null: no limit. */
  realtime_feeds_per_day: number | null;
  /** Score calls per day. null: no limit; 0: not available on this plan. */
  score_per_day: number | null;
  /** Streams open at the same time. */
  stream_connections: number;
  /** Webhook endpoints that the account may have. */
  webhook_endpoints: number;
  /** Whether GET /v1/replay is available. */
  replay: boolean;
  /** false: items carry scoring.locked = true and no scores. */
  scored_feed: boolean;
}

export interface Usage {
  /** Days shown. */
  days: number;
  /** Time zone of the days. */
  timezone: "UTC";
  /** One entry per day, oldest first, today last. Days without use are included. */
  data: UsageDay[];
  limits: PlanLimits;
  /** Streams that the account has open now. */
  open_streams: number;
  /** The last entry of `data`, with the time of the next reset. */
  today: {
    /** Day (UTC). */
    date: string;
    /** Live items delivered. */
    feed: number;
    /** Score calls that succeeded. */
    score: number;
    /** REST requests, refused ones included. */
    requests: number;
    /** Requests that got a 4xx or 5xx response. */
    errors: number;
    /** 00:00 UTC of the next day. */
    reset_at: Timestamp;
  };
}

/** Use of one day (UTC). */
export interface UsageDay {
  /** Day (UTC). */
  date: string;
  /** Live items delivered. */
  feed: number;
  /** Score calls that succeeded. */
  score: number;
  /** REST requests, refused ones included. */
  requests: number;
  /** Requests that got a 4xx or 5xx response. */
  errors: number;
}

export interface ProviderList {
  /** Sorted by name. */
  data: Provider[];
}

export interface Provider {
  /** Id of the provider, as in FeedItem.provider_id. */
  id: string;
  /** Name to show. */
  name: string;
  /** Address of a logo that this service draws and serves. */
  logo: string;
  /** Website of the provider; null when unknown. */
  url: string | null;
  /** Kind of provider; null for a provider that items name but the configuration does not. */
  kind: "official" | "wire" | "exchange" | "media" | null;
  /** Number of items of all time. */
  feed_count: number;
  /** published_at of the newest item; null: there is none. */
  latest_at: Timestamp | null;
}

export interface SourceList {
  /** Sorted by name. */
  data: string[];
}

export interface SourceDetail {
  /** Name of the source. */
  name: string;
  /** Number of items of all time. */
  feed_count: number;
  /** published_at of the newest item; null: there is none. */
  latest_at: Timestamp | null;
  /** Number of items published in the last 24 hours. */
  feeds_24h: number;
  /** Milliseconds from the source's own time of an item to first sight, over the last 200 live items. null: there were none. */
  lag_ms: {
    /** Median. */
    p50: number;
    /** 99th percentile. */
    p99: number;
  } | null;
  /** stale: there has been no new item for much longer than is usual for the source. */
  status: SourceStatus;
  /** Failed polls in a row. For a source with several entries: the highest number. */
  failures: number;
}

/** Health of a source. */
export type SourceStatus = "ok" | "waiting" | "stale" | "failing" | "disabled";

export interface SymbolList {
  /** Largest first. */
  data: SymbolEntry[];
}

export interface SymbolEntry {
  /** Ticker without its exchange. */
  short_symbol: string;
  /** EXCHANGE:TICKER, or a bare ticker when the exchange is unknown. */
  symbol: string;
  /** Exchange code; null when unknown. */
  exchange: string | null;
  /** Name of the company or instrument; null for a symbol that items name but the symbol table does not. */
  name: string | null;
  /** Address of a logo that this service draws and serves. */
  logo: string;
  /** Id of its logo; null when there is none. */
  logoid: string | null;
}

export interface SymbolDetail {
  /** Ticker without its exchange. */
  short_symbol: string;
  /** EXCHANGE:TICKER, or a bare ticker when the exchange is unknown. */
  symbol: string;
  /** Exchange code; null when unknown. */
  exchange: string | null;
  /** Name of the company or instrument; null for a symbol that items name but the symbol table does not. */
  name: string | null;
  /** Address of a logo that this service draws and serves. */
  logo: string;
  /** Id of its logo; null when there is none. */
  logoid: string | null;
  /** Country of the issuer, ISO 3166-1 alpha-2. */
  country: string | null;
  /** stock, dr, etf, crypto, index, forex, commodity or yield. */
  type: string | null;
  /** Sector of the issuer. */
  sector: string | null;
  /** SEC Central Index Key, 10 digits. */
  cik: string | null;
  /** Names in a text that are linked to the symbol. */
  aliases: string[];
  /** First day on which the symbol is no longer traded; null while it is, or when that is not known. */
  delisted_on: string | null;
  /** Number of items that GET /v1/feeds finds for the symbol as you gave it: for a bare ticker, of all exchanges. */
  feed_count: number;
  /** Number of items published in the last 24 hours. */
  feed_count_24h: number;
  /** published_at of the newest item; null: there is none. */
  latest_at: Timestamp | null;
  /** The symbols with this ticker, one for each exchange: those with most items first, at most 50. Items that name no exchange are in none of them. */
  lines: SymbolLine[];
}

export interface SymbolLine {
  /** EXCHANGE:TICKER. */
  symbol: string;
  /** Exchange code; null when unknown. */
  exchange: string | null;
  /** Name of the company or instrument; null for a symbol that items name but the symbol table does not. */
  name: string | null;
  /** Number of items of all time. */
  feed_count: number;
}

export interface TagList {
  /** One entry per dimension. */
  data: TagDimensionValues[];
}

export interface TagDimensionValues {
  dimension: TagDimension;
  /** Label to show. */
  label: string;
  /** Values of the dimension. market_country has only the countries that items have. */
  values: {
    /** Value in filters and items. */
    value: string;
    /** Label to show. */
    label: string;
    /** Meaning of the value. */
    definition?: string | undefined;
    /** Number of items of all time. */
    count: number;
  }[];
}

export interface EventList {
  /** Every kind, with or without items, sorted by group and then by name. */
  data: EventKind[];
}

export interface EventKind {
  /** Name in filters and items. */
  name: string;
  /** Group of related kinds. */
  group: string;
  /** Label to show. */
  label: string;
  /** What has happened when a text tells an event of this kind. */
  meaning: string;
  /** Number of items of all time. */
  count: number;
}

export interface ScoreRequest {
  artifact: ScoreArtifact;
  /** How to score. */
  options?: ScoreOptions | null | undefined;
}

export interface ScoreArtifact {
  /** Kind of text. It decides the default model. */
  type: ArtifactType;
  /** Headline. */
  title: string;
  /** The text without its headline. */
  body: string;
  /** Tag values that you know. Added to the tags found in the text. */
  tags?: string[] | null | undefined;
  /** Symbols that you know, AAPL or NASDAQ:AAPL. */
  related_symbols?: string[] | null | undefined;
  /** When the text was published; absent: now. Novelty compares the text with what the feed had carried by then. When the headline is that of an item in the feed, it compares with what the feed had carried before that item. */
  published_at?: string | null | undefined;
}

export interface ScoreOptions {
  /** Absent: flash for news and ugc, pro for filing and research. */
  model?: "flash" | "pro" | null | undefined;
  /** true: adds detailed_analysis to the verdict. */
  include_detailed_analysis?: boolean | null | undefined;
  /** if_actionable: scores sentiment only when the text is actionable. */
  score_sentiment?: "always" | "if_actionable" | null | undefined;
}

export interface Verdict {
  /** Id of this verdict. */
  id: string;
  /** When the verdict was made. */
  created_at: Timestamp;
  /** Model that scored the text: flash, pro, llm:<name> or onnx:<name>. */
  model: string;
  /** Version of that model. */
  model_version: string;
  actionability: VerdictActionability;
  /** null when sentiment was skipped. */
  sentiment: VerdictSentiment | null;
  /** Why sentiment was skipped. */
  sentiment_skipped_reason?: "not_actionable" | undefined;
  /** Kind of the leading event; null when no known event was found. GET /v1/events lists all kinds. `other_` and the name of a group: news of the group by its wording, without words that prove a kind. */
  event: string | null;
  /** Events that the text tells, the leading one first. Items stored before this member existed: []. */
  events: EventMention[];
  /** Listed companies and instruments that the text is about. */
  symbols: SymbolAnalysis[];
  /** Tags of the text. */
  tags: TagSet;
  /** Present when options.include_detailed_analysis is true. */
  detailed_analysis?: DetailedAnalysis | undefined;
  /** Use of the daily quota. */
  usage: ScoreUsage;
  /** Time the scoring took, in milliseconds. */
  timing_ms: number;
}

export interface VerdictActionability {
  /** Whether the text is rated likely to move the price. */
  actionable: boolean;
  /** Actionability from 0 (not actionable) to 100. */
  score: number;
  /** Rationale in one line, with the evidence. */
  comment: string;
  /** Sub-scores, 0..100 each. */
  sub_scores: {
    /** How new the matter is, compared with what the feed had carried before. */
    novelty: number;
    /** How much the matter weighs for the company. */
    materiality: number;
    /** How clearly the text states it. */
    clarity: number;
    /** How soon it matters. */
    urgency: number;
    /** How reliable the source and the wording are. */
    credibility: number;
    /** How many companies or markets are affected. */
    breadth: number;
  };
}

export interface VerdictSentiment {
  /** Expected direction over the next hours to days, -5 most bearish .. +5 most bullish. */
  short_direction: number;
  /** Expected direction over weeks to quarters, -5 .. +5. */
  long_direction: number;
  /** Confidence in the short direction, 0..100. */
  conviction: number;
  /** 5 + short_direction. */
  score: number;
  /** Rationale in one line, with the evidence. */
  comment: string;
  /** Sub-scores, 0..100 each. */
  sub_scores: {
    /** How strong the wording is. */
    intensity: number;
    /** How far the parts of the text agree in direction. */
    agreement: number;
    /** How definite the statements are. */
    certainty: number;
  };
}

export interface DetailedAnalysis {
  actionability: HeadAnalysis;
  sentiment: HeadAnalysis;
}

export interface HeadAnalysis {
  /** The score explained in a sentence or two. */
  summary: string;
  /** Reasons for the score, one after the other. Their weights add up to it: to actionability.score, and to 20 times sentiment.short_direction. Limits and rounding are factors too. */
  factors: AnalysisFactor[];
}

export interface AnalysisFactor {
  /** The reason in words. */
  name: string;
  /** What the reason adds, from -100 (strongly against) to 100 (strongly for): points of the actionability score; for the sentiment 20 to a step of the direction. */
  weight: number;
  /** Quotes from the text; empty when the reason does not come from its wording. */
  evidence: Evidence[];
}

export interface ScoreUsage {
  /** Calls per day; null: no limit. */
  limit: number | null;
  /** Calls used today, this one included. */
  used: number;
  /** Calls left today; null: no limit. */
  remaining: number | null;
  /** 00:00 UTC of the next day. */
  reset_at: Timestamp;
}

export interface ItemScoreRequest {
  /** Absent: flash for news and ugc, pro for filing and research. */
  model?: "flash" | "pro" | null | undefined;
  /** true: adds detailed_analysis to the verdict. */
  include_detailed_analysis?: boolean | null | undefined;
}

export interface ScoreBatchRequest {
  /** Artifacts as in POST /v1/score. Each is checked separately. */
  artifacts: unknown[];
  /** How to score. */
  options?: ScoreOptions | null | undefined;
}

export interface ScoreBatch {
  /** One entry per artifact, in the order of the request. */
  data: (ScoreBatchVerdict | ScoreBatchError)[];
}

export interface ScoreBatchVerdict {
  /** Index of the artifact in the request, starting at 0. */
  index: number;
  verdict: Verdict;
}

export interface ScoreBatchError {
  /** Index of the artifact in the request, starting at 0. */
  index: number;
  /** Why this artifact was refused. The others are not affected. */
  error: {
    /** Error code, as in problem documents. */
    code: string;
    /** What is wrong with the artifact. */
    message: string;
  };
}

export interface WebhookList {
  /** Oldest first. */
  data: WebhookWithoutSecret[];
}

export interface WebhookWithoutSecret {
  /** Id of the endpoint. */
  id: string;
  /** Target of deliveries. In the list a viewer gets its origin only, since path and query may hold a secret. */
  url: string;
  /** Description to show. */
  description: string | null;
  /** Whether items are delivered to this endpoint. */
  enabled: boolean;
  /** Which items are delivered. {}: every item. */
  filters: WebhookFilters;
  /** Seconds after which an undelivered item is given up. */
  max_age: number;
  format: WebhookFormat;
  /** auto_disabled: the service disabled it, see disabled_reason. */
  status: "enabled" | "disabled" | "auto_disabled";
  /** Why the service disabled the endpoint: failed deliveries, or a plan that allows fewer endpoints. */
  disabled_reason: string | null;
  /** When the endpoint was created. */
  created_at: Timestamp;
  /** When the endpoint was last changed. */
  updated_at: Timestamp;
  /** When the current series of failures began; null: the endpoint is not failing. */
  failing_since: Timestamp | null;
  /** When the receiver last answered a delivery. */
  last_delivery_at: Timestamp | null;
  /** HTTP status of the last attempt; null: no attempt yet, or no response. */
  last_status: number | null;
  /** When the last attempt ended; null: there was none yet. */
  last_attempt_at: Timestamp | null;
  /** Why the last attempt had no response, such as connect_refused; null: it had one, or there was none yet. */
  last_error: string | null;
  /** Items of today (UTC) that matched the filters. */
  matched_today: number;
  /** Number of these that were delivered. */
  delivered_today: number;
  /** Items of all time that matched the filters. */
  matched_total: number;
  /** Number of these that were delivered. */
  delivered_total: number;
  /** After a rotation: the previous secret signs too until this time. null: no rotation is under way. */
  rotation_ends_at: Timestamp | null;
}

export interface WebhookFilters {
  /** AAPL or NASDAQ:AAPL. Several are OR-ed. */
  symbols?: string[] | null | undefined;
  /** Exchange codes, OR-ed. */
  exchanges?: string[] | null | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | null | undefined;
  /** Lowest sentiment_score. */
  sentiment_min?: number | null | undefined;
  /** Highest sentiment_score. */
  sentiment_max?: number | null | undefined;
  /** Lowest sentiment_conviction. */
  min_conviction?: number | null | undefined;
  /** Lowest actionability_score. */
  min_actionability_score?: number | null | undefined;
  /** Kinds of events, as GET /v1/events lists them, OR-ed. An item passes with any of its events. */
  event?: string[] | null | undefined;
  /** false: sends only the first item of each story. */
  story_copies?: boolean | null | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: string | null | undefined;
  /** Tag values by dimension. All dimensions that you give must match. */
  tags?:
    | {
        /** Values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
        corp_activity?: string[] | null | undefined;
        /** Values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
        market?: string[] | null | undefined;
        /** Values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
        market_country?: string[] | null | undefined;
        /** Values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
        economic_category?: string[] | null | undefined;
      }
    | null
    | undefined;
}

/** Form of the deliveries: tapewire, or a message for the incoming webhooks of Slack, Discord or Telegram. */
export type WebhookFormat = "tapewire" | "slack" | "discord" | "telegram";

export interface WebhookCreate {
  /** Absolute https URL without credentials, on a public address. http and other addresses only where the operator allows them. A name that does not resolve yet is accepted: the address is checked again at every connection. */
  url: string;
  /** Description to show. */
  description?: string | null | undefined;
  /** Which items are delivered. {}, null or absent: every item. */
  filters?: WebhookFilters | null | undefined;
  /** Seconds after which an undelivered item is given up. Absent: 86,400 (a day). */
  max_age?: number | null | undefined;
  /** Form of the deliveries: tapewire, or a message for the incoming webhooks of Slack, Discord or Telegram. Absent: tapewire. */
  format?: WebhookFormat | null | undefined;
}

export interface Webhook {
  /** Id of the endpoint. */
  id: string;
  /** Target of deliveries. In the list a viewer gets its origin only, since path and query may hold a secret. */
  url: string;
  /** Description to show. */
  description: string | null;
  /** Whether items are delivered to this endpoint. */
  enabled: boolean;
  /** Which items are delivered. {}: every item. */
  filters: WebhookFilters;
  /** Seconds after which an undelivered item is given up. */
  max_age: number;
  format: WebhookFormat;
  /** auto_disabled: the service disabled it, see disabled_reason. */
  status: "enabled" | "disabled" | "auto_disabled";
  /** Why the service disabled the endpoint: failed deliveries, or a plan that allows fewer endpoints. */
  disabled_reason: string | null;
  /** When the endpoint was created. */
  created_at: Timestamp;
  /** When the endpoint was last changed. */
  updated_at: Timestamp;
  /** When the current series of failures began; null: the endpoint is not failing. */
  failing_since: Timestamp | null;
  /** When the receiver last answered a delivery. */
  last_delivery_at: Timestamp | null;
  /** HTTP status of the last attempt; null: no attempt yet, or no response. */
  last_status: number | null;
  /** When the last attempt ended; null: there was none yet. */
  last_attempt_at: Timestamp | null;
  /** Why the last attempt had no response, such as connect_refused; null: it had one, or there was none yet. */
  last_error: string | null;
  /** Items of today (UTC) that matched the filters. */
  matched_today: number;
  /** Number of these that were delivered. */
  delivered_today: number;
  /** Items of all time that matched the filters. */
  matched_total: number;
  /** Number of these that were delivered. */
  delivered_total: number;
  /** After a rotation: the previous secret signs too until this time. null: no rotation is under way. */
  rotation_ends_at: Timestamp | null;
  /** Signing secret: whsec_ and the base64 of the 32-byte key. */
  secret: string;
}

export interface WebhookUpdate {
  /** New target of deliveries, with the same rules as on creation. */
  url?: string | null | undefined;
  /** Description to show; null removes it. */
  description?: string | null | undefined;
  /** false stops deliveries, true starts them again. */
  enabled?: boolean | null | undefined;
  /** Replaces all filters. {} or null: every item. */
  filters?: WebhookFilters | null | undefined;
  /** Seconds after which an undelivered item is given up. */
  max_age?: number | null | undefined;
  /** Form of the deliveries: tapewire, or a message for the incoming webhooks of Slack, Discord or Telegram. */
  format?: WebhookFormat | null | undefined;
  /** Cannot be changed. Accepted when it equals the current value. */
  id?: unknown | undefined;
  /** Cannot be changed. Accepted when it equals the current value. */
  status?: unknown | undefined;
  /** Cannot be changed. Accepted when it equals the current value. */
  created_at?: unknown | undefined;
  /** Cannot be changed. Accepted when it equals the current value. */
  secret?: unknown | undefined;
  /** Ignored: set by the service. */
  disabled_reason?: unknown | undefined;
  /** Ignored: set by the service. */
  updated_at?: unknown | undefined;
  /** Ignored: set by the service. */
  failing_since?: unknown | undefined;
  /** Ignored: set by the service. */
  last_delivery_at?: unknown | undefined;
  /** Ignored: set by the service. */
  last_status?: unknown | undefined;
  /** Ignored: set by the service. */
  last_attempt_at?: unknown | undefined;
  /** Ignored: set by the service. */
  last_error?: unknown | undefined;
  /** Ignored: set by the service. */
  matched_today?: unknown | undefined;
  /** Ignored: set by the service. */
  delivered_today?: unknown | undefined;
  /** Ignored: set by the service. */
  matched_total?: unknown | undefined;
  /** Ignored: set by the service. */
  delivered_total?: unknown | undefined;
  /** Ignored: set by the service. */
  rotation_ends_at?: unknown | undefined;
}

export interface WebhookDeletion {
  /** Id of the deleted endpoint. */
  id: string;
  /** Always true. */
  deleted: true;
}

export interface WebhookTest {
  /** The webhook-id header of the test. */
  id: string;
  /** When the test was sent. */
  at: Timestamp;
  /** Whether the receiver answered 2xx. */
  ok: boolean;
  /** HTTP status of the receiver's response; null: there was none. */
  status_code: number | null;
  /** Why there was no response, such as connect_refused, timeout or tls_untrusted; null: there was one. */
  error: string | null;
  /** Milliseconds from name resolution to the end of the response. */
  latency_ms: number;
  /** First KiB of the response body as text. null: there was no body, or the response came from an address that only the operator's settings allow. */
  response: string | null;
}

/** due: waits for its next attempt. delivered: the receiver answered 2xx. failed: given up after the last retry. expired: given up because the item was older than max_age. disabled: given up because the endpoint was disabled. */
export type DeliveryStatus = "due" | "delivered" | "failed" | "expired" | "disabled";

export interface WebhookDeliveryList {
  /** Deliveries, newest item first. */
  data: WebhookDelivery[];
  /** Cursor of the next page; null: there are no more. A page may have fewer entries than `limit`. */
  next_cursor: string | null;
}

export interface WebhookDelivery {
  /** Id of the delivery: the webhook-id header of all its attempts. */
  id: string;
  /** Id of the item. */
  item_id: string;
  /** Position of this version of the item in the log. */
  seq: number;
  status: DeliveryStatus;
  /** For a due delivery: time of the next attempt, after the endpoint's pause if it is paused. null: as soon as the endpoint can be sent to. */
  next_attempt_at: Timestamp | null;
  /** The last attempts, at most 20, oldest first. */
  attempts: DeliveryAttempt[];
}

export interface DeliveryAttempt {
  /** Number of the attempt, starting at 1. A resend starts again at 1. */
  number: number;
  /** What caused the attempt. */
  trigger: "item" | "resend" | "replay";
  /** When the attempt began. */
  at: Timestamp;
  /** Whether the receiver answered 2xx. */
  ok: boolean;
  /** HTTP status of the receiver's response; null: there was none. */
  status_code: number | null;
  /** Why there was no response, such as connect_refused, timeout or tls_untrusted; null: there was one. */
  error: string | null;
  /** Milliseconds from name resolution to the end of the response. */
  latency_ms: number;
  /** First KiB of the response body as text. null: there was no body, or the response came from an address that only the operator's settings allow. */
  response: string | null;
}

export interface WebhookDeliveryDetail {
  /** Id of the delivery: the webhook-id header of all its attempts. */
  id: string;
  /** Id of the item. */
  item_id: string;
  /** Position of this version of the item in the log. */
  seq: number;
  status: DeliveryStatus;
  /** For a due delivery: time of the next attempt, after the endpoint's pause if it is paused. null: as soon as the endpoint can be sent to. */
  next_attempt_at: Timestamp | null;
  /** The last attempts, at most 20, oldest first. */
  attempts: DeliveryAttempt[];
  request: WebhookDeliveryRequest;
}

export interface WebhookDeliveryRequest {
  /** The endpoint's URL now. */
  url: string;
  /** Headers with names in lower case. webhook-timestamp and webhook-signature are of now: the attempts had others. */
  headers: { [name: string]: string };
  /** The body of this version of the item, as the plan shows it now. Only the times in `latency` may differ from those sent. */
  body: string;
  /** When this signature was made: now, with the secrets that sign now. A receiver accepts it for five minutes. */
  signed_at: Timestamp;
}

export interface WebhookQueued {
  /** Number of deliveries that are now due. */
  queued: number;
}

export interface WebhookRecover {
  /** Sends deliveries again that were given up at or after this time. */
  since: string;
}

export interface WebhookReplay {
  /** First item: a date-time or a seq. */
  from: string | number;
  /** Last item, inclusive: a date-time or a seq. Absent: the newest item. */
  to?: string | number | undefined;
}

export interface WebhookReplayStarted {
  /** First position in the log. */
  from_seq: number;
  /** Last position in the log. Lower than from_seq: the range is empty. */
  to_seq: number;
}

export interface WebhookStatsList {
  /** Starts of the hours (UTC), oldest first; the last is the current one. */
  hours: Timestamp[];
  /** The account's endpoints, oldest first. */
  data: WebhookStatsRow[];
}

export interface WebhookStatsRow {
  /** Id of the endpoint. */
  id: string;
  /** Deliveries that wait for their next attempt. */
  due: number;
  /** Deliveries that recover would send again. */
  given_up: number;
  /** Entries of the log, matching or not, that are not finished for this endpoint. */
  behind: number;
  /** Entries of the log up to this seq are finished for this endpoint: delivered, due for another attempt, given up or not matching. Later ones were not sent yet. */
  position: number;
  /** Nothing is sent until this time, after repeated failures or a Retry-After; null: not paused. */
  paused_until: Timestamp | null;
  /** The first of the due deliveries is not tried again before this time, which takes a pause into account; null: none is due. */
  next_attempt_at: Timestamp | null;
  /** Attempts made within the hours, including retries, resends and replays. */
  attempts: number;
  /** Latency of those that were answered, accurate to about 20 %; null: there were none. */
  latency_ms: {
    /** Median. */
    p50: number;
    /** 99th percentile. */
    p99: number;
  } | null;
  /** Deliveries that the receiver answered with 2xx, at any attempt, in each of the hours. */
  delivered: number[];
  /** Deliveries given up after the last retry in each of the hours. */
  failed: number[];
  /** Items given up because they were older than max_age in each of the hours. */
  expired: number[];
}

export interface WebhookStats {
  /** Exact counts of today (UTC). */
  today: WebhookCounts;
  /** Exact counts of all time. */
  total: WebhookCounts;
  /** Deliveries that wait for their next attempt. */
  due: number;
  /** Deliveries that recover would send again. */
  given_up: number;
  /** Entries of the log, matching or not, that are not finished for this endpoint. */
  behind: number;
  /** Entries of the log up to this seq are finished for this endpoint: delivered, due for another attempt, given up or not matching. Later ones were not sent yet. */
  position: number;
  /** Nothing is sent until this time, after repeated failures or a Retry-After; null: not paused. */
  paused_until: Timestamp | null;
  /** The first of the due deliveries is not tried again before this time, which takes a pause into account; null: none is due. */
  next_attempt_at: Timestamp | null;
  /** Entries of the log that the replay has not checked yet; null: no replay is running. */
  replay_remaining: number | null;
  /** One entry per hour, oldest first. */
  hours: WebhookHour[];
}

export interface WebhookCounts {
  /** Items that match the filters. */
  matched: number;
  /** Deliveries that the receiver answered with 2xx, at any attempt. */
  delivered: number;
  /** Deliveries given up after the last retry. */
  failed: number;
  /** Items given up because they were older than max_age. To get those that were never attempted use replay, not recover. */
  expired: number;
}

export interface WebhookHour {
  /** Start of the hour (UTC). */
  hour: Timestamp;
  /** Items that match the filters. */
  matched: number;
  /** Deliveries that the receiver answered with 2xx, at any attempt. */
  delivered: number;
  /** Deliveries given up after the last retry. */
  failed: number;
  /** Items given up because they were older than max_age. To get those that were never attempted use replay, not recover. */
  expired: number;
  /** Attempts made, including retries, resends and replays. */
  attempts: number;
  /** Latency of the attempts that were answered, accurate to about 20 %; null: there were none. */
  latency_ms: {
    /** Median. */
    p50: number;
    /** 99th percentile. */
    p99: number;
  } | null;
}

export interface SignInOptions {
  /** Whether a person has a password to sign in with. */
  password: boolean;
  /** Whether `GET /app/v1/oidc/start` leads to an identity provider. */
  oidc: boolean;
}

export interface LinkQuestion {
  /** Token of a one-use link: the last part of its address. */
  link: string;
}

export interface LinkInfo {
  /** first and open begin a session of the operator's. */
  purpose: "first" | "open" | "invite" | "reset";
  /** E-mail address of the person; null: the link is not for a person. */
  email: string | null;
  /** Account that an invitation is for. */
  account_name: string | null;
  /** Whether a password must be sent with the link. A session of the invited person needs none. */
  needs_password: boolean;
  expires_at: Timestamp;
}

export interface SignIn {
  /** Token of a one-use link: the last part of its address. */
  link?: string | null | undefined;
  /** An API key, or the operator's admin token. */
  secret?: string | null | undefined;
  /** E-mail address of the person. */
  email?: string | null | undefined;
  /** Password of the person, with `email`. With the link of an invitation or a reset: the new password, at least 12 characters; a person who has a password already accepts an invitation with it. */
  password?: string | null | undefined;
  /** Name of a person who accepts an invitation. */
  name?: string | null | undefined;
}

export interface Session {
  /** Id of the session. */
  id: string;
  /** What began the session. */
  kind: "person" | "key" | "admin";
  created_at: Timestamp;
  /** When it was last used, to the minute. */
  seen_at: Timestamp;
  /** When it ends if it is used until then. Unused for 14 days it ends earlier. */
  expires_at: Timestamp;
  /** Who the audit says does what the session does: a person's address, `key NAME` or `operator`. */
  name: string;
  /** null: the session belongs to no person. */
  person: Person | null;
  /** Whether the session may do everything in every account. */
  operator: boolean;
  /** Accounts that the session may see, by name. */
  accounts: {
    /** Id of the account. */
    id: string;
    /** Name to show. */
    name: string;
    plan: PlanName;
    right: SessionRight;
  }[];
}

export interface Person {
  /** Id of the person. */
  id: string;
  /** E-mail address; null: none yet. */
  email: string | null;
  /** Name to show. */
  name: string;
  /** operator: may do everything in every account. */
  role: "operator" | "member";
  /** Whether the person can sign in with a password. */
  has_password: boolean;
}

/** Right of the session to an account: operator for all accounts, the person's role, or key when the session was begun with a key of the account. */
export type SessionRight = "operator" | "owner" | "member" | "viewer" | "key";

export interface Ended {
  /** Id of what has ended or was removed. */
  id: string;
  /** Always true. */
  ended: true;
}

export interface ListedSession {
  /** Id of the session. */
  id: string;
  /** What began the session. */
  kind: "person" | "key" | "admin";
  created_at: Timestamp;
  /** When it was last used, to the minute. */
  seen_at: Timestamp;
  /** When it ends if it is used until then. Unused for 14 days it ends earlier. */
  expires_at: Timestamp;
  /** What the client called itself. */
  user_agent: string;
  /** Network that began the session. */
  network: string;
  /** Whether this is the session of the request. */
  current: boolean;
}

export interface ProfileUpdate {
  /** New name to show. */
  name?: string | null | undefined;
  /** New e-mail address. */
  email?: string | null | undefined;
  /** New password, at least 12 characters. */
  password?: string | null | undefined;
  /** Required to change a password that is set. */
  current_password?: string | null | undefined;
}

export interface TabKeyRequest {
  /** Account that the key reads as. */
  account_id: string;
  /** operator: the key also opens `/admin/v1`. Only in a session of the operator's. */
  as?: "member" | "operator" | null | undefined;
}

export interface TabKey {
  /** A key for `/v1`, and for `/admin/v1` when it was asked for as operator. */
  key: string;
  /** Fifteen minutes from now. Renew it before. */
  expires_at: Timestamp;
  right: SessionRight;
  /** Live items a day on the account's plan. null: no limit. Where there is one, a page asks before it watches. */
  realtime_feeds_per_day: number | null;
  /** Address of the service as the browser reaches it. */
  base_url: string;
  /** Address of the stream. */
  ws_url: string;
}

export interface TabKeyRenewal {
  /** The key to renew. It must be one of this session. */
  key: string;
}

export interface RenewedTabKey {
  expires_at: Timestamp;
}

export interface ApiKey {
  /** Id of the key, not the key itself. */
  id: string;
  /** Account of the key. */
  account_id: string;
  /** Name of that account. */
  account_name: string;
  /** The account's plan. */
  plan: PlanName;
  /** Name the operator gave the key. */
  name: string;
  /** First characters of the key. */
  prefix: string;
  /** Last characters of the key. */
  last4: string;
  /** When the key was created. */
  created_at: Timestamp;
  /** Approximate time of the last use; null: not used yet. */
  last_used_at: Timestamp | null;
  /** When the key expires; null: never. */
  expires_at: Timestamp | null;
  /** When the key was revoked; null: not revoked. */
  revoked_at: Timestamp | null;
  /** Who created the key in the dashboard; null: the operator. */
  created_by: string | null;
  /** Id of the key that this one replaced; null: none. */
  replaces: string | null;
}

export interface AccountKeyCreate {
  /** Name to show. */
  name: string;
  /** When the key expires. Absent: never. */
  expires_at?: string | null | undefined;
}

export interface CreatedKey {
  /** The key itself. It is shown only in this response. */
  key: string;
  /** Id of the key, not the key itself. */
  id: string;
  /** Account of the key. */
  account_id: string;
  /** Name of that account. */
  account_name: string;
  /** The account's plan. */
  plan: PlanName;
  /** Name the operator gave the key. */
  name: string;
  /** First characters of the key. */
  prefix: string;
  /** Last characters of the key. */
  last4: string;
  /** When the key was created. */
  created_at: Timestamp;
  /** Approximate time of the last use; null: not used yet. */
  last_used_at: Timestamp | null;
  /** When the key expires; null: never. */
  expires_at: Timestamp | null;
  /** When the key was revoked; null: not revoked. */
  revoked_at: Timestamp | null;
  /** Who created the key in the dashboard; null: the operator. */
  created_by: string | null;
  /** Id of the key that this one replaced; null: none. */
  replaces: string | null;
}

export interface KeyUpdate {
  /** New name to show. */
  name?: string | null | undefined;
  /** When the key expires; null: never. */
  expires_at?: string | null | undefined;
}

export interface KeyRotation {
  /** Seconds that the old key stays valid, never longer than its own expiry. Absent: 86400. */
  grace_s?: number | null | undefined;
}

export interface Member {
  /** Id of the person. */
  id: string;
  /** E-mail address; null: none yet. */
  email: string | null;
  /** Name to show. */
  name: string;
  /** operator: may do everything in every account. */
  role: "operator" | "member";
  /** Whether the person can sign in with a password. */
  has_password: boolean;
  account_role: AccountRole;
  joined_at: Timestamp;
  /** Last use of a session; null: never signed in. */
  last_seen_at: Timestamp | null;
}

/** What a person may do with an account. */
export type AccountRole = "owner" | "member" | "viewer";

export interface MemberUpdate {
  role: AccountRole;
}

export interface SignInLink {
  /** Address to open once. It is shown only in this response: copy it to the person. */
  url: string;
  expires_at: Timestamp;
}

export interface Invite {
  /** Id of the invitation. */
  id: string;
  /** E-mail address of the person. */
  email: string;
  role: AccountRole;
  created_at: Timestamp;
  /** Who invited. */
  created_by: string;
  expires_at: Timestamp;
}

export interface InviteCreate {
  /** E-mail address. */
  email: string;
  role: AccountRole;
}

export interface MadeInvite {
  /** Id of the invitation. */
  id: string;
  /** E-mail address of the person. */
  email: string;
  role: AccountRole;
  created_at: Timestamp;
  /** Who invited. */
  created_by: string;
  expires_at: Timestamp;
  /** Address to open once. It is shown only in this response: copy it to the person. */
  url: string;
}

export interface AuditList {
  /** Entries, newest first. */
  data: AuditEntry[];
  /** Pass it as `cursor` for older entries; null: there are none. */
  next_cursor: string | null;
}

export interface AuditEntry {
  /** Number of the entry; later ones are larger. */
  id: number;
  at: Timestamp;
  /** Who did it: a person, a key, or the admin token. */
  actor: string;
  /** What was done, such as `key.created`. */
  action: string;
  /** What it was done to. */
  subject: string;
  /** Account that it concerns; null: none. */
  account_id: string | null;
  /** Network of the client; null: not from a client. */
  network: string | null;
  /** More about it, by action. */
  detail: { [name: string]: unknown };
}

export interface ViewList {
  /** Views, oldest first. */
  data: View[];
}

export interface View {
  /** Id of the view. */
  id: string;
  /** Name to show. */
  name: string;
  /** Filters of the view, as a subscription has them. */
  filters: SubscriptionFilters;
  /** Columns to show, in order. Empty: the usual ones. */
  columns: string[];
  /** null: no alert. */
  alert: ViewAlert | null;
  /** Whether everybody of the account sees it. */
  shared: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface ViewAlert {
  /** Show a notification of the browser for each item. */
  notify: boolean;
  /** Play a sound for each item. */
  sound: boolean;
}

export interface ViewCreate {
  /** Name to show. */
  name: string;
  /** Filters as a subscription has them. Absent: none. */
  filters?: SubscriptionFilters | null | undefined;
  /** Columns to show, in order. Absent: the usual ones. */
  columns?: string[] | null | undefined;
  /** null or absent: no alert. */
  alert?: ViewAlert | null | undefined;
  /** Whether everybody of the account sees it. Absent: false. */
  shared?: boolean | null | undefined;
}

export interface ViewUpdate {
  /** New name. */
  name?: string | null | undefined;
  /** New filters, instead of all before. */
  filters?: SubscriptionFilters | null | undefined;
  /** New columns. */
  columns?: string[] | null | undefined;
  /** New alert; null: none. */
  alert?: ViewAlert | null | undefined;
  /** Whether everybody of the account sees it. */
  shared?: boolean | null | undefined;
}

export interface AccountCreate {
  /** Name to show. */
  name: string;
  plan: PlanName;
}

export interface Account {
  /** Id of the account. */
  id: string;
  /** Name to show. */
  name: string;
  plan: PlanName;
  created_at: Timestamp;
}

export interface AccountUpdate {
  /** Name to show. */
  name?: string | null | undefined;
  /** Plan of the account. */
  plan?: PlanName | null | undefined;
  /** Ignored. Accepted so that a client may send back a record as it was read. */
  id?: unknown | undefined;
  /** Ignored. Accepted so that a client may send back a record as it was read. */
  created_at?: unknown | undefined;
}

export interface KeyCreate {
  /** Account that gets the key. */
  account_id?: string | null | undefined;
  /** Creates a new account on this plan for the key. */
  plan?: PlanName | null | undefined;
  /** Name to show. */
  name?: string | null | undefined;
  /** When the key expires. Absent: never. */
  expires_at?: string | null | undefined;
}

export interface PersonRole {
  /** operator: may do everything in every account. */
  role: "operator" | "member";
}

export interface PushItem {
  /** Kind of item. */
  type?: ArtifactType | null | undefined;
  /** Headline. */
  title: string;
  /** Text of the item. It is scored, and stored for later rescoring. */
  body?: string | null | undefined;
  /** Address of the item at its source. */
  link?: string | null | undefined;
  /** FeedItem.source of the item. Absent: push. */
  source?: string | null | undefined;
  /** FeedItem.provider_id of the item: who issued it. Absent: the source. */
  provider?: string | null | undefined;
  /** When the item was published. Absent: now. */
  published_at?: string | null | undefined;
  /** Your id of the item. Pushes with the same id and source are the same item. */
  external_id?: string | null | undefined;
  /** AAPL or NASDAQ:AAPL. Added to the symbols found in the text. */
  symbols?: string[] | null | undefined;
  /** Tag values of any dimension; a country is its ISO 3166-1 alpha-2 code in capitals. Added to the tags found in the text. Unknown values are ignored and listed in ignored_tags. */
  tags?: string[] | null | undefined;
}

export interface PushAnswer {
  /** One entry per item, in the order of the request. */
  data: PushResult[];
}

export interface PushResult {
  /** Of the stored item; null when rejected. */
  id: string | null;
  /** Of the stored item; null when rejected. */
  unique_id: string | null;
  /** Result for this item. */
  status: "created" | "duplicate" | "revised" | "rejected";
  /** Tag values that are unknown. The item is stored without them. Absent when there are none. */
  ignored_tags?: string[] | undefined;
  /** Why the item was rejected. */
  error?: string | undefined;
  /** The fields that are wrong. */
  errors?: FieldError[] | undefined;
}

export interface Retraction {
  /** Id of the item. */
  id: string;
  /** Status of the item. */
  status: "retracted";
}

export interface ReplayRequest {
  /** Reads responses fetched since this time. */
  since: string;
  /** Id of an entry in the sources file. Absent: all entries. */
  source?: string | null | undefined;
  /** `next` of the previous response. Absent or 0: start at the beginning. */
  after?: number | undefined;
  /** true: report what would change and store nothing. */
  dry_run?: boolean | undefined;
}

export interface ReplayResult {
  /** Value of `after` for the next call; null: done. */
  next: number | null;
  /** Number of stored responses still to read. */
  remaining: number;
  /** Number of stored responses read. */
  answers: number;
  /** Number of items in them. */
  items: number;
  /** Number of items that were new. */
  created: number;
  /** Number of items that changed. */
  revised: number;
  /** Number of items that did not change. */
  unchanged: number;
  /** Stored responses that could not be read. */
  errors: {
    /** Id of the entry in the sources file. */
    source: string;
    /** Address that the response came from. */
    url: string;
    /** Why the response could not be read. */
    detail: string;
  }[];
}

export interface RescoreRequest {
  /** Scores items published since this time. */
  since: string;
  /** The model to score with. flash replaces scores of pro by its own as the newest. */
  model?: "flash" | "pro" | undefined;
  /** `next` of the previous response. 0: start at the beginning. */
  after?: number | undefined;
}

export interface RescoreResult {
  /** Value of `after` for the next call; null: done. */
  next: number | null;
  /** Number of items scored in this call. */
  scored: number;
  /** Number of items that keep their score: the model could not judge them. */
  skipped: number;
  /** Version of the model that scored them. */
  model_version: string;
}

export interface SourceProbe {
  /** Id of the entry in the sources file. */
  id: string;
  /** Address of the response, after redirects. */
  url: string;
  /** Whether the source could be fetched and read. */
  ok: boolean;
  /** Why the source could not be fetched or read; null: it could. */
  error: string | null;
  /** Duration of the fetch, in milliseconds. */
  took_ms: number;
  /** Size of the response. */
  bytes: number | null;
  /** Number of items in the response. */
  items: number | null;
  /** Number of these that are not in the feed yet. */
  unknown_items: number | null;
  /** Time of the newest item in the response. */
  newest_item_at: Timestamp | null;
  /** true: the document is damaged and only part of it could be read. */
  salvaged: boolean | null;
  /** Titles of the first three items. */
  titles: string[];
}

export interface ProcessList {
  /** Processes that reported within the last 5 minutes, the oldest start first. */
  data: ProcessInfo[];
}

export interface ProcessInfo {
  /** Id of this run of the process. */
  id: string;
  /** Name of its machine. */
  host: string;
  /** Its process id there. */
  pid: number;
  /** Its roles, as in TAPEWIRE_ROLES. */
  roles: string[];
  /** Version of Tapewire that it runs. */
  version: string;
  /** When it started. */
  started_at: Timestamp;
  /** When it last reported; a running process reports every 10 seconds. */
  seen_at: Timestamp;
  /** Whether it reported within the last 30 seconds. */
  running: boolean;
  /** Whether it is the process that answers this request. */
  answering: boolean;
  /** Open streams. */
  streams: number;
  /** Texts of callers that its model pro judges, or that wait for it; items of the feed are not counted. */
  score_queue: number;
  /** Verdicts of pro that it gave in the last whole minute, to its own callers and to other processes. */
  verdicts_per_minute: number;
  /** Processor time per time, of all its threads; 1 is one core. In the current minute. */
  cpu: number;
  /** Memory that it occupies. */
  rss_bytes: number;
  /** How late its event loop came to what was due, in milliseconds: 99th percentile. In the current minute. */
  event_loop_p99_ms: number;
  /** Newest entry of the log that it has read. */
  log_head: number;
  /** Free space where its data directory is; null: unknown. */
  disk_free_bytes: number | null;
}

export interface OperatorStats {
  /** Starts of the minutes, oldest first; the last is the current one. All series go by them. */
  minutes: Timestamp[];
  /** Processes that reported in this time, the oldest start first. */
  processes: ProcessStats[];
  /** Sizes are read at most once a minute. */
  database: DatabaseSize;
  /** The webhook endpoints of all accounts. */
  webhooks: WebhookHealth;
}

export interface ProcessStats {
  /** Id of this run of the process. */
  id: string;
  /** Name of its machine. */
  host: string;
  /** Its process id there. */
  pid: number;
  /** Its roles, as in TAPEWIRE_ROLES. */
  roles: string[];
  /** Version of Tapewire that it runs. */
  version: string;
  /** When it started. */
  started_at: Timestamp;
  /** When it last reported; a running process reports every 10 seconds. */
  seen_at: Timestamp;
  /** Whether it reported within the last 30 seconds. */
  running: boolean;
  /** Whether it is the process that answers this request. */
  answering: boolean;
  /** New items that it appended to the log. null: it did not report. */
  items: (number | null)[];
  /** Revisions and withdrawals that it appended. null: it did not report. */
  revisions: (number | null)[];
  /** The 8 sources with most new items of the time, most first, then the rest. */
  sources: ProcessSource[];
  /** From the source's own time to publication, live items: median, in milliseconds, accurate to about 10 %. null: no such item. */
  source_to_publish_p50_ms: (number | null)[];
  /** The same: 99th percentile, in milliseconds, accurate to about 10 %. null: no such item. */
  source_to_publish_p99_ms: (number | null)[];
  /** From first sight to publication, live and pushed items: median, in milliseconds, accurate to about 10 %. null: no such item. */
  receive_to_publish_p50_ms: (number | null)[];
  /** The same: 99th percentile, in milliseconds, accurate to about 10 %. null: no such item. */
  receive_to_publish_p99_ms: (number | null)[];
  /** Open streams at the end of the minute. null: it did not report. */
  streams: (number | null)[];
  /** Items that it wrote to streams, without snapshots. null: it did not report. */
  stream_items: (number | null)[];
  /** Webhook deliveries that receivers accepted. null: it did not report. */
  deliveries: (number | null)[];
  /** Webhook deliveries that it gave up. null: it did not report. */
  failed_deliveries: (number | null)[];
  /** Verdicts of pro that it gave, to its own callers and to other processes. null: it did not report. */
  verdicts: (number | null)[];
  /** Texts of callers that its model pro judged, or that waited for it, at the end of the minute. null: it did not report. */
  score_queue: (number | null)[];
  /** Processor time per time, of all its threads; 1 is one core. null: it did not report. */
  cpu: (number | null)[];
  /** Memory that it occupied. null: it did not report. */
  rss_bytes: (number | null)[];
  /** How late its event loop came to what was due, in milliseconds: 99th percentile. null: it did not report. */
  event_loop_p99_ms: (number | null)[];
  /** Free space where its data directory is; null: unknown. */
  disk_free_bytes: number | null;
}

export interface ProcessSource {
  /** FeedItem.source; null: all other sources together. */
  source: string | null;
  /** New items of the source, by minute. */
  items: number[];
}

export interface DatabasePart {
  /** items, bodies, versions, scores, raw (stored responses), webhooks or other. */
  part: string;
  /** Month of its items as YYYYMM; null: the part has no months. */
  month: string | null;
  /** Size of its tables with their indexes. */
  bytes: number;
}

export interface DatabaseSize {
  /** Size of all tables with their indexes. */
  bytes: number;
  /** By part and month. */
  parts: DatabasePart[];
  /** Items published before are deleted, or about to be, and refused; null: everything is kept. */
  kept_since: Timestamp | null;
}

export interface WebhookHealth {
  /** Endpoints that get deliveries. */
  enabled: number;
  /** Those of them whose last attempt failed (failing_since). */
  failing: number;
  /** Endpoints that the service disabled. */
  auto_disabled: number;
  /** Those of the enabled ones that had a failed attempt in the last 24 hours, and delivered at the last one. */
  recovered: number;
}

export interface SourceHealthList {
  /** In the order of the sources file. */
  data: SourceHealth[];
}

export interface SourceHealth {
  /** Id of the entry in the sources file. */
  id: string;
  /** FeedItem.source of its items. */
  name: string;
  /** Address that is polled. */
  url: string;
  /** Format of the source. */
  format: string;
  /** Whether the source is polled. */
  enabled: boolean;
  /** Health of the source. */
  status: SourceStatus;
  /** What is wrong and what to do; null when all is well. */
  advice: string | null;
  /** Time of the last poll. */
  last_poll_at: Timestamp | null;
  /** Time of the last successful poll. */
  last_ok_at: Timestamp | null;
  /** Time of the next poll. */
  next_poll_at: Timestamp | null;
  /** published_at of its newest item. */
  newest_item_at: Timestamp | null;
  /** Number of items that this source created. */
  items: number;
  /** Failed polls in a row. Polls that fail while no source can be reached are not counted. */
  failures: number;
  /** Whether the last poll reached its host. doubted: it did not, and no other source was reached since, so this machine's network may be down; it is tried again within seconds. unreached: it did not, although others were reached. unknown: the poll does not show it. */
  reach: "unknown" | "reached" | "doubted" | "unreached";
  /** Why the last poll failed. With failures 0: what was left out because the response was too long. null when all is well. */
  last_error: string | null;
  /** Milliseconds from the source's own time of an item to first sight, over the last 200 live items. null: there were none. */
  lag_ms: {
    /** Median. */
    p50: number;
    /** 99th percentile. */
    p99: number;
  } | null;
  /** Smoothed time between two items, in seconds. */
  typical_gap_s: number | null;
  /** Number of items whose documents are not read yet. */
  pending_documents: number;
  /** New address, when the source has announced one. */
  moved_to: string | null;
  /** Whether a hub (WebSub) announces its items. */
  pushed: boolean;
  /** Last day compared with the source's archive, YYYY-MM-DD. */
  reconciled_to: string | null;
  /** Number of item versions that were not published because the source alternates between versions. */
  damped: number;
  /** When this last happened; null: never. */
  damped_at: Timestamp | null;
  /** Number of items of its last answer that are older than what is kept. */
  too_old: number;
  /** Periods from which items may be missing, newest first. */
  gaps: {
    /** Time of the newest item known before, or start of an unread archive. */
    from: Timestamp | null;
    /** Time of the oldest item read after the gap, or end of that archive. */
    to: Timestamp | null;
    /** When the gap was noticed. */
    noticed_at: Timestamp;
    /** Why items may be missing. */
    reason: string;
    /** When the missing items were read from an archive; null: not read. */
    closed_at: Timestamp | null;
  }[];
}

export interface Backup {
  /** Name of the file. */
  name: string;
  /** Its path on the machine of the service. */
  path: string;
  /** When it was begun: items stored before are in it. */
  made_at: Timestamp;
  /** Size of the file. */
  bytes: number;
}

export interface BackupList {
  /** Newest first. */
  data: Backup[];
  /** Hours between backups that the service makes by itself; 0: it makes none. null: PostgreSQL, which has tools of its own. */
  every_hours: number | null;
}

export interface Retention {
  /** Whole months that are kept, besides the current one; 0: everything is kept. */
  keep_months: number;
  /** What the answering process does now. off: everything is kept; idle: nothing is left to delete; elsewhere: another process deletes; names, counts, tables, rows: it deletes, in this order; waiting: it failed and is tried again within ten minutes. */
  state: "off" | "idle" | "elsewhere" | "names" | "counts" | "tables" | "rows" | "waiting";
  /** Items published before are deleted, or about to be, and refused; null: everything is kept. */
  kept_since: Timestamp | null;
  /** The same for the number of months that was asked for. It never goes back. */
  keeps_from: Timestamp | null;
  /** Months that are stored, oldest first. */
  months: RetentionMonth[];
}

export interface RetentionMonth {
  /** Month of publication as YYYYMM. */
  month: string;
  /** Number of its items. */
  items: number;
  /** Size of the items, their texts and scores, with indexes. */
  bytes: number;
  /** Whether the number of months deletes it. */
  deletes: boolean;
}

/** Query of GET /v1/feeds. */
export interface ListFeedsQuery {
  /** Earliest published_at, inclusive. */
  since?: Instant | undefined;
  /** Latest published_at, exclusive. */
  until?: Instant | undefined;
  /** Source name; comma-separated names are OR-ed. */
  aggregator?: Values | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | undefined;
  /** Lowest sentiment_score, 0 to 10. */
  sentiment_min?: number | undefined;
  /** Highest sentiment_score, 0 to 10. */
  sentiment_max?: number | undefined;
  /** Lowest sentiment_conviction, 0 to 100. */
  min_conviction?: number | undefined;
  /** Lowest actionability_score, 0 to 100. */
  min_actionability_score?: number | undefined;
  /** Kind of event, as GET /v1/events lists it; comma-separated kinds are OR-ed. An item passes with any of its events. */
  event?: Values | undefined;
  /** Exchange code; comma-separated codes are OR-ed. */
  exchange?: Values | undefined;
  /** AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed. */
  symbol?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
  corp_activity?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
  market?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
  market_country?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
  economic_category?: Values | undefined;
  /** false: returns only the first item of each story and leaves out items with copy_of. */
  story_copies?: boolean | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: Values | undefined;
  /** Page size, at least 1. Lowered to the plan's cap, which X-Page-Limit shows. */
  limit?: number | undefined;
  /** next_cursor of the previous page. */
  cursor?: string | undefined;
}

/** Query of GET /v1/feeds/stats. */
export interface ReadFeedStatsQuery {
  /** Earliest published_at, inclusive. Absent: 24 hours before until. */
  since?: Instant | undefined;
  /** Latest published_at, exclusive. Absent: now. */
  until?: Instant | undefined;
  /** Length of a point, in UTC. Absent: hour. The range may have at most 1,500 points. */
  interval?: "minute" | "hour" | "day" | undefined;
  /** One series for each value of this axis: those with most items, then one for the other items. An item with several values is in the series of each. symbol: tickers of all exchanges together. actionability_score: ten bins, 0 to 9, 10 to 19 and so on to 90 to 100, all of them with top=12. Absent: none, one series. */
  by?:
    | "none"
    | "source"
    | "symbol"
    | "exchange"
    | "event"
    | "actionability"
    | "actionability_score"
    | "sentiment"
    | "corp_activity"
    | "market"
    | "market_country"
    | "economic_category"
    | undefined;
  /** Most series, beside the one of the other items. Absent: 8. */
  top?: number | undefined;
  /** Source name; comma-separated names are OR-ed. */
  aggregator?: Values | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | undefined;
  /** Lowest sentiment_score, 0 to 10. */
  sentiment_min?: number | undefined;
  /** Highest sentiment_score, 0 to 10. */
  sentiment_max?: number | undefined;
  /** Lowest sentiment_conviction, 0 to 100. */
  min_conviction?: number | undefined;
  /** Lowest actionability_score, 0 to 100. */
  min_actionability_score?: number | undefined;
  /** Kind of event, as GET /v1/events lists it; comma-separated kinds are OR-ed. An item passes with any of its events. */
  event?: Values | undefined;
  /** Exchange code; comma-separated codes are OR-ed. */
  exchange?: Values | undefined;
  /** AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed. */
  symbol?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
  corp_activity?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
  market?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
  market_country?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
  economic_category?: Values | undefined;
  /** false: returns only the first item of each story and leaves out items with copy_of. */
  story_copies?: boolean | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: Values | undefined;
}

/** Query of GET /v1/feeds.rss. */
export interface ReadFeedsAsRssQuery {
  /** Earliest published_at, inclusive. */
  since?: Instant | undefined;
  /** Latest published_at, exclusive. */
  until?: Instant | undefined;
  /** Source name; comma-separated names are OR-ed. */
  aggregator?: Values | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | undefined;
  /** Lowest sentiment_score, 0 to 10. */
  sentiment_min?: number | undefined;
  /** Highest sentiment_score, 0 to 10. */
  sentiment_max?: number | undefined;
  /** Lowest sentiment_conviction, 0 to 100. */
  min_conviction?: number | undefined;
  /** Lowest actionability_score, 0 to 100. */
  min_actionability_score?: number | undefined;
  /** Kind of event, as GET /v1/events lists it; comma-separated kinds are OR-ed. An item passes with any of its events. */
  event?: Values | undefined;
  /** Exchange code; comma-separated codes are OR-ed. */
  exchange?: Values | undefined;
  /** AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed. */
  symbol?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
  corp_activity?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
  market?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
  market_country?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
  economic_category?: Values | undefined;
  /** false: returns only the first item of each story and leaves out items with copy_of. */
  story_copies?: boolean | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: Values | undefined;
  /** Page size, at least 1. Lowered to the plan's cap, which X-Page-Limit shows. */
  limit?: number | undefined;
  /** next_cursor of the previous page. */
  cursor?: string | undefined;
}

/** Query of GET /v1/feeds.json. */
export interface ReadFeedsAsJsonFeedQuery {
  /** Earliest published_at, inclusive. */
  since?: Instant | undefined;
  /** Latest published_at, exclusive. */
  until?: Instant | undefined;
  /** Source name; comma-separated names are OR-ed. */
  aggregator?: Values | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | undefined;
  /** Lowest sentiment_score, 0 to 10. */
  sentiment_min?: number | undefined;
  /** Highest sentiment_score, 0 to 10. */
  sentiment_max?: number | undefined;
  /** Lowest sentiment_conviction, 0 to 100. */
  min_conviction?: number | undefined;
  /** Lowest actionability_score, 0 to 100. */
  min_actionability_score?: number | undefined;
  /** Kind of event, as GET /v1/events lists it; comma-separated kinds are OR-ed. An item passes with any of its events. */
  event?: Values | undefined;
  /** Exchange code; comma-separated codes are OR-ed. */
  exchange?: Values | undefined;
  /** AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed. */
  symbol?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
  corp_activity?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
  market?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
  market_country?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
  economic_category?: Values | undefined;
  /** false: returns only the first item of each story and leaves out items with copy_of. */
  story_copies?: boolean | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: Values | undefined;
  /** Page size, at least 1. Lowered to the plan's cap, which X-Page-Limit shows. */
  limit?: number | undefined;
  /** next_cursor of the previous page. */
  cursor?: string | undefined;
}

/** Query of GET /v1/feeds/{id}. */
export interface ReadFeedQuery {
  /** Returns the item as of this time: the newest version that was logged by then, with its score of then. A version is logged when it has been scored. Absent: the newest version. */
  as_of?: Instant | undefined;
}

/** Query of GET /v1/replay. */
export interface ReplayLogQuery {
  /** Cursor of the stream or of a replay: the entries after it. Takes precedence over `since`. */
  after?: string | undefined;
  /** Starts with the first entry logged at this time or later. Without `after` and `since` the replay starts with the oldest entry that is stored. */
  since?: Instant | undefined;
  /** A time: ends before the first entry logged then or later. A cursor: ends with its entry. Absent: the end of the log. */
  until?: Instant | undefined;
  /** Id of a provider; comma-separated ids are OR-ed. */
  provider?: Values | undefined;
  /** Source name; comma-separated names are OR-ed. */
  aggregator?: Values | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | undefined;
  /** Lowest sentiment_score, 0 to 10. */
  sentiment_min?: number | undefined;
  /** Highest sentiment_score, 0 to 10. */
  sentiment_max?: number | undefined;
  /** Lowest sentiment_conviction, 0 to 100. */
  min_conviction?: number | undefined;
  /** Lowest actionability_score, 0 to 100. */
  min_actionability_score?: number | undefined;
  /** Kind of event, as GET /v1/events lists it; comma-separated kinds are OR-ed. An item passes with any of its events. */
  event?: Values | undefined;
  /** Exchange code; comma-separated codes are OR-ed. */
  exchange?: Values | undefined;
  /** AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed. */
  symbol?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
  corp_activity?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
  market?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
  market_country?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
  economic_category?: Values | undefined;
  /** false: returns only the first item of each story and leaves out items with copy_of. */
  story_copies?: boolean | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: Values | undefined;
  /** Most entries, 1 to 1000. Absent: 200. */
  limit?: number | undefined;
}

/** Query of GET /v1/usage. */
export interface UsageQuery {
  /** Number of days, today included. Absent: 30. */
  days?: number | undefined;
}

/** Query of GET /v1/symbols. */
export interface ListSymbolsQuery {
  /** Search: each word must begin the ticker or a word of the name, in any case and without accents. Returns at most 20 entries: first the one whose ticker is q, then by size, shares before other kinds of like size. */
  q?: Values | undefined;
  /** Most entries to return. Absent: 500, or 20 with q. */
  limit?: number | undefined;
}

/** Query of GET /v1/webhooks/{id}/deliveries. */
export interface ListDeliveriesQuery {
  /** Returns only deliveries with this status. */
  status?: DeliveryStatus | undefined;
  /** Returns only the delivery of the item with this `seq`: none, where the list has none. */
  seq?: number | undefined;
  /** Page size. Absent: 50. */
  limit?: number | undefined;
  /** next_cursor of the previous page. */
  cursor?: string | undefined;
}

/** Query of GET /v1/webhooks/stats. */
export interface ListWebhookStatsQuery {
  /** Number of hours, the current one included. Absent: 24. */
  hours?: number | undefined;
}

/** Query of GET /v1/webhooks/{id}/stats. */
export interface ReadWebhookStatsQuery {
  /** Number of hours, the current one included. Absent: 24. */
  hours?: number | undefined;
}

/** Query of GET /app/v1/accounts/{id}/audit. */
export interface ReadAccountAuditQuery {
  /** Entries of a page. Absent: 50. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
}

/** Query of GET /app/v1/audit. */
export interface ReadAuditQuery {
  /** Entries of a page. Absent: 50. */
  limit?: number | undefined;
  /** `next_cursor` of the page before. */
  cursor?: string | undefined;
}

/** Query of GET /admin/v1/stats. */
export interface ReadStatsQuery {
  /** 60 or 1440. Absent: 60. */
  minutes?: "60" | "1440" | undefined;
}

/** Query of GET /admin/v1/retention. */
export interface ReadRetentionQuery {
  /** Tells what this number of months would do, 0 to 1200, without changing anything. Absent: the setting TAPEWIRE_KEEP_MONTHS. */
  months?: Values | undefined;
}

/** Query of GET /v1/stream/sse. */
export interface StreamEventsQuery {
  /** Source name; comma-separated names are OR-ed. */
  aggregator?: Values | undefined;
  /** Whether the item is rated likely to move the price. */
  actionability?: boolean | undefined;
  /** Lowest sentiment_score, 0 to 10. */
  sentiment_min?: number | undefined;
  /** Highest sentiment_score, 0 to 10. */
  sentiment_max?: number | undefined;
  /** Lowest sentiment_conviction, 0 to 100. */
  min_conviction?: number | undefined;
  /** Lowest actionability_score, 0 to 100. */
  min_actionability_score?: number | undefined;
  /** Kind of event, as GET /v1/events lists it; comma-separated kinds are OR-ed. An item passes with any of its events. */
  event?: Values | undefined;
  /** Exchange code; comma-separated codes are OR-ed. */
  exchange?: Values | undefined;
  /** AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed. */
  symbol?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ipo, earnings, earnings_calls, dividends, share_buybacks, strategy_business_products, mergers_and_acquisitions, management, insider_trading, ownership_changes, esg, recommendation, credit_ratings. */
  corp_activity?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: stock, etf, crypto, forex, index, futures, bond, corp_bond, economic. */
  market?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: ISO 3166-1 alpha-2 codes. */
  market_country?: Values | undefined;
  /** Comma-separated values, OR-ed. Allowed: gdp, labor, prices, health, money, trade, government, business, consumer, housing, taxes. */
  economic_category?: Values | undefined;
  /** false: returns only the first item of each story and leaves out items with copy_of. */
  story_copies?: boolean | undefined;
  /** Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most 8 words and phrases. */
  q?: Values | undefined;
  /** Sends the latest N matching items before live ones; lowered to 500 when larger. */
  snapshot?: number | undefined;
  /** Cursor to resume from: sends every matching item after it, then live items. */
  after?: string | undefined;
}

/** Every route: what it takes and what it returns. idempotent: whether it takes an Idempotency-Key. */
export interface Routes {
  /** List scored items. */
  "GET /v1/feeds": {
    params: undefined;
    query: ListFeedsQuery;
    body: undefined;
    response: FeedList;
    idempotent: false;
  };
  /** Count items over time. */
  "GET /v1/feeds/stats": {
    params: undefined;
    query: ReadFeedStatsQuery;
    body: undefined;
    response: FeedStats;
    idempotent: false;
  };
  /** Read one item with its per-symbol analysis. */
  "GET /v1/feeds/{id}": {
    params: { id: string };
    query: ReadFeedQuery;
    body: undefined;
    response: FeedItemDetail;
    idempotent: false;
  };
  /** Read the text that was scored. */
  "GET /v1/feeds/{id}/text": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: ItemText;
    idempotent: false;
  };
  /** List every score of one item. */
  "GET /v1/feeds/{id}/scores": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: ItemScores;
    idempotent: false;
  };
  /** Read again what the stream sent. */
  "GET /v1/replay": {
    params: undefined;
    query: ReplayLogQuery;
    body: undefined;
    response: ReplayPage;
    idempotent: false;
  };
  /** Read the key, its plan, its limits and today's use. */
  "GET /v1/me": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Me;
    idempotent: false;
  };
  /** Read the use of each day. */
  "GET /v1/usage": {
    params: undefined;
    query: UsageQuery;
    body: undefined;
    response: Usage;
    idempotent: false;
  };
  /** List providers. */
  "GET /v1/providers": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: ProviderList;
    idempotent: false;
  };
  /** Read one provider. */
  "GET /v1/providers/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: Provider;
    idempotent: false;
  };
  /** List the names of the sources. */
  "GET /v1/sources": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: SourceList;
    idempotent: false;
  };
  /** Read the activity of one source. */
  "GET /v1/sources/{name}": {
    params: { name: string };
    query: undefined;
    body: undefined;
    response: SourceDetail;
    idempotent: false;
  };
  /** List tracked symbols. */
  "GET /v1/symbols": {
    params: undefined;
    query: ListSymbolsQuery;
    body: undefined;
    response: SymbolList;
    idempotent: false;
  };
  /** Read one symbol with its feed count. */
  "GET /v1/symbols/{ticker}": {
    params: { ticker: string };
    query: undefined;
    body: undefined;
    response: SymbolDetail;
    idempotent: false;
  };
  /** Read the tag dictionary. */
  "GET /v1/tags": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: TagList;
    idempotent: false;
  };
  /** Read one dimension of the tag dictionary. */
  "GET /v1/tags/{dimension}": {
    params: { dimension: string };
    query: undefined;
    body: undefined;
    response: TagDimensionValues;
    idempotent: false;
  };
  /** List the kinds of events. */
  "GET /v1/events": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: EventList;
    idempotent: false;
  };
  /** Score your own text. */
  "POST /v1/score": {
    params: undefined;
    query: undefined;
    body: ScoreRequest;
    response: Verdict;
    idempotent: true;
  };
  /** Score an item of the feed with a model of your choice. */
  "POST /v1/feeds/{id}/score": {
    params: { id: string };
    query: undefined;
    body: ItemScoreRequest;
    response: Verdict;
    idempotent: true;
  };
  /** Score up to 100 texts. */
  "POST /v1/score/batch": {
    params: undefined;
    query: undefined;
    body: ScoreBatchRequest;
    response: ScoreBatch;
    idempotent: true;
  };
  /** List webhook endpoints, without their secrets. */
  "GET /v1/webhooks": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: WebhookList;
    idempotent: false;
  };
  /** Create a webhook endpoint. */
  "POST /v1/webhooks": {
    params: undefined;
    query: undefined;
    body: WebhookCreate;
    response: Webhook;
    idempotent: true;
  };
  /** Read one webhook endpoint with its secret. */
  "GET /v1/webhooks/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: Webhook;
    idempotent: false;
  };
  /** Change a webhook endpoint. */
  "PATCH /v1/webhooks/{id}": {
    params: { id: string };
    query: undefined;
    body: WebhookUpdate;
    response: Webhook;
    idempotent: false;
  };
  /** Delete a webhook endpoint. */
  "DELETE /v1/webhooks/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: WebhookDeletion;
    idempotent: false;
  };
  /** Give a webhook endpoint a new secret. */
  "POST /v1/webhooks/{id}/rotate": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: Webhook;
    idempotent: true;
  };
  /** Send a test event. */
  "POST /v1/webhooks/{id}/test": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: WebhookTest;
    idempotent: false;
  };
  /** Read the log of deliveries. */
  "GET /v1/webhooks/{id}/deliveries": {
    params: { id: string };
    query: ListDeliveriesQuery;
    body: undefined;
    response: WebhookDeliveryList;
    idempotent: false;
  };
  /** Read one delivery with its request. */
  "GET /v1/webhooks/{id}/deliveries/{delivery_id}": {
    params: { id: string; delivery_id: string };
    query: undefined;
    body: undefined;
    response: WebhookDeliveryDetail;
    idempotent: false;
  };
  /** Send one delivery again. */
  "POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend": {
    params: { id: string; delivery_id: string };
    query: undefined;
    body: undefined;
    response: WebhookQueued;
    idempotent: true;
  };
  /** Send failed deliveries again. */
  "POST /v1/webhooks/{id}/recover": {
    params: { id: string };
    query: undefined;
    body: WebhookRecover;
    response: WebhookQueued;
    idempotent: true;
  };
  /** Send a range of the log again. */
  "POST /v1/webhooks/{id}/replay": {
    params: { id: string };
    query: undefined;
    body: WebhookReplay;
    response: WebhookReplayStarted;
    idempotent: true;
  };
  /** Read how all endpoints are doing. */
  "GET /v1/webhooks/stats": {
    params: undefined;
    query: ListWebhookStatsQuery;
    body: undefined;
    response: WebhookStatsList;
    idempotent: false;
  };
  /** Read delivery counts, now and by hour. */
  "GET /v1/webhooks/{id}/stats": {
    params: { id: string };
    query: ReadWebhookStatsQuery;
    body: undefined;
    response: WebhookStats;
    idempotent: false;
  };
  /** Read how one can sign in. */
  "GET /app/v1/sign-in-options": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: SignInOptions;
    idempotent: false;
  };
  /** Read what a sign-in link would do. */
  "POST /app/v1/links/look": {
    params: undefined;
    query: undefined;
    body: LinkQuestion;
    response: LinkInfo;
    idempotent: false;
  };
  /** Sign in. */
  "POST /app/v1/session": {
    params: undefined;
    query: undefined;
    body: SignIn;
    response: Session;
    idempotent: false;
  };
  /** Read the session. */
  "GET /app/v1/session": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Session;
    idempotent: false;
  };
  /** Sign out. */
  "DELETE /app/v1/session": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Ended;
    idempotent: false;
  };
  /** List the sessions of the person. */
  "GET /app/v1/sessions": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: ListedSession[];
    };
    idempotent: false;
  };
  /** End a session of the person. */
  "DELETE /app/v1/sessions/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: Ended;
    idempotent: false;
  };
  /** Change one's name, e-mail address or password. */
  "PATCH /app/v1/profile": {
    params: undefined;
    query: undefined;
    body: ProfileUpdate;
    response: Person;
    idempotent: false;
  };
  /** Get a key for a browser tab. */
  "POST /app/v1/token": {
    params: undefined;
    query: undefined;
    body: TabKeyRequest;
    response: TabKey;
    idempotent: false;
  };
  /** Keep a tab's key for another 15 minutes. */
  "POST /app/v1/token/renew": {
    params: undefined;
    query: undefined;
    body: TabKeyRenewal;
    response: RenewedTabKey;
    idempotent: false;
  };
  /** List the API keys of an account. */
  "GET /app/v1/accounts/{id}/keys": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: {
      data: ApiKey[];
    };
    idempotent: false;
  };
  /** Create an API key for an account. */
  "POST /app/v1/accounts/{id}/keys": {
    params: { id: string };
    query: undefined;
    body: AccountKeyCreate;
    response: CreatedKey;
    idempotent: false;
  };
  /** Rename an API key or change its expiry. */
  "PATCH /app/v1/keys/{id}": {
    params: { id: string };
    query: undefined;
    body: KeyUpdate;
    response: ApiKey;
    idempotent: false;
  };
  /** Revoke an API key. */
  "DELETE /app/v1/keys/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: ApiKey;
    idempotent: false;
  };
  /** Replace an API key. */
  "POST /app/v1/keys/{id}/rotate": {
    params: { id: string };
    query: undefined;
    body: KeyRotation;
    response: CreatedKey;
    idempotent: false;
  };
  /** List the people of an account. */
  "GET /app/v1/accounts/{id}/people": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: {
      data: Member[];
    };
    idempotent: false;
  };
  /** Change what a person may do with an account. */
  "PATCH /app/v1/accounts/{id}/people/{person_id}": {
    params: { id: string; person_id: string };
    query: undefined;
    body: MemberUpdate;
    response: Member;
    idempotent: false;
  };
  /** Remove a person from an account. */
  "DELETE /app/v1/accounts/{id}/people/{person_id}": {
    params: { id: string; person_id: string };
    query: undefined;
    body: undefined;
    response: Ended;
    idempotent: false;
  };
  /** Make a link with which a person sets a new password. */
  "POST /app/v1/accounts/{id}/people/{person_id}/reset": {
    params: { id: string; person_id: string };
    query: undefined;
    body: undefined;
    response: SignInLink;
    idempotent: false;
  };
  /** List open invitations. */
  "GET /app/v1/accounts/{id}/invites": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: {
      data: Invite[];
    };
    idempotent: false;
  };
  /** Invite a person. */
  "POST /app/v1/accounts/{id}/invites": {
    params: { id: string };
    query: undefined;
    body: InviteCreate;
    response: MadeInvite;
    idempotent: false;
  };
  /** Withdraw an invitation. */
  "DELETE /app/v1/invites/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: Ended;
    idempotent: false;
  };
  /** Read what was done in an account. */
  "GET /app/v1/accounts/{id}/audit": {
    params: { id: string };
    query: ReadAccountAuditQuery;
    body: undefined;
    response: AuditList;
    idempotent: false;
  };
  /** Read what was done in all accounts. */
  "GET /app/v1/audit": {
    params: undefined;
    query: ReadAuditQuery;
    body: undefined;
    response: AuditList;
    idempotent: false;
  };
  /** List saved views. */
  "GET /app/v1/accounts/{id}/views": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: ViewList;
    idempotent: false;
  };
  /** Save a view. */
  "POST /app/v1/accounts/{id}/views": {
    params: { id: string };
    query: undefined;
    body: ViewCreate;
    response: View;
    idempotent: false;
  };
  /** Change a view. */
  "PATCH /app/v1/views/{id}": {
    params: { id: string };
    query: undefined;
    body: ViewUpdate;
    response: View;
    idempotent: false;
  };
  /** Delete a view. */
  "DELETE /app/v1/views/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: Ended;
    idempotent: false;
  };
  /** Create an account. */
  "POST /admin/v1/accounts": {
    params: undefined;
    query: undefined;
    body: AccountCreate;
    response: Account;
    idempotent: false;
  };
  /** List accounts. */
  "GET /admin/v1/accounts": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Account[];
    };
    idempotent: false;
  };
  /** Rename an account or move it to another plan. */
  "PATCH /admin/v1/accounts/{id}": {
    params: { id: string };
    query: undefined;
    body: AccountUpdate;
    response: Account;
    idempotent: false;
  };
  /** Create an API key. */
  "POST /admin/v1/keys": {
    params: undefined;
    query: undefined;
    body: KeyCreate;
    response: CreatedKey;
    idempotent: false;
  };
  /** List API keys, without their secrets. */
  "GET /admin/v1/keys": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: ApiKey[];
    };
    idempotent: false;
  };
  /** Revoke an API key. */
  "DELETE /admin/v1/keys/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: ApiKey;
    idempotent: false;
  };
  /** Rename an API key or change its expiry. */
  "PATCH /admin/v1/keys/{id}": {
    params: { id: string };
    query: undefined;
    body: KeyUpdate;
    response: ApiKey;
    idempotent: false;
  };
  /** List the people of the installation. */
  "GET /admin/v1/people": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      /** All people of the installation, by e-mail address. */
      data: Person[];
    };
    idempotent: false;
  };
  /** Make a person an operator, or take that role. */
  "PATCH /admin/v1/people/{id}": {
    params: { id: string };
    query: undefined;
    body: PersonRole;
    response: Person;
    idempotent: false;
  };
  /** Make a link that signs the operator in. */
  "POST /admin/v1/sign-in-links": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: SignInLink;
    idempotent: false;
  };
  /** Push items into the feed. */
  "POST /admin/v1/items": {
    params: undefined;
    query: undefined;
    body: PushItem | PushItem[];
    response: PushAnswer;
    idempotent: false;
  };
  /** Withdraw an item. */
  "DELETE /admin/v1/items/{id}": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: Retraction;
    idempotent: false;
  };
  /** Read stored responses of sources again. */
  "POST /admin/v1/replay": {
    params: undefined;
    query: undefined;
    body: ReplayRequest;
    response: ReplayResult;
    idempotent: false;
  };
  /** Score stored items again. */
  "POST /admin/v1/rescore": {
    params: undefined;
    query: undefined;
    body: RescoreRequest;
    response: RescoreResult;
    idempotent: false;
  };
  /** Fetch a source once and report the result. */
  "POST /admin/v1/sources/{id}/probe": {
    params: { id: string };
    query: undefined;
    body: undefined;
    response: SourceProbe;
    idempotent: false;
  };
  /** List the processes of the service. */
  "GET /admin/v1/processes": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: ProcessList;
    idempotent: false;
  };
  /** Read what each process did, minute by minute. */
  "GET /admin/v1/stats": {
    params: undefined;
    query: ReadStatsQuery;
    body: undefined;
    response: OperatorStats;
    idempotent: false;
  };
  /** Read the health of every configured source. */
  "GET /admin/v1/sources": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: SourceHealthList;
    idempotent: false;
  };
  /** Back up the embedded database. */
  "POST /admin/v1/backups": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Backup;
    idempotent: false;
  };
  /** List the backups of the embedded database. */
  "GET /admin/v1/backups": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: BackupList;
    idempotent: false;
  };
  /** Read how long items are kept, and what is stored of each month. */
  "GET /admin/v1/retention": {
    params: undefined;
    query: ReadRetentionQuery;
    body: undefined;
    response: Retention;
    idempotent: false;
  };
}

/** Starts delivery, or replaces the filters in one step. */
export interface SubscribeFrame {
  type: "subscribe";
  filters?: SubscriptionFilters | null | undefined;
  /** Sends the latest N matching items before live ones. Lowered to 500 when larger. */
  snapshot?: number | null | undefined;
  /** Cursor to resume from: sends every matching item after it, then live items. */
  after?: string | null | undefined;
  /** Repeated in the reply. */
  id?: string | number | null | undefined;
}

/** Stops delivery and keeps the connection. */
export interface UnsubscribeFrame {
  type: "unsubscribe";
  id?: string | number | null | undefined;
}

/** Requests a pong. */
export interface PingFrame {
  type: "ping";
}

/** The first frame. States the plan and its limits. */
export interface WelcomeFrame {
  type: "welcome";
  tier: PlanName;
  limits: {
    realtime_feeds_per_day: number | null;
    scored_feed: boolean;
  };
}

/** Confirms a subscribe, before any of its items. */
export interface SubscribedFrame {
  type: "subscribed";
  filters: { [name: string]: unknown };
  /** `<epoch>.<seq>`, opaque to clients. */
  cursor: string;
  resumed: boolean;
  reason?: "cursor_unknown" | "cursor_expired" | undefined;
  /** `<epoch>.<seq>`, opaque to clients. */
  oldest?: string | undefined;
  snapshot: number;
  id?: string | number | undefined;
}

/** Confirms an unsubscribe. */
export interface UnsubscribedFrame {
  type: "unsubscribed";
  /** `<epoch>.<seq>`, opaque to clients. */
  cursor: string;
  id?: string | number | undefined;
}

/** One item. Check `data.scoring.locked` first. */
export interface FeedFrame {
  type: "feed";
  snapshot: boolean;
  /** Number of live items delivered to the account today, this one included. */
  count: number;
  /** `<epoch>.<seq>`, opaque to clients. */
  cursor: string;
  seq: number;
  latency: Latency;
  data: StreamItem;
}

/** The daily cap of live items is reached. Delivery stops until 00:00 UTC, then continues with new items. */
export interface QuotaExceededFrame {
  type: "quota_exceeded";
  limit: number;
  message: string;
}

/** Reply to a ping, with the cursor to resume from. */
export interface PongFrame {
  type: "pong";
  /** `<epoch>.<seq>`, opaque to clients. */
  cursor: string;
  time: Timestamp;
}

/** Sent every 15 s while subscribed, with the cursor to resume from. */
export interface HeartbeatFrame {
  type: "heartbeat";
  /** `<epoch>.<seq>`, opaque to clients. */
  cursor: string;
  time: Timestamp;
}

/** A frame was refused. When `fatal` is true, the connection is closed next. */
export interface ErrorFrame {
  type: "error";
  code:
    | "invalid_frame"
    | "rate_limited"
    | "key_revoked"
    | "plan_changed"
    | "restarting"
    | "overloaded"
    | "internal";
  message: string;
  id?: string | number | undefined;
  /** true: the connection is closed next. */
  fatal: boolean;
  /** With code restarting: how long to wait before you reconnect. Each client gets a different time. */
  retry_after_ms?: number | undefined;
}

/** Frames that a client sends. */
export type ClientFrame = SubscribeFrame | UnsubscribeFrame | PingFrame;

/** Frames that the server sends. */
export type ServerFrame =
  | WelcomeFrame
  | SubscribedFrame
  | UnsubscribedFrame
  | FeedFrame
  | QuotaExceededFrame
  | PongFrame
  | HeartbeatFrame
  | ErrorFrame;

/**
 * Codes with which the server closes a stream.
 * - 1002: The client broke the WebSocket protocol. Reconnect: no: correct the client.
 * - 1007: A message that is not valid UTF-8, or that cannot be decompressed. Reconnect: no: correct the client.
 * - 1009: A message larger than 64 KiB after decompression. Reconnect: no: correct the client.
 * - 1012: The server stops or restarts. The reason carries `cursor=...`. Reconnect: yes, with the newest cursor, after a random wait.
 * - 4408: The client sent nothing for 60 s, not even a pong. Reconnect: yes, with the newest cursor, after a random wait.
 * - 4413: The client read nothing for 30 s. The reason carries `cursor=...`. Reconnect: yes, with the newest cursor, after a random wait.
 * - 4429: More than 100 frames, or 512 KiB, in 10 s. Reconnect: yes; send less.
 * - 4500: Three bad frames in a row. Reconnect: no: correct the client.
 * - 4501: The key was revoked or has expired. Reconnect: no.
 * - 4502: More streams than the plan allows. Reconnect: no.
 * - 4503: The account's plan has changed. Reconnect: only after checking the new plan.
 */
export type CloseCode = 1002 | 1007 | 1009 | 1012 | 4408 | 4413 | 4429 | 4500 | 4501 | 4502 | 4503;
