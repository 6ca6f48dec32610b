"""The types of the wire.

Made by `node tools/python-types.ts` from the OpenAPI document; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:  # Python 3.11 has it in typing; checkers know it everywhere.
    from typing_extensions import NotRequired

# A time in a request: a datetime with its time zone, or RFC 3339 text.
Instant = Union[str, datetime]
# Alternatives in a query: one value, or several.
Values = Union[str, Sequence[str]]
ArtifactType = Literal["news", "filing", "research", "ugc"]
Timestamp = str
EventRole = Literal["subject", "target", "acquirer", "seller", "buyer", "supplier", "customer", "rival", "partner", "plaintiff", "defendant", "broker", "adviser", "regulator", "venue", "other"]
TagDimension = Literal["corp_activity", "market", "market_country", "economic_category"]
TagSet = dict[TagDimension, list[str]]
FilingDetails = Union["OwnershipDetails", "StakeDetails", "HoldingsDetails", "LateDetails", "OfferingDetails", "ProposedSaleDetails", "ExemptOfferingDetails"]
PlanName = Literal["free", "starter", "pro", "quant", "enterprise"]
SourceStatus = Literal["ok", "waiting", "stale", "failing", "disabled"]
WebhookFormat = Literal["tapewire", "slack", "discord", "telegram"]
DeliveryStatus = Literal["due", "delivered", "failed", "expired", "disabled"]


class Scoring(TypedDict):
    actionability: bool | None
    actionability_score: int | None
    actionability_comment: str | None
    sentiment_score: int | None
    sentiment_short: int | None
    sentiment_long: int | None
    sentiment_conviction: int | None
    sentiment_comment: str | None
    model: str | None
    model_version: str | None
    scored_at: Timestamp | None
    locked: bool
    message: NotRequired[str]


class Evidence(TypedDict):
    text: str
    start: int
    end: int


class EventMention(TypedDict):
    name: str
    role: EventRole
    symbol: str | None
    evidence: Evidence | None


class SymbolRef(TypedDict):
    symbol: str
    exchange: str | None
    short_symbol: str | None
    logoid: str | None


class FilingParty(TypedDict):
    name: str
    cik: str
    role: str | None


class OwnershipDetailsOwners(TypedDict):
    name: str
    relation: str | None


class OwnershipDetailsTransactions(TypedDict):
    security: str
    date: str | None
    code: str
    acquired: bool | None
    shares: float | None
    price_usd: float | None
    owned_after: float | None
    derivative: bool


class OwnershipDetails(TypedDict):
    kind: Literal["ownership"]
    ticker: str | None
    owners: list[OwnershipDetailsOwners]
    transactions: list[OwnershipDetailsTransactions]
    planned_10b5_1: bool | None


class StakeDetailsPersons(TypedDict):
    name: str
    percent: float | None
    shares: float | None


class StakeDetails(TypedDict):
    kind: Literal["stake"]
    schedule: Literal["13D", "13G"]
    issuer: str | None
    persons: list[StakeDetailsPersons]
    purpose: str | None


class HoldingsDetailsLargest(TypedDict):
    issuer: str
    value_usd: float
    shares: float | None


class HoldingsDetails(TypedDict):
    kind: Literal["holdings"]
    period: str | None
    total_value_usd: float | None
    positions: int | None
    largest: list[HoldingsDetailsLargest]


class LateDetails(TypedDict):
    kind: Literal["late"]
    form: str
    reason: str | None
    expects_change: bool | None


class OfferingDetails(TypedDict):
    kind: Literal["offering"]
    price_usd: float | None
    shares: float | None
    gross_usd: float | None
    security: str | None
    resale: bool


class ProposedSaleDetails(TypedDict):
    kind: Literal["proposed_sale"]
    seller: str | None
    shares: float | None
    value_usd: float | None
    date: str | None


class ExemptOfferingDetails(TypedDict):
    kind: Literal["exempt_offering"]
    total_usd: float | None
    sold_usd: float | None


class FilingFacts(TypedDict):
    form: str
    items: list[str]
    accession: str
    cik: str | None
    filed: str | None
    period: str | None
    amends: str | None
    parties: list[FilingParty]
    details: FilingDetails | None


class FeedItem(TypedDict):
    seq: int
    id: str
    unique_id: str
    title: str | None
    link: str | None
    source: str
    provider_id: str
    type: ArtifactType
    published_at: Timestamp
    source_time: Timestamp | None
    scraped_at: Timestamp
    updated_at: Timestamp
    status: Literal["published", "revised", "retracted"]
    revision: int
    story_id: str
    copy_of: NotRequired[str | None]
    language: str | None
    scoring: Scoring
    event: str | None
    events: list[EventMention]
    symbols: list[SymbolRef]
    tags: TagSet
    filing: FilingFacts | None


class FeedList(TypedDict):
    data: list[FeedItem]
    next_cursor: str | None


class FeedStatsSeries(TypedDict):
    key: str | None
    label: str
    points: list[list[int | None]]


class FeedStatsTotals(TypedDict):
    items: int
    actionable: int | None
    scored: int | None
    sentiment_sum: int | None


FeedStats = TypedDict("FeedStats", {
    "interval": "Literal[\"minute\", \"hour\", \"day\"]",
    "from": "Timestamp",
    "until": "Timestamp",
    "complete": "bool",
    "series": "list[FeedStatsSeries]",
    "totals": "FeedStatsTotals",
})


class SymbolAnalysis(TypedDict):
    symbol: str
    exchange: str | None
    short_symbol: str | None
    logoid: str | None
    primary: bool
    relevance: int
    sentiment_short: int | None
    sentiment_long: int | None
    sentiment_conviction: int | None
    sentiment_score: int | None
    sentiment_comment: str | None
    evidence: list[Evidence]


class SubScoresActionability(TypedDict):
    novelty: int
    materiality: int
    clarity: int
    urgency: int
    credibility: int
    breadth: int


class SubScoresSentiment(TypedDict):
    intensity: int
    agreement: int
    certainty: int


class SubScores(TypedDict):
    actionability: SubScoresActionability
    sentiment: SubScoresSentiment | None


class FeedItemDetail(TypedDict):
    seq: int
    id: str
    unique_id: str
    title: str | None
    link: str | None
    source: str
    provider_id: str
    type: ArtifactType
    published_at: Timestamp
    source_time: Timestamp | None
    scraped_at: Timestamp
    updated_at: Timestamp
    status: Literal["published", "revised", "retracted"]
    revision: int
    story_id: str
    copy_of: NotRequired[str | None]
    language: str | None
    scoring: Scoring
    event: str | None
    events: list[EventMention]
    symbols: list[SymbolRef]
    tags: TagSet
    filing: FilingFacts | None
    analysis: list[SymbolAnalysis]
    sub_scores: SubScores | None
    summary: str | None


class ItemText(TypedDict):
    title: str
    body: str
    base: Literal["utf16"]
    language: str | None
    seq: int


class ItemScore(TypedDict):
    model: str
    model_version: str
    scored_at: Timestamp
    scoring: Scoring
    sub_scores: SubScores | None


class ItemScores(TypedDict):
    data: list[ItemScore]


class Latency(TypedDict):
    source_time: Timestamp | None
    received_time: Timestamp
    scored_time: Timestamp | None
    publish_time: Timestamp
    source_to_publish_ms: int | None
    receive_to_publish_ms: int


class StreamScoring(TypedDict):
    locked: bool
    message: NotRequired[str]
    actionability: bool | None
    actionability_score: int | None
    actionability_comment: str | None
    sentiment_score: int | None
    sentiment_short: int | None
    sentiment_long: int | None
    sentiment_conviction: int | None
    sentiment_comment: str | None
    model: str | None


class StreamItem(TypedDict):
    seq: int
    id: str
    unique_id: str
    title: str | None
    link: str | None
    source: str
    provider_id: str
    type: ArtifactType
    published_at: Timestamp
    source_time: Timestamp | None
    scraped_at: Timestamp
    updated_at: Timestamp
    status: Literal["published", "revised", "retracted"]
    revision: int
    story_id: str
    copy_of: NotRequired[str | None]
    language: str | None
    scoring: StreamScoring
    event: str | None
    events: list[EventMention]
    symbols: list[SymbolRef]
    tags: TagSet
    filing: FilingFacts | None


class ReplayEntry(TypedDict):
    cursor: str
    seq: int
    logged_at: Timestamp
    latency: Latency
    data: StreamItem


class ReplayPage(TypedDict):
    data: list[ReplayEntry]
    cursor: str
    next_cursor: str | None


class PlanLimits(TypedDict):
    requests_per_minute: int
    page_limit_max: int | None
    realtime_feeds_per_day: int | None
    score_per_day: int | None
    stream_connections: int
    webhook_endpoints: int
    replay: bool
    scored_feed: bool


class MeKey(TypedDict):
    id: str
    name: str
    prefix: str
    last4: str
    created_at: Timestamp
    last_used_at: Timestamp | None
    expires_at: Timestamp | None


class MeAccount(TypedDict):
    id: str
    name: str


class MeUsage(TypedDict):
    feed: int
    score: int
    requests: int
    reset_at: Timestamp


class Me(TypedDict):
    key: MeKey
    account: MeAccount
    tier: PlanName
    limits: PlanLimits
    usage: MeUsage


class UsageDay(TypedDict):
    """Use of one day (UTC)."""

    date: str
    feed: int
    score: int
    requests: int
    errors: int


class UsageToday(TypedDict):
    date: str
    feed: int
    score: int
    requests: int
    errors: int
    reset_at: Timestamp


class Usage(TypedDict):
    days: int
    timezone: Literal["UTC"]
    data: list[UsageDay]
    limits: PlanLimits
    open_streams: int
    today: UsageToday


class Provider(TypedDict):
    id: str
    name: str
    logo: str
    url: str | None
    kind: Literal["official", "wire", "exchange", "media"] | None
    feed_count: int
    latest_at: Timestamp | None


class ProviderList(TypedDict):
    data: list[Provider]


class SourceList(TypedDict):
    data: list[str]


class SourceDetailLagMs(TypedDict):
    p50: int
    p99: int


class SourceDetail(TypedDict):
    name: str
    feed_count: int
    latest_at: Timestamp | None
    feeds_24h: int
    lag_ms: SourceDetailLagMs | None
    status: SourceStatus
    failures: int


class SymbolEntry(TypedDict):
    short_symbol: str
    symbol: str
    exchange: str | None
    name: str | None
    logo: str
    logoid: str | None


class SymbolList(TypedDict):
    data: list[SymbolEntry]


class SymbolLine(TypedDict):
    symbol: str
    exchange: str | None
    name: str | None
    feed_count: int


class SymbolDetail(TypedDict):
    short_symbol: str
    symbol: str
    exchange: str | None
    name: str | None
    logo: str
    logoid: str | None
    country: str | None
    type: str | None
    sector: str | None
    cik: str | None
    aliases: list[str]
    delisted_on: str | None
    feed_count: int
    feed_count_24h: int
    latest_at: Timestamp | None
    lines: list[SymbolLine]


class TagDimensionValuesValues(TypedDict):
    value: str
    label: str
    definition: NotRequired[str]
    count: int


class TagDimensionValues(TypedDict):
    dimension: TagDimension
    label: str
    values: list[TagDimensionValuesValues]


class TagList(TypedDict):
    data: list[TagDimensionValues]


class EventKind(TypedDict):
    name: str
    group: str
    label: str
    meaning: str
    count: int


class EventList(TypedDict):
    data: list[EventKind]


class VerdictActionabilitySubScores(TypedDict):
    novelty: int
    materiality: int
    clarity: int
    urgency: int
    credibility: int
    breadth: int


class VerdictActionability(TypedDict):
    actionable: bool
    score: int
    comment: str
    sub_scores: VerdictActionabilitySubScores


class VerdictSentimentSubScores(TypedDict):
    intensity: int
    agreement: int
    certainty: int


class VerdictSentiment(TypedDict):
    short_direction: int
    long_direction: int
    conviction: int
    score: int
    comment: str
    sub_scores: VerdictSentimentSubScores


class AnalysisFactor(TypedDict):
    name: str
    weight: int
    evidence: list[Evidence]


class HeadAnalysis(TypedDict):
    summary: str
    factors: list[AnalysisFactor]


class DetailedAnalysis(TypedDict):
    actionability: HeadAnalysis
    sentiment: HeadAnalysis


class ScoreUsage(TypedDict):
    limit: int | None
    used: int
    remaining: int | None
    reset_at: Timestamp


class Verdict(TypedDict):
    id: str
    created_at: Timestamp
    model: str
    model_version: str
    actionability: VerdictActionability
    sentiment: VerdictSentiment | None
    sentiment_skipped_reason: NotRequired[Literal["not_actionable"]]
    event: str | None
    events: list[EventMention]
    symbols: list[SymbolAnalysis]
    tags: TagSet
    detailed_analysis: NotRequired[DetailedAnalysis]
    usage: ScoreUsage
    timing_ms: float


class ScoreBatchVerdict(TypedDict):
    index: int
    verdict: Verdict


class ScoreBatchErrorError(TypedDict):
    code: str
    message: str


class ScoreBatchError(TypedDict):
    index: int
    error: ScoreBatchErrorError


class ScoreBatch(TypedDict):
    data: list[ScoreBatchVerdict | ScoreBatchError]


class WebhookFiltersTags(TypedDict):
    corp_activity: NotRequired[list[str] | None]
    market: NotRequired[list[str] | None]
    market_country: NotRequired[list[str] | None]
    economic_category: NotRequired[list[str] | None]


class WebhookFilters(TypedDict):
    symbols: NotRequired[list[str] | None]
    exchanges: NotRequired[list[str] | None]
    actionability: NotRequired[bool | None]
    sentiment_min: NotRequired[int | None]
    sentiment_max: NotRequired[int | None]
    min_conviction: NotRequired[int | None]
    min_actionability_score: NotRequired[int | None]
    event: NotRequired[list[str] | None]
    story_copies: NotRequired[bool | None]
    q: NotRequired[str | None]
    tags: NotRequired[WebhookFiltersTags | None]


class WebhookWithoutSecret(TypedDict):
    id: str
    url: str
    description: str | None
    enabled: bool
    filters: WebhookFilters
    max_age: int
    format: WebhookFormat
    status: Literal["enabled", "disabled", "auto_disabled"]
    disabled_reason: str | None
    created_at: Timestamp
    updated_at: Timestamp
    failing_since: Timestamp | None
    last_delivery_at: Timestamp | None
    last_status: int | None
    last_attempt_at: Timestamp | None
    last_error: str | None
    matched_today: int
    delivered_today: int
    matched_total: int
    delivered_total: int
    rotation_ends_at: Timestamp | None


class WebhookList(TypedDict):
    data: list[WebhookWithoutSecret]


class Webhook(TypedDict):
    id: str
    url: str
    description: str | None
    enabled: bool
    filters: WebhookFilters
    max_age: int
    format: WebhookFormat
    status: Literal["enabled", "disabled", "auto_disabled"]
    disabled_reason: str | None
    created_at: Timestamp
    updated_at: Timestamp
    failing_since: Timestamp | None
    last_delivery_at: Timestamp | None
    last_status: int | None
    last_attempt_at: Timestamp | None
    last_error: str | None
    matched_today: int
    delivered_today: int
    matched_total: int
    delivered_total: int
    rotation_ends_at: Timestamp | None
    secret: str


class WebhookDeletion(TypedDict):
    id: str
    deleted: Literal[True]


class WebhookTest(TypedDict):
    id: str
    at: Timestamp
    ok: bool
    status_code: int | None
    error: str | None
    latency_ms: int
    response: str | None


class DeliveryAttempt(TypedDict):
    number: int
    trigger: Literal["item", "resend", "replay"]
    at: Timestamp
    ok: bool
    status_code: int | None
    error: str | None
    latency_ms: int
    response: str | None


class WebhookDelivery(TypedDict):
    id: str
    item_id: str
    seq: int
    status: DeliveryStatus
    next_attempt_at: Timestamp | None
    attempts: list[DeliveryAttempt]


class WebhookDeliveryList(TypedDict):
    data: list[WebhookDelivery]
    next_cursor: str | None


class WebhookDeliveryRequest(TypedDict):
    url: str
    headers: dict[str, str]
    body: str
    signed_at: Timestamp


class WebhookDeliveryDetail(TypedDict):
    id: str
    item_id: str
    seq: int
    status: DeliveryStatus
    next_attempt_at: Timestamp | None
    attempts: list[DeliveryAttempt]
    request: WebhookDeliveryRequest


class WebhookQueued(TypedDict):
    queued: int


class WebhookReplayStarted(TypedDict):
    from_seq: int
    to_seq: int


class WebhookStatsRowLatencyMs(TypedDict):
    p50: float
    p99: float


class WebhookStatsRow(TypedDict):
    id: str
    due: int
    given_up: int
    behind: int
    position: int
    paused_until: Timestamp | None
    next_attempt_at: Timestamp | None
    attempts: int
    latency_ms: WebhookStatsRowLatencyMs | None
    delivered: list[int]
    failed: list[int]
    expired: list[int]


class WebhookStatsList(TypedDict):
    hours: list[Timestamp]
    data: list[WebhookStatsRow]


class WebhookCounts(TypedDict):
    matched: int
    delivered: int
    failed: int
    expired: int


class WebhookHourLatencyMs(TypedDict):
    p50: float
    p99: float


class WebhookHour(TypedDict):
    hour: Timestamp
    matched: int
    delivered: int
    failed: int
    expired: int
    attempts: int
    latency_ms: WebhookHourLatencyMs | None


class WebhookStats(TypedDict):
    today: WebhookCounts
    total: WebhookCounts
    due: int
    given_up: int
    behind: int
    position: int
    paused_until: Timestamp | None
    next_attempt_at: Timestamp | None
    replay_remaining: int | None
    hours: list[WebhookHour]


class ScoreArtifact(TypedDict):
    type: ArtifactType
    title: str
    body: str
    tags: NotRequired[list[str] | None]
    related_symbols: NotRequired[list[str] | None]
    published_at: NotRequired[str | None]


class WebhookCreate(TypedDict):
    url: str
    description: NotRequired[str | None]
    filters: NotRequired[WebhookFilters | None]
    max_age: NotRequired[int | None]
    format: NotRequired[WebhookFormat | None]


class WebhookUpdate(TypedDict):
    url: NotRequired[str | None]
    description: NotRequired[str | None]
    enabled: NotRequired[bool | None]
    filters: NotRequired[WebhookFilters | None]
    max_age: NotRequired[int | None]
    format: NotRequired[WebhookFormat | None]
    id: NotRequired[Any]
    status: NotRequired[Any]
    created_at: NotRequired[Any]
    secret: NotRequired[Any]
    disabled_reason: NotRequired[Any]
    updated_at: NotRequired[Any]
    failing_since: NotRequired[Any]
    last_delivery_at: NotRequired[Any]
    last_status: NotRequired[Any]
    last_attempt_at: NotRequired[Any]
    last_error: NotRequired[Any]
    matched_today: NotRequired[Any]
    delivered_today: NotRequired[Any]
    matched_total: NotRequired[Any]
    delivered_total: NotRequired[Any]
    rotation_ends_at: NotRequired[Any]


class SubscriptionFiltersTags(TypedDict):
    corp_activity: NotRequired[list[str] | None]
    market: NotRequired[list[str] | None]
    market_country: NotRequired[list[str] | None]
    economic_category: NotRequired[list[str] | None]


class SubscriptionFilters(TypedDict):
    symbols: NotRequired[list[str] | None]
    exchanges: NotRequired[list[str] | None]
    actionability: NotRequired[bool | None]
    sentiment_min: NotRequired[int | None]
    sentiment_max: NotRequired[int | None]
    min_conviction: NotRequired[int | None]
    min_actionability_score: NotRequired[int | None]
    event: NotRequired[list[str] | None]
    story_copies: NotRequired[bool | None]
    q: NotRequired[str | None]
    tags: NotRequired[SubscriptionFiltersTags | None]
    aggregators: NotRequired[list[str] | None]
    providers: NotRequired[list[str] | None]


FieldError = TypedDict("FieldError", {
    "in": "Literal[\"query\", \"path\", \"body\", \"header\"]",
    "name": "str",
    "detail": "str",
})


class FeedsQuery(TypedDict):
    """Query of GET /v1/feeds."""

    since: NotRequired[Instant]
    until: NotRequired[Instant]
    aggregator: NotRequired[Values]
    actionability: NotRequired[bool]
    sentiment_min: NotRequired[int]
    sentiment_max: NotRequired[int]
    min_conviction: NotRequired[int]
    min_actionability_score: NotRequired[int]
    event: NotRequired[Values]
    exchange: NotRequired[Values]
    symbol: NotRequired[Values]
    corp_activity: NotRequired[Values]
    market: NotRequired[Values]
    market_country: NotRequired[Values]
    economic_category: NotRequired[Values]
    story_copies: NotRequired[bool]
    q: NotRequired[Values]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class FeedStatsQuery(TypedDict):
    """Query of GET /v1/feeds/stats."""

    since: NotRequired[Instant]
    until: NotRequired[Instant]
    interval: NotRequired[Literal["minute", "hour", "day"]]
    by: NotRequired[Literal["none", "source", "symbol", "exchange", "event", "actionability", "actionability_score", "sentiment", "corp_activity", "market", "market_country", "economic_category"]]
    top: NotRequired[int]
    aggregator: NotRequired[Values]
    actionability: NotRequired[bool]
    sentiment_min: NotRequired[int]
    sentiment_max: NotRequired[int]
    min_conviction: NotRequired[int]
    min_actionability_score: NotRequired[int]
    event: NotRequired[Values]
    exchange: NotRequired[Values]
    symbol: NotRequired[Values]
    corp_activity: NotRequired[Values]
    market: NotRequired[Values]
    market_country: NotRequired[Values]
    economic_category: NotRequired[Values]
    story_copies: NotRequired[bool]
    q: NotRequired[Values]
