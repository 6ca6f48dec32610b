import type { Alert } from "./types.ts";

const instance = "10.0.0.11:8080";
const of = `job="tapewire",instance="${instance}"`;
const other = "10.0.0.12:8080";

export const alerts: readonly Alert[] = [
  {
    name: "TapewireDown",
    query: "up{$of} == 0",
    for: "2m",
    severity: "critical",
    summary: "A process does not answer the scrape.",
    action:
      "Read its log. Exit code 2 means wrong settings, or a database of another version: a restart does not help.",
    test: {
      atMinute: 10,
      bad: { [`up{${of}}`]: "1x2 0x20" },
      good: { [`up{${of}}`]: "1x20" },
      labels: { instance },
    },
  },
  {
    name: "TapewireAbsent",
    query: "absent(up{$of})",
    for: "5m",
    severity: "critical",
    summary: "Prometheus knows no process of Tapewire.",
    action: "Check that the service runs, and the scrape configuration.",
    test: { atMinute: 10, bad: { 'up{job="other"}': "1x20" }, good: { [`up{${of}}`]: "1x20" } },
  },
  {
    name: "TapewireRestarts",
    query: "changes(process_start_time_seconds{$of}[15m]) > 2",
    for: "0m",
    severity: "warning",
    summary: "A process started three times within 15 minutes.",
    action: "Read its log before the restarts. Memory is a common reason: compare it with the limit.",
    test: {
      atMinute: 14,
      bad: { [`process_start_time_seconds{${of}}`]: "100x3 400x3 700x3 1000x10" },
      good: { [`process_start_time_seconds{${of}}`]: "100x3 400x20" },
      labels: { instance },
    },
  },
  {
    name: "TapewireErrors",
    query:
      'sum(rate(tapewire_http_requests_total{$of,status="5xx"}[5m])) / sum(rate(tapewire_http_requests_total{$of}[5m])) > 0.01',
    for: "5m",
    severity: "critical",
    summary: "More than 1 % of the requests fail with 5xx.",
    action: "Read the log for the request ids. 503 not_ready and overloaded point at the database.",
    test: {
      atMinute: 20,
      bad: {
        [`tapewire_http_requests_total{${of},route="/v1/feeds",method="GET",status="2xx"}`]: "0+900x30",
        [`tapewire_http_requests_total{${of},route="/v1/feeds",method="GET",status="5xx"}`]: "0+100x30",
      },
      good: {
        [`tapewire_http_requests_total{${of},route="/v1/feeds",method="GET",status="2xx"}`]: "0+999x30",
        [`tapewire_http_requests_total{${of},route="/v1/feeds",method="GET",status="5xx"}`]: "0+1x30",
      },
    },
  },
  {
    name: "TapewireLogNotRead",
    query: "tapewire_log_read_age_seconds{$of} > 10",
    for: "1m",
    severity: "critical",
    summary: "A process has not read the item log from the database for 10 seconds, and is not ready.",
    action: "Check the database and the way to it.",
    test: {
      atMinute: 10,
      bad: { [`tapewire_log_read_age_seconds{${of}}`]: "1x2 60+60x20" },
      good: { [`tapewire_log_read_age_seconds{${of}}`]: "1x20" },
      labels: { instance },
    },
  },
  {
    name: "TapewireProcessBehind",
    query: "scalar(max(tapewire_log_head{$of})) - tapewire_log_head{$of} > 100",
    for: "2m",
    severity: "warning",
    summary: "A process is more than 100 entries behind the newest one.",
    action: "Look at its event loop and its processor. Its streams and lists are late.",
    test: {
      atMinute: 10,
      bad: {
        [`tapewire_log_head{${of}}`]: "1000x20",
        [`tapewire_log_head{job="tapewire",instance="${other}"}`]: "1000+60x20",
      },
      good: {
        [`tapewire_log_head{${of}}`]: "1000+60x20",
        [`tapewire_log_head{job="tapewire",instance="${other}"}`]: "1000+60x20",
      },
      labels: { instance },
    },
  },
  {
    name: "TapewireBusDisconnected",
    query: "tapewire_bus_connected{$of} == 0",
    for: "5m",
    severity: "warning",
    summary: "A process does not hear the others at once; it finds new items by polling, a second later.",
    action: "Check NATS, or that no pooler in transaction mode is between Tapewire and PostgreSQL.",
    test: {
      atMinute: 10,
      bad: { [`tapewire_bus_connected{${of},bus="nats"}`]: "1x2 0x20" },
      good: { [`tapewire_bus_connected{${of},bus="nats"}`]: "1x20" },
      labels: { instance, bus: "nats" },
    },
  },
  {
    name: "TapewireSourcesFailing",
    query: 'max(tapewire_ingest_sources{$of,status="failing"}) > 3',
    for: "15m",
    severity: "warning",
    summary: "More than three sources fail.",
    action:
      "`tapewire sources` and `tapewire doctor ID` tell why. Many at once point at the network, or at a missing contact address.",
    test: {
      atMinute: 30,
      bad: { [`tapewire_ingest_sources{${of},status="failing"}`]: "0x2 4x40" },
      good: { [`tapewire_ingest_sources{${of},status="failing"}`]: "3x40" },
    },
  },
  {
    name: "TapewireIngestStopped",
    query: 'sum(increase(tapewire_ingest_fetches_total{$of,outcome=~"ok|not_modified"}[15m])) == 0',
    for: "5m",
    severity: "critical",
    summary: "No source has been read for 15 minutes.",
    action: "Check that a process has the role ingest, and the network.",
    test: {
      atMinute: 40,
      bad: { [`tapewire_ingest_fetches_total{${of},outcome="ok"}`]: "0+60x10 600x60" },
      good: { [`tapewire_ingest_fetches_total{${of},outcome="ok"}`]: "0+60x60" },
    },
  },
  {
    name: "TapewireSlowPublication",
    query:
      'histogram_quantile(0.99, sum by (le) (rate(tapewire_item_latency_seconds_bucket{$of,stage="receive_to_publish"}[5m]))) > 1',
    for: "10m",
    severity: "warning",
    summary: "One item of a hundred takes more than a second from first sight to publication.",
    action: "Compare items waiting to be appended, statements that wait for a connection, and the processor.",
    test: {
      atMinute: 30,
      bad: {
        [`tapewire_item_latency_seconds_bucket{${of},stage="receive_to_publish",le="1"}`]: "0+90x40",
        [`tapewire_item_latency_seconds_bucket{${of},stage="receive_to_publish",le="2.5"}`]: "0+100x40",
        [`tapewire_item_latency_seconds_bucket{${of},stage="receive_to_publish",le="+Inf"}`]: "0+100x40",
      },
      good: {
        [`tapewire_item_latency_seconds_bucket{${of},stage="receive_to_publish",le="1"}`]: "0+100x40",
        [`tapewire_item_latency_seconds_bucket{${of},stage="receive_to_publish",le="2.5"}`]: "0+100x40",
        [`tapewire_item_latency_seconds_bucket{${of},stage="receive_to_publish",le="+Inf"}`]: "0+100x40",
      },
    },
  },
  {
    name: "TapewireDatabaseWaiting",
    query: "min_over_time(tapewire_database_waiting{$of}[2m]) > 0",
    for: "2m",
    severity: "warning",
    summary: "Statements have waited for a connection for minutes.",
    action: "Look for slow statements in the database, and for sessions that hold locks.",
    test: {
      atMinute: 10,
      bad: { [`tapewire_database_waiting{${of},pool="main"}`]: "0x2 3x20" },
      good: { [`tapewire_database_waiting{${of},pool="main"}`]: "3 0 3 0 3 0 3 0 3 0 3 0 3" },
      labels: { instance, pool: "main" },
    },
  },
  {
    name: "TapewireStorageFull",
    query: "tapewire_storage_full{$of} == 1",
    for: "1m",
    severity: "critical",
    summary: "The disk of the embedded database is almost full: nothing is stored.",
    action: "Make room on the disk, or enlarge it. Items that sources still have are read afterwards.",
    test: {
      atMinute: 10,
      bad: { [`tapewire_storage_full{${of}}`]: "0x2 1x20" },
      good: { [`tapewire_storage_full{${of}}`]: "0x20" },
      labels: { instance },
    },
  },
  {
    name: "TapewireDiskFilling",
    // The size is -1 where the database is a PostgreSQL.
    query: "tapewire_disk_free_bytes{$of} / (tapewire_disk_size_bytes{$of} > 0) < 0.2",
    for: "15m",
    severity: "warning",
    summary: "The disk of the embedded database has less than 20 % of its room left.",
    action:
      "Enlarge it, keep fewer months (TAPEWIRE_KEEP_MONTHS), or delete old files in its folder backups.",
    test: {
      atMinute: 30,
      bad: {
        [`tapewire_disk_free_bytes{${of}}`]: "30x2 19x40",
        [`tapewire_disk_size_bytes{${of}}`]: "100x40",
      },
      good: {
        [`tapewire_disk_free_bytes{${of}}`]: "21x40",
        [`tapewire_disk_size_bytes{${of}}`]: "100x40",
        [`tapewire_disk_free_bytes{job="tapewire",instance="${other}"}`]: "-1x40",
        [`tapewire_disk_size_bytes{job="tapewire",instance="${other}"}`]: "-1x40",
      },
      labels: { instance },
    },
  },
  {
    name: "TapewireRetentionFailing",
    // A try that failed is repeated within ten minutes, by this process or another.
    query: "sum(increase(tapewire_retention_failures_total{$of}[30m])) > 0",
    for: "3h",
    severity: "warning",
    summary: "Items older than what is kept have not been deleted for three hours.",
    action:
      "Read the log for the reason. A session of the database that keeps a transaction open is a common one.",
    test: {
      atMinute: 200,
      bad: { [`tapewire_retention_failures_total{${of}}`]: "0+0.1x220" },
      good: { [`tapewire_retention_failures_total{${of}}`]: "0+0.1x100 10x120" },
    },
  },
  {
    name: "TapewireWebhookLag",
    query: "tapewire_webhook_lag_seconds{$of} > 60",
    for: "2m",
    severity: "warning",
    summary: "Items wait for more than a minute until they are matched with webhook endpoints.",
    action: "Look at the process: event loop, database. One slow receiver cannot cause this.",
    test: {
      atMinute: 10,
      bad: { [`tapewire_webhook_lag_seconds{${of}}`]: "0x2 90x20" },
      good: { [`tapewire_webhook_lag_seconds{${of}}`]: "5x20" },
      labels: { instance },
    },
  },
  {
    name: "TapewireShardsUnheld",
    // Where no process has the role there is no such series: a fault, if one had it within a day. Where none answers at all,
    // TapewireDown tells it.
    query:
      "(sum(tapewire_webhook_shards{$of}) or vector(0)) < 64 and on () up{$of} == 1 and on () count_over_time(tapewire_webhook_shards{$of}[1d])",
    for: "5m",
    severity: "critical",
    summary: "Some shards of webhook endpoints belong to no process: their items are not delivered.",
    action: "Check that a process has the role webhooks, that every such process answers, and the database.",
    test: {
      atMinute: 15,
      bad: {
        [`up{${of}}`]: "1x20",
        [`tapewire_webhook_shards{job="tapewire",instance="${other}"}`]: "64x2 stale",
      },
      good: {
        [`up{${of}}`]: "1x20",
        [`tapewire_webhook_shards{${of}}`]: "32x20",
        [`tapewire_webhook_shards{job="tapewire",instance="${other}"}`]: "32x20",
      },
    },
  },
  {
    name: "TapewireEventLoopBlocked",
    query: "nodejs_eventloop_lag_p99_seconds{$of} > 0.2",
    for: "5m",
    severity: "warning",
    summary: "The event loop of a process is delayed by more than 200 ms.",
    action: "Give it more processor, or divide the roles among processes.",
    test: {
      atMinute: 15,
      bad: { [`nodejs_eventloop_lag_p99_seconds{${of}}`]: "0.01x2 0.5x20" },
      good: { [`nodejs_eventloop_lag_p99_seconds{${of}}`]: "0.01x20" },
      labels: { instance },
    },
  },
  {
    name: "TapewireOpenFiles",
    query: "process_open_fds{$of} / process_max_fds{$of} > 0.8",
    for: "5m",
    severity: "warning",
    summary: "A process has more than 80 % of the files and sockets that it may open.",
    action: "Raise the limit (LimitNOFILE), or add processes with the role stream.",
    test: {
      atMinute: 15,
      bad: { [`process_open_fds{${of}}`]: "100x2 900x20", [`process_max_fds{${of}}`]: "1000x20" },
      good: { [`process_open_fds{${of}}`]: "100x20", [`process_max_fds{${of}}`]: "1000x20" },
      labels: { instance },
    },
  },
];
