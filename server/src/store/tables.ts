import type { WebhookStatus } from "@tapewire/contract/webhooks.ts";
import type { Generated } from "kysely";

/** The tables as kysely sees them; migrations/ is the truth. int8 is read as a number, timestamptz as a Date. */
export interface Tables {
  settings: { name: string; value: string };
  log_head: { only_row: Generated<boolean>; epoch: string; last_seq: number };
  items: {
    seq: number;
    id: string;
    published_at: Date;
    scraped_at: Date;
    actionable: boolean | null;
    sentiment: number | null;
    terms: number[];
    copy: Generated<boolean>;
  };
  item_bodies: { id: string; published_at: Date; doc: string; detail: string; body: string };
  scores: {
    item_id: string;
    published_at: Date;
    model: string;
    model_version: string;
    scored_at: Date;
    verdict: unknown;
  };
  item_keys: {
    id: string;
    seq: number;
    unique_id: string;
    published_at: Date;
    source_id: string | null;
    content_key: string | null;
  };
  item_versions: { seq: number; id: string; published_at: Date; doc: string; detail: string };
  story_sketches: { seq: number; id: string; seen_at: Date; sketch: unknown };
  filings: {
    accession: string;
    item_id: string;
    cik: string;
    form: string;
    period: string | null;
    published_at: Date;
  };
  pending_documents: {
    item_id: string;
    source_id: string;
    class: number;
    raw: unknown;
    tries: Generated<number>;
    due_at: Date;
    queued_at: Generated<Date>;
    lease_until: Date | null;
  };
  item_aliases: { alias: string; item_id: string };
  terms: { id: Generated<number>; kind: string; value: string; count: number; latest_at: Date };
  accounts: { id: string; name: string; plan: string; created_at: Date };
  keys: {
    id: string;
    account_id: string;
    name: string;
    hash: Uint8Array;
    prefix: string;
    last4: string;
    created_at: Date;
    last_used_at: Date | null;
    expires_at: Date | null;
    revoked_at: Date | null;
  };
  usage_days: {
    account_id: string;
    day: string;
    feed: Generated<number>;
    score: Generated<number>;
    requests: Generated<number>;
    errors: Generated<number>;
    delivered: Generated<number>;
    snapshot: Generated<number>;
  };
  gateways: { id: string; seen_at: Date };
  stream_slots: { account_id: string; gateway: string; streams: number };
  rate_buckets: {
    account_id: string;
    bucket: string;
    tokens: number;
    granted: number;
    refilled_at: Date;
  };
  webhook_endpoints: {
    id: string;
    account_id: string;
    url: string;
    description: string | null;
    status: WebhookStatus;
    disabled_reason: string | null;
    filters: unknown;
    secret: Uint8Array;
    created_at: Date;
    updated_at: Date;
    failing_since: Date | null;
    last_delivery_at: Date | null;
    last_status: number | null;
    matched_total: Generated<number>;
    delivered_total: Generated<number>;
    counted_on: string | null;
    matched_today: Generated<number>;
    delivered_today: Generated<number>;
    position: number | null;
    joined: Generated<boolean>;
    run: Generated<number>;
    changed_at: Generated<Date>;
    max_age_s: Generated<number>;
    previous_secret: Uint8Array | null;
    previous_secret_until: Date | null;
    replay_seq: number | null;
    replay_to: number | null;
    breaker_openings: number | null;
    breaker_until: Date | null;
    failed_total: Generated<number>;
    expired_total: Generated<number>;
    failed_today: Generated<number>;
    expired_today: Generated<number>;
  };
  webhook_shards: {
    shard: number;
    owner: string | null;
    fence: Generated<number>;
    lease_until: Date | null;
    cursor: number;
    last_commit: string | null;
  };
  webhook_workers: { id: string; seen_at: Date };
  webhook_removals: { id: string; removed_at: Date };
  webhook_hours: {
    endpoint_id: string;
    hour: Date;
    matched: number;
    delivered: number;
    failed: number;
    expired: number;
    latency: number[];
  };
  webhook_exceptions: {
    endpoint_id: string;
    seq: number;
    item_id: string;
    state: "due" | "dead";
    trigger: "item" | "resend" | "replay";
    counts: boolean;
    attempts: number;
    due_at: Date;
    first_at: Date;
    last_status: number | null;
    last_error: string | null;
  };
  webhook_attempts: {
    id: Generated<number>;
    endpoint_id: string;
    seq: number;
    item_id: string;
    attempt: number;
    trigger: string;
    attempted_at: Date;
    ok: boolean;
    status: number | null;
    error: string | null;
    ms: number;
    response: string | null;
  };
  idempotent_calls: {
    account_id: string;
    key: string;
    request_hash: string;
    answer: string | null;
    called_at: Generated<Date>;
  };
  sources: {
    id: string;
    etag: string | null;
    last_modified: string | null;
    backfilled: Generated<boolean>;
    walking: Generated<boolean>;
    last_poll_at: Date | null;
    last_ok_at: Date | null;
    next_poll_at: Date | null;
    newest_item_at: Date | null;
    items: Generated<number>;
    failures: Generated<number>;
    last_error: string | null;
    lease_owner: string | null;
    lease_until: Date | null;
    walk_from: Date | null;
    swept_at: Date | null;
    reconciled_to: string | null;
    typical_gap_s: number | null;
    lags_ms: Generated<number[]>;
    moved_to: string | null;
  };
  hosts: { host: string; next_at: Date; quiet_until: Date | null };
  gaps: {
    id: Generated<number>;
    source_id: string;
    from_at: Date | null;
    to_at: Date | null;
    noticed_at: Date;
    reason: string;
    closed_at: Date | null;
  };
  raw_answers: {
    id: Generated<number>;
    source_id: string;
    url: string;
    headers: unknown;
    fetched_at: Date;
    sha256: string;
    body: Uint8Array;
  };
  hub_subscriptions: {
    source_id: string;
    hub: string;
    topic: string;
    token: string;
    secret: string;
    asked_at: Date;
    confirmed_until: Date | null;
    pinged_at: Date | null;
  };
  reference_files: { name: string; asked_at: Date; fetched_at: Date | null; body: string | null };
}
