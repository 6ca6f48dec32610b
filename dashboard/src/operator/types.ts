/** Shapes of the admin API, which the client library leaves out. */
import type { PlanName } from "tapewire";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly created_at: string;
}
export interface PushResult {
  readonly id: string | null;
  readonly status: "created" | "duplicate" | "revised" | "rejected";
  readonly error?: string;
}
export interface SourceHealth {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly format: string;
  readonly enabled: boolean;
  readonly status: "ok" | "waiting" | "stale" | "failing" | "disabled";
  readonly advice: string | null;
  readonly last_poll_at: string | null;
  readonly last_ok_at: string | null;
  readonly next_poll_at: string | null;
  readonly newest_item_at: string | null;
  readonly items: number;
  readonly last_error: string | null;
  readonly lag_ms: { readonly p50: number; readonly p99: number } | null;
  readonly pending_documents: number;
  readonly pushed: boolean;
  readonly gaps: readonly {
    readonly from: string | null;
    readonly to: string | null;
    readonly noticed_at: string;
    readonly reason: string;
    readonly closed_at: string | null;
  }[];
}
export interface SourceProbe {
  readonly ok: boolean;
  readonly error: string | null;
  readonly took_ms: number;
  readonly items: number | null;
  readonly unknown_items: number | null;
  readonly titles: readonly string[];
}

export interface SourceList {
  readonly data: readonly SourceHealth[];
}

type Minutes = readonly (number | null)[];

/** What a process did, minute by minute; as GET /admin/v1/stats answers. */
export interface ProcessStats {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly roles: readonly string[];
  readonly version: string;
  readonly started_at: string;
  readonly running: boolean;
  readonly source_to_publish_p50_ms: Minutes;
  readonly receive_to_publish_p50_ms: Minutes;
  readonly receive_to_publish_p99_ms: Minutes;
  readonly streams: Minutes;
  readonly stream_items: Minutes;
  readonly deliveries: Minutes;
  readonly failed_deliveries: Minutes;
  readonly cpu: Minutes;
  readonly rss_bytes: Minutes;
  readonly event_loop_p99_ms: Minutes;
  readonly disk_free_bytes: number | null;
}
export interface OperatorStats {
  readonly minutes: readonly string[];
  readonly processes: readonly ProcessStats[];
  readonly database: {
    readonly bytes: number;
    readonly parts: readonly {
      readonly part: string;
      readonly month: string | null;
      readonly bytes: number;
    }[];
    readonly kept_since: string | null;
  };
  /** Endpoints of all accounts. */
  readonly webhooks: {
    readonly enabled: number;
    readonly failing: number;
    readonly auto_disabled: number;
    readonly recovered: number;
  };
}

/** As GET /admin/v1/backups answers. */
export interface BackupList {
  readonly data: readonly Backup[];
  /** 0: the service makes none by itself; null: the database has tools of its own. */
  readonly every_hours: number | null;
}

/** A backup of the embedded database. */
export interface Backup {
  readonly name: string;
  readonly path: string;
  readonly made_at: string;
  readonly bytes: number;
}
