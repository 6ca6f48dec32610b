import type { TagDictionary } from "@tapewire/contract/tags.ts";
import type { Authenticator } from "../account/auth.ts";
import type { RealtimeQuota } from "../account/realtime-quota.ts";
import type { Filter, LogItem } from "../feed/item.ts";
import type { ItemTail } from "../itemlog/follow.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { SnapshotAllowance } from "./snapshots.ts";

/** What the stream works with. */
export interface StreamDeps {
  readonly tail: ItemTail;
  readonly auth: Authenticator;
  readonly quota: RealtimeQuota;
  readonly snapshots: SnapshotAllowance;
  readonly tags: TagDictionary;
  readonly clock: Clock;
  readonly log: Log;
  readonly ready: () => boolean;
  /** The newest items that match, newest first. */
  readonly latest: (filter: Filter, limit: number) => Promise<LogItem[]>;
}
