import type { SourceHealth } from "@tapewire/contract/admin.ts";
import type { SourceConfig } from "../config/sources.ts";
import type { Db } from "../store/db.ts";
import { type SourceState, sourceStates } from "../store/sources.ts";

/** GET /admin/v1/sources. */
export async function sourceHealth(db: Db, sources: readonly SourceConfig[]): Promise<SourceHealth[]> {
  const states = new Map((await sourceStates(db.main)).map((state) => [state.id, state]));
  return sources.map((source) => {
    const state = states.get(source.id);
    const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;
    return {
      id: source.id,
      name: source.name,
      url: source.url,
      format: source.format,
      enabled: source.enabled,
      status: statusOf(source, state),
      last_poll_at: iso(state?.last_poll_at),
      last_ok_at: iso(state?.last_ok_at),
      next_poll_at: iso(state?.next_poll_at),
      newest_item_at: iso(state?.newest_item_at),
      items: state?.items ?? 0,
      failures: state?.failures ?? 0,
      last_error: state?.last_error ?? null,
    };
  });
}

function statusOf(source: SourceConfig, state: SourceState | undefined): SourceHealth["status"] {
  if (!source.enabled) return "disabled";
  if (state === undefined) return "waiting";
  return state.failures > 0 ? "failing" : "ok";
}
